"""transform_phrase: names read into a wish, the engine, its result put into words."""

from collections.abc import Sequence
from functools import partial

from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.passage import passage
from consort_compose.composer.phrases.models import AppliedParameters, TransformedPhrase, TransformPhrase
from consort_compose.composer.phrases.transformations import Wish, joined, transform
from consort_compose.composer.tonality import key_of
from consort_music.intervals import parse_interval
from consort_music.keys import parse_key
from consort_music.score import Score


def develop(phrase: Score, body: TransformPhrase) -> tuple[TransformedPhrase, Score, list[ComposerWarning]]:
    key = parse_key(body.key) if body.key else key_of(phrase)
    names = body.transformation
    wish = Wish(
        key=key,
        repetitions=body.repetitions,
        interval=parse_interval(body.interval),
        upward=body.direction == "up",
        chromatic=body.chromatic,
        tonal=body.tonal,
    )
    transformed = transform(phrase, names, wish)
    combined = joined([phrase, transformed]) if body.append else None
    wanted = partial(passage, musicxml=body.include_musicxml, notes=body.include_notes)
    data = TransformedPhrase(
        original=wanted(phrase),
        transformed=wanted(transformed, note_list=body.append),  # otherwise the answer's own note_list
        combined=wanted(combined) if combined else None,
        transformation_applied=" + ".join(names),
        parameters=AppliedParameters(
            **body.model_dump(include={"repetitions", "interval", "direction", "chromatic", "tonal"}), key=key.name
        ),
    )
    return data, combined or transformed, _warnings(phrase, names, body.repetitions)


def _warnings(phrase: Score, names: Sequence[str], wanted: int) -> list[ComposerWarning]:
    have = max(len({note.start for note in part.notes}) for part in phrase.parts)
    if any(name.startswith("fragment") for name in names) and wanted > have:
        message = f"The phrase has {have} notes, fewer than the {wanted} asked for in repetitions; all were kept."
        return [ComposerWarning(code="CONSTRAINT_RELAXED", message=message)]
    return []
