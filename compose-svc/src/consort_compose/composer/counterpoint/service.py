"""add_voice: names read into a wish, the engine, its voice and its faults put into words."""

from dataclasses import replace
from fractions import Fraction
from secrets import randbelow

from consort_compose.composer.counterpoint import models
from consort_compose.composer.counterpoint.added import Added, Wish, add_voice_to
from consort_compose.composer.counterpoint.models import AddedVoice, AddVoice
from consort_compose.composer.counterpoint.task import Relationship
from consort_compose.composer.measures import in_words
from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.passage import passage
from consort_compose.composer.tonality import key_of
from consort_compose.composer.voice_leading import Fault, VoiceLeading
from consort_music.chords.layout import ChordSpan, progression_over
from consort_music.errors import in_field
from consort_music.keys import parse_key
from consort_music.notation.musicxml_writer import write_musicxml
from consort_music.pitch import Pitch
from consort_music.score import Score


def write(score: Score, body: AddVoice) -> tuple[AddedVoice, Score, list[ComposerWarning]]:
    key = parse_key(body.key) if body.key else key_of(score)
    if not score.keys:
        score = replace(score, keys=((Fraction(0), key),))
    wish = Wish(
        voice=body.new_voice_type,
        key=key,
        seed=randbelow(2**31) if body.seed is None else body.seed,
        relationship=Relationship(body.relationship),
        species=body.species,
        low=Pitch.parse(body.range_low) if body.range_low else None,
        high=Pitch.parse(body.range_high) if body.range_high else None,
        above=None if body.position == "auto" else body.position == "above",
        avoid_parallels=body.avoid_parallels,
        chords=_chords(score, body),
        attempts=body.max_attempts,
    )
    added = add_voice_to(score, wish)
    pitches = sorted((note.pitch for note in added.voice.notes), key=lambda pitch: pitch.midi)
    data = AddedVoice(
        new_voice=passage(score.with_parts((added.voice,)), musicxml=body.include_musicxml, notes=body.include_notes),
        combined_score=models.CombinedScore(
            musicxml=write_musicxml(added.combined) if body.include_musicxml else None,
            parts=[part.name for part in added.combined.parts],
        ),
        voice_leading_analysis=_told(added.analysis),
        metadata=models.AddedVoiceMetadata(
            key=key.name,
            position="above" if added.above else "below",
            range=f"{pitches[0].name}-{pitches[-1].name}",
            seed_used=wish.seed,
        ),
    )
    return data, added.combined, _warnings(added)


def _chords(score: Score, body: AddVoice) -> list[ChordSpan]:
    if not body.harmonic_context or body.harmonic_context.isspace():
        return score.chord_spans if body.species == 0 else []
    with in_field("harmonic_context"):
        return progression_over(body.harmonic_context, score.bars)


def _warnings(added: Added) -> list[ComposerWarning]:
    """One for each rule that was relaxed, with all its measures."""
    warnings = [ComposerWarning(code="INPUT", message=remark) for remark in added.remarks]
    places: dict[str, list[int]] = {}
    for relaxed in added.relaxations:
        places.setdefault(relaxed.breach, []).append(relaxed.measure)
    for breach, measures in places.items():
        text = f"In {in_words(measures)} {breach}: no voice in this range keeps every rule there."
        warnings.append(ComposerWarning(code="CONSTRAINT_RELAXED", message=text, measure=min(measures)))
    return warnings


def _told(analysis: VoiceLeading) -> models.VoiceLeadingAnalysis:
    return models.VoiceLeadingAnalysis(
        score=round(analysis.score, 2),
        parallel_fifths=_faults(analysis.parallel_fifths),
        parallel_octaves=_faults(analysis.parallel_octaves),
        voice_crossings=_faults(analysis.voice_crossings),
        direct_intervals=_faults(analysis.direct_intervals),
        spacing_issues=_faults(analysis.spacing_issues),
        leaps=_faults(analysis.leaps),
    )


def _faults(faults: list[Fault]) -> list[models.VoiceLeadingFault]:
    return [
        models.VoiceLeadingFault(
            location=fault.location,
            measure=fault.place.measure,
            beat=round(float(fault.place.beat), 4),
            interval=fault.interval,
            voices=list(fault.voices),
            kind=fault.kind or None,
        )
        for fault in faults
    ]
