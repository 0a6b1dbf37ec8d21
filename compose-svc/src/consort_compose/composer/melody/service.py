"""generate_melody: names read into a request, the engine's melody as a score, refusals with their codes."""

import secrets
import time
from collections.abc import Callable
from fractions import Fraction

from consort_compose.composer.melody.generate import generate
from consort_compose.composer.melody.models import GeneratedMelody, GenerateMelody, MelodyMetadata
from consort_compose.composer.melody.request import Impossible, Melody, MelodyRequest, OutOfTime
from consort_compose.composer.models import ComposerWarning
from consort_compose.composer.passage import passage
from consort_music.chords.layout import ChordMark, ChordSpan, progression_over
from consort_music.errors import MusicError, in_field
from consort_music.intervals import parse_interval
from consort_music.keys import parse_key
from consort_music.metre import Metre, parse_metre
from consort_music.note_list import format_note_list
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

MAX_QUARTERS = 1024
"""As long as 64 bars of 16/4."""
MOST_SECONDS = 20.0
_LATE = Fraction(1, 6)
"""How far a second eighth is moved, to two thirds of the beat."""
_QUARTER = Fraction(1, 4)


def write(
    body: GenerateMelody, clock: Callable[[], float] = time.monotonic
) -> tuple[GeneratedMelody, Score, list[ComposerWarning]]:
    """The melody that is asked for, as the answer shows it, as a score, and what was relaxed."""
    request = read(body)
    seed = secrets.randbelow(2**32) if body.seed is None else body.seed
    end = clock() + MOST_SECONDS
    try:
        melody = generate(request, seed, body.max_attempts, lambda: clock() > end)
    except Impossible as impossible:
        partial = None
        if impossible.best is not None:
            data, score = _told(impossible.best, request, body, seed)
            partial = data.model_dump(mode="json", exclude_none=True) | {"note_list": format_note_list(score)}
        raise MusicError(
            "UNSATISFIABLE_CONSTRAINTS", impossible.message, impossible.suggestions, impossible.field, partial
        ) from None
    except OutOfTime:
        raise MusicError(
            "GENERATION_FAILED",
            f"No melody was found within {MOST_SECONDS:g} seconds. Ask for fewer measures, or try again later.",
            field="length_measures",
        ) from None
    data, score = _told(melody, request, body, seed)
    warnings = [
        ComposerWarning(code="CONSTRAINT_RELAXED", message=relaxed.message, measure=relaxed.measure)
        for relaxed in melody.relaxed
    ]
    return data, score, warnings


def read(body: GenerateMelody) -> MelodyRequest:
    metre = parse_metre(body.time_signature)
    low, high = Pitch.parse(body.range_low), Pitch.parse(body.range_high)
    pickup = Fraction(body.pickup)
    if low.midi > high.midi:
        raise MusicError(
            "INVALID_RANGE",
            f"'range_low' is {low.name}, and must not be above 'range_high', {high.name}. Exchange them: range_low "
            f"{high.name}, range_high {low.name}.",
            [f"range_low={high.name} range_high={low.name}"],
            "range_low",
        )
    if pickup >= metre.bar:
        raise MusicError(
            "INVALID_INPUT",
            f"'pickup' is {body.pickup:g} quarter notes, and must be shorter than a bar of {metre.name}, which has "
            f"{metre.bar}. Example: 1.",
            field="pickup",
        )
    if body.length_measures * metre.bar > MAX_QUARTERS:
        raise MusicError(
            "TOO_LARGE",
            f"'length_measures' is {body.length_measures}, and a melody has at most {MAX_QUARTERS} quarter notes. In "
            f"{metre.name} give {int(MAX_QUARTERS // metre.bar)} measures or fewer.",
            [str(int(MAX_QUARTERS // metre.bar))],
            "length_measures",
        )
    return MelodyRequest(
        key=parse_key(body.key),
        measures=body.length_measures,
        metre=metre,
        low=low.midi,
        high=high.midi,
        contour=body.contour,
        density=body.rhythmic_density,
        start=Pitch.parse(body.start_note).midi if body.start_note else None,
        end=Pitch.parse(body.end_note).midi if body.end_note else None,
        max_leap=parse_interval(body.avoid_leaps_greater_than).semitones if body.avoid_leaps_greater_than else None,
        prefer_stepwise=body.prefer_stepwise,
        chords=_chords(body, metre, pickup),
        pickup=pickup,
    )


def _chords(body: GenerateMelody, metre: Metre, pickup: Fraction) -> tuple[ChordSpan, ...]:
    if body.chords is None:
        return ()
    end = pickup + body.length_measures * metre.bar
    empty = Score((), metres=((Fraction(0), metre),), pickup=pickup, rest_to=end)
    with in_field("chords"):
        laid = progression_over(body.chords, empty.bars)
    return tuple(ChordSpan(start - pickup, end - pickup, chord) for start, end, chord in laid if not chord.is_no_chord)


def _told(melody: Melody, request: MelodyRequest, body: GenerateMelody, seed: int) -> tuple[GeneratedMelody, Score]:
    score = as_score(melody, request, body.swing)
    lowest, highest = request.key.spell(min(melody.pitches)), request.key.spell(max(melody.pitches))
    data = GeneratedMelody(
        melody=passage(score, musicxml=body.include_musicxml, notes=body.include_notes),
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


def as_score(melody: Melody, request: MelodyRequest, swing: bool) -> Score:
    """One part of spelled notes; swung where the beats are plain quarters."""
    swings = swing and request.metre.beats[1:2] == (Fraction(1),)
    onsets = {beat.onset for beat in melody.beats} if swings else set()
    notes = []
    for beat, midi in zip(melody.beats, melody.pitches, strict=True):
        start, end = (_swung(moment, onsets) for moment in (beat.onset, beat.onset + beat.duration))
        notes.append(Note(request.pickup + start, end - start, request.key.spell(midi)))
    return Score(
        (Part("melody", tuple(notes)),),
        metres=((Fraction(0), request.metre),),
        keys=((Fraction(0), request.key),),
        chords=tuple(ChordMark(span.start + request.pickup, span.chord.name) for span in request.chords),
        pickup=request.pickup,
    )


def _swung(moment: Fraction, onsets: set[Fraction]) -> Fraction:
    """The second of two eighths comes late; among shorter notes it does not."""
    is_second = moment in onsets and moment.denominator == 2
    return moment + _LATE if is_second and not {moment - _QUARTER, moment + _QUARTER} & onsets else moment
