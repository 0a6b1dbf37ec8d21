"""Run transform_phrase: make the options from the tool's fields, and describe the result."""

from collections.abc import Sequence
from functools import partial

from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.phrases.models import AppliedParameters, TransformedPhrase, TransformPhrase
from consort_compose.composer.phrases.transformations import TransformOptions, join_scores, transform
from consort_compose.composer.score_formats import write_passage
from consort_compose.composer.tonality import key_of
from consort_music.score import Score


def run_transform_phrase(
    phrase: Score, body: TransformPhrase
) -> tuple[TransformedPhrase, Score, list[ComposerWarning]]:
    """Return the tool's output, the resulting score, and warnings."""
    key = body.key or key_of(phrase)
    names = body.transformation
    options = TransformOptions(
        key=key,
        repetitions=body.repetitions,
        interval=body.interval,
        upward=body.direction == "up",
        chromatic=body.chromatic,
        tonal=body.tonal,
    )
    transformed = transform(phrase, names, options)
    combined = join_scores([phrase, transformed]) if body.append else None
    show = partial(write_passage, musicxml=body.include_musicxml, notes=body.include_notes)
    data = TransformedPhrase(
        original=show(phrase),
        transformed=show(transformed, note_list=body.append),  # without `append` it is already the tool's note_list
        combined=show(combined) if combined else None,
        transformation_applied=" + ".join(names),
        parameters=AppliedParameters(
            **body.model_dump(include={"repetitions", "interval", "direction", "chromatic", "tonal"}), key=key.name
        ),
    )
    return data, combined or transformed, _warnings(phrase, names, body.repetitions)


def _warnings(phrase: Score, names: Sequence[str], wanted: int) -> list[ComposerWarning]:
    """Return a warning if the phrase has fewer notes than a fragment should keep."""
    have = max(len({note.start for note in part.notes}) for part in phrase.parts)
    if any(name.startswith("fragment") for name in names) and wanted > have:
        message = f"The phrase has only {have} notes and repetitions is {wanted}; all notes were kept."
        return [ComposerWarning(code="CONSTRAINT_RELAXED", message=message)]
    return []
