"""Run add_voice: make the request from the tool's fields, and describe the new voice and its faults."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from secrets import randbelow

from consort_compose.composer.counterpoint import models
from consort_compose.composer.counterpoint.add_voice_to_score import ScoreWithVoice, VoiceRequest, add_voice_to_score
from consort_compose.composer.counterpoint.engine.task_and_result import Relationship
from consort_compose.composer.counterpoint.models import AddedVoice, AddVoice
from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.score_formats import write_passage
from consort_compose.composer.tonality import harmonic_key
from consort_compose.composer.voice_leading import VoiceFault, VoiceLeading
from consort_music.chords.progression import progression_over
from consort_music.chords.symbol import alternative_remarks
from consort_music.chords.timed_chords import ChordSpan
from consort_music.errors import in_field
from consort_music.measure_ranges import measures_in_words
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.score import Score


def run_add_voice(score: Score, body: AddVoice) -> tuple[AddedVoice, Score, list[ComposerWarning]]:
    """Return the tool's output, the score with the new voice, and warnings."""
    key = body.key or harmonic_key(score)
    if not score.keys:
        score = replace(score, keys=((Fraction(0), key),))
    request = VoiceRequest(
        voice=body.new_voice_type,
        key=key,
        seed=randbelow(2**31) if body.seed is None else body.seed,
        relationship=Relationship(body.relationship),
        species=body.species,
        low=body.range_low,
        high=body.range_high,
        above=None if body.position == "auto" else body.position == "above",
        avoid_parallels=body.avoid_parallels,
        chords=_chords(score, body),
        attempts=body.max_attempts,
    )
    result = add_voice_to_score(score, request)
    pitches = sorted((note.pitch for note in result.voice.notes), key=lambda pitch: pitch.midi)
    data = AddedVoice(
        new_voice=write_passage(
            score.with_parts((result.voice,)), musicxml=body.include_musicxml, notes=body.include_notes
        ),
        combined_score=models.CombinedScore(
            musicxml=write_musicxml(result.combined) if body.include_musicxml else None,
            parts=[part.name for part in result.combined.parts],
        ),
        voice_leading_analysis=_describe_analysis(result.analysis),
        metadata=models.AddedVoiceMetadata(
            key=key.name,
            position="above" if result.above else "below",
            range=f"{pitches[0].name}-{pitches[-1].name}",
            seed_used=request.seed,
        ),
    )
    remarks = [*alternative_remarks(span.chord for span in request.chords), *result.remarks]
    return data, result.combined, _warnings(result, remarks)


def _chords(score: Score, body: AddVoice) -> list[ChordSpan]:
    """Return the chords of `harmonic_context`. If there are none, return the score's chords for a free voice."""
    if not body.harmonic_context or body.harmonic_context.isspace():
        return score.chord_spans if body.species == 0 else []
    with in_field("harmonic_context"):
        return progression_over(body.harmonic_context, score.bars)


def _warnings(result: ScoreWithVoice, remarks: Sequence[str]) -> list[ComposerWarning]:
    """Return a warning for each remark, and for each relaxed rule one warning that lists its measures."""
    warnings = [ComposerWarning(code="INPUT", message=remark) for remark in remarks]
    places: dict[str, list[int]] = {}
    for relaxed in result.relaxations:
        start = result.combined.bar_lines.start_of(relaxed.measure)
        places.setdefault(relaxed.breach, []).append(result.combined.position_at(start).measure)
    for breach, measures in places.items():
        text = f"In {measures_in_words(measures)} {breach}: no voice in this range keeps every rule there."
        warnings.append(ComposerWarning(code="CONSTRAINT_RELAXED", message=text, measure=min(measures)))
    return warnings


def _describe_analysis(analysis: VoiceLeading) -> models.VoiceLeadingAnalysis:
    return models.VoiceLeadingAnalysis(
        score=round(analysis.score, 2),
        parallel_fifths=_describe_faults(analysis.parallel_fifths),
        parallel_octaves=_describe_faults(analysis.parallel_octaves),
        voice_crossings=_describe_faults(analysis.voice_crossings),
        direct_intervals=_describe_faults(analysis.direct_intervals),
        spacing_issues=_describe_faults(analysis.spacing_issues),
        leaps=_describe_faults(analysis.leaps),
    )


def _describe_faults(faults: list[VoiceFault]) -> list[models.VoiceLeadingFault]:
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
