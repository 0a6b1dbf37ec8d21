"""Run generate_melody: make the engine's request from the tool's fields, and a score from its melody."""

import secrets
import time
from collections.abc import Callable
from fractions import Fraction

from consort_compose.composer.melody.engine.generate import generate
from consort_compose.composer.melody.engine.request_and_result import Melody, MelodyConflict, MelodyRequest
from consort_compose.composer.melody.models import GeneratedMelody, GenerateMelody, MelodyMetadata
from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.score_formats import write_passage
from consort_music.chords.progression import progression_over
from consort_music.chords.symbol import alternative_remarks
from consort_music.chords.timed_chords import ChordMark, ChordSpan
from consort_music.errors import MusicError, in_field
from consort_music.notation.note_list import format_note_list
from consort_music.score import Note, Part, Score

MAX_QUARTERS = 1024
"""The length of 64 bars of 16/4."""
MAX_SECONDS = 20.0
"""Time limit of the engine."""
_SWING_DELAY = Fraction(1, 6)
"""In quarters. It moves the second eighth of a beat from a half to two thirds of the beat."""
_SIXTEENTH = Fraction(1, 4)


def run_generate_melody(
    body: GenerateMelody, clock: Callable[[], float] = time.monotonic
) -> tuple[GeneratedMelody, Score, list[ComposerWarning]]:
    """Return the tool's output, the melody as a score, and a warning for each wish that was relaxed.

    Raise UNSATISFIABLE_CONSTRAINTS if the hard constraints exclude each other; its partial result is a melody without
    the conflicting ones. Raise GENERATION_FAILED if the time ended before the first melody.
    """
    request = make_request(body)
    seed = secrets.randbelow(2**32) if body.seed is None else body.seed
    end = clock() + MAX_SECONDS
    try:
        melody = generate(request, seed, body.max_attempts, lambda: clock() > end)
    except MelodyConflict as conflict:
        partial = None
        if conflict.best is not None:
            data, score = _make_output(conflict.best, request, body, seed)
            partial = data.model_dump(mode="json", exclude_none=True) | {"note_list": format_note_list(score)}
        # a plain error, because it is pickled on its way from the worker process
        raise MusicError(conflict.code, conflict.message, conflict.suggestions, conflict.field, partial) from None
    data, score = _make_output(melody, request, body, seed)
    warnings = [
        ComposerWarning(code="INPUT", message=remark)
        for remark in alternative_remarks(span.chord for span in request.chords)
    ]
    warnings += [
        ComposerWarning(code="CONSTRAINT_RELAXED", message=relaxed.message, measure=relaxed.measure)
        for relaxed in melody.relaxed
    ]
    return data, score, warnings


def make_request(body: GenerateMelody) -> MelodyRequest:
    """Return the engine's request.

    Raise INVALID_RANGE if `range_low` is above `range_high`, INVALID_INPUT if the pickup is a bar or longer, TOO_LARGE
    if the melody would be too long, or the error of an invalid chord symbol.
    """
    metre, low, high = body.time_signature, body.range_low, body.range_high
    pickup = Fraction(body.pickup)
    if low.midi > high.midi:
        raise MusicError(
            "INVALID_RANGE",
            f"'range_low' is {low.name}, above 'range_high', which is {high.name}. Swap them: range_low "
            f"{high.name}, range_high {low.name}.",
            [f"range_low={high.name} range_high={low.name}"],
            "range_low",
        )
    if pickup >= metre.bar:
        raise MusicError(
            "INVALID_INPUT",
            f"'pickup' is {body.pickup:g} quarter notes. It must be shorter than a bar of {metre.name}, which has "
            f"{metre.bar}. Example: 1.",
            field="pickup",
        )
    if body.length_measures * metre.bar > MAX_QUARTERS:
        raise MusicError(
            "TOO_LARGE",
            f"'length_measures' is {body.length_measures}. A melody has at most {MAX_QUARTERS} quarter notes: in "
            f"{metre.name} give {int(MAX_QUARTERS // metre.bar)} measures or fewer.",
            [str(int(MAX_QUARTERS // metre.bar))],
            "length_measures",
        )
    return MelodyRequest(
        key=body.key,
        measures=body.length_measures,
        metre=metre,
        low=low.midi,
        high=high.midi,
        contour=body.contour,
        density=body.rhythmic_density,
        start=None if body.start_note is None else body.start_note.midi,
        end=None if body.end_note is None else body.end_note.midi,
        max_leap=None if body.avoid_leaps_greater_than is None else body.avoid_leaps_greater_than.semitones,
        prefer_stepwise=body.prefer_stepwise,
        chords=_chords(body, pickup),
        pickup=pickup,
    )


def _chords(body: GenerateMelody, pickup: Fraction) -> tuple[ChordSpan, ...]:
    """Return the chords without N.C. (no chord). Their times count from the first full bar."""
    if body.chords is None:
        return ()
    metre = body.time_signature
    end = pickup + body.length_measures * metre.bar
    empty = Score((), metres=((Fraction(0), metre),), pickup=pickup, rest_to=end)
    with in_field("chords"):
        spans = progression_over(body.chords, empty.bars)
    return tuple(ChordSpan(start - pickup, end - pickup, chord) for start, end, chord in spans if not chord.is_no_chord)


def _make_output(
    melody: Melody, request: MelodyRequest, body: GenerateMelody, seed: int
) -> tuple[GeneratedMelody, Score]:
    score = make_score(melody, request, body.swing)
    lowest, highest = request.key.spell(min(melody.pitches)), request.key.spell(max(melody.pitches))
    data = GeneratedMelody(
        melody=write_passage(score, musicxml=body.include_musicxml, notes=body.include_notes),
        metadata=MelodyMetadata(
            measures=request.measures,
            note_count=len(melody.pitches),
            actual_range=f"{lowest.name}-{highest.name}",
            key=request.key.name,
            time_signature=request.metre.name,
            seed_used=seed,
            step_ratio=round(melody.step_ratio, 3),
            contour_fit=None if melody.contour_fit is None else round(melody.contour_fit, 3),
        ),
    )
    return data, score


def make_score(melody: Melody, request: MelodyRequest, swing: bool) -> Score:
    """Return a score with one part. `swing` has an effect only in metres whose beat is a quarter."""
    swings = swing and request.metre.beats[1:2] == (Fraction(1),)
    onsets = {timing.onset for timing in melody.timings} if swings else set()
    notes = []
    for timing, midi in zip(melody.timings, melody.pitches, strict=True):
        start, end = (_swing(moment, onsets) for moment in (timing.onset, timing.onset + timing.duration))
        notes.append(Note(request.pickup + start, end - start, request.key.spell(midi)))
    return Score(
        (Part("melody", tuple(notes)),),
        metres=((Fraction(0), request.metre),),
        keys=((Fraction(0), request.key),),
        chords=tuple(ChordMark(span.start + request.pickup, span.chord.name) for span in request.chords),
        pickup=request.pickup,
    )


def _swing(moment: Fraction, onsets: set[Fraction]) -> Fraction:
    """Return the swung time: the second of two eighths is later, unless a note begins a sixteenth before or after."""
    is_second = moment in onsets and moment.denominator == 2
    return moment + _SWING_DELAY if is_second and not {moment - _SIXTEENTH, moment + _SIXTEENTH} & onsets else moment
