"""Melodic faults of the marked voice: range, intervals, leaps, repeated notes and outlined tritones."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from consort_compose.composer.counterpoint.spelled_tones import MINOR_SIXTH, SINGABLE, VoiceNote, is_tritone
from consort_compose.composer.species_marking.exercise import Exercise
from consort_compose.composer.species_marking.exercise_fault import ExerciseFault, interval_name, is_step, note_name

_SIXTH = 5
"""In letters (C to A is 5): the smallest leap that must be followed by a step back. The code that writes counterpoint
has a stricter rule for short notes."""
_STEP, _FIFTH = 2, 7
"""The largest step and a perfect fifth, in semitones."""


def melodic_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    yield from _range_faults(exercise)
    yield from _interval_faults(exercise.voice)
    if not exercise.is_cantus_certain:  # the voice taken as the cantus may be the student's
        yield from _interval_faults(exercise.cantus)
    yield from _quick_leap_faults(exercise)
    yield from _leap_faults(exercise)
    yield from _repeat_faults(exercise)
    yield from _outline_faults(exercise.voice)


def _range_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield notes outside the range of the voice that the part is named after."""
    low, high = exercise.range or (0, 127)
    for note in exercise.voice:
        if not low <= note.tone.midi <= high:
            text = f"{note_name(note.tone)} is outside the range of the {exercise.voice_name}."
            yield ExerciseFault(note.onset, "range", text)


def _interval_faults(voice: Sequence[VoiceNote]) -> Iterator[ExerciseFault]:
    for one, other in pairwise(voice):
        letters, semitones = other.tone.step - one.tone.step, other.tone.midi - one.tone.midi
        if semitones == 0 or (letters, semitones) == MINOR_SIXTH:
            continue
        if (abs(letters), abs(semitones)) not in SINGABLE or letters * semitones < 0:
            text = f"The line moves by {_article(interval_name(one.tone, other.tone))}, {_span(one, other)}."
            yield ExerciseFault(other.onset, "melodic_interval", text)


def _quick_leap_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    if exercise.species != 5:
        return
    for one, other in pairwise(exercise.voice):
        if abs(other.tone.step - one.tone.step) > 1 and _is_quick(exercise, one, other):
            text = f"Eighth notes move by step; {_span(one, other)} is a leap."
            yield ExerciseFault(other.onset, "quick_leap", text)


def _is_quick(exercise: Exercise, one: VoiceNote, other: VoiceNote) -> bool:
    """Return whether one of two notes is shorter than a note of the third species."""
    unit = exercise.unit_at(one.onset)
    return min(one.duration, other.duration) < unit.length / (4 if unit.is_binary else 6)


def _leap_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    for one, two, three in zip(exercise.voice, exercise.voice[1:], exercise.voice[2:], strict=False):
        leap, next_move = two.tone.midi - one.tone.midi, three.tone.midi - two.tone.midi
        letters = abs(two.tone.step - one.tone.step)
        if (letters >= _SIXTH or abs(leap) > _FIFTH) and not (is_step(two, three) and leap * next_move < 0):
            text = f"The leap {_span(one, two)} is not followed by a step back."
            yield ExerciseFault(two.onset, "leap_not_recovered", text)
        if leap * next_move > 0 and min(abs(leap), abs(next_move)) > _STEP:
            text = f"Two leaps in one direction: {_span(one, two)} to {note_name(three.tone)}."
            yield ExerciseFault(two.onset, "consecutive_leaps", text)


def _repeat_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield repeated notes. The first species allows one repetition, the others none."""
    most, repeats = (1 if exercise.species == 1 else 0), 0
    for one, other in pairwise(exercise.voice):
        repeats = repeats + 1 if one.tone.midi == other.tone.midi and one.end == other.onset else 0
        if repeats > most:
            yield ExerciseFault(other.onset, "repeated_note", f"{note_name(other.tone)} is repeated.")


def _outline_faults(voice: Sequence[VoiceNote]) -> Iterator[ExerciseFault]:
    """Yield tritones between successive turning points, if there are notes between them."""
    line = [voice[0], *(other for one, other in pairwise(voice) if one.tone.midi != other.tone.midi)]
    turns = [0]
    for place in range(1, len(line) - 1):
        before, here, after = (note.tone.midi for note in line[place - 1 : place + 2])
        if (here - before) * (after - here) < 0:
            turns.append(place)
    turns.append(len(line) - 1)
    for start, end in pairwise(turns):
        if end - start > 1 and is_tritone(line[start].tone, line[end].tone):
            text = f"The line outlines a tritone, {_span(line[start], line[end])}."
            yield ExerciseFault(line[end].onset, "tritone_outline", text)


def _span(one: VoiceNote, other: VoiceNote) -> str:
    return f"{note_name(one.tone)} to {note_name(other.tone)}"


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
