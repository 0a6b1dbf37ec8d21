"""The marked voice as a line: what it may sing, how leaps are answered, what its runs outline."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from consort_compose.composer.counterpoint.task import VoiceNote
from consort_compose.composer.counterpoint.tones import is_tritone
from consort_compose.composer.species.exercise import Exercise
from consort_compose.composer.species.faults import Fault, interval_name, is_step, note_name

_SUNG = {(1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 7), (7, 12)}
"""Letters and semitones, up or down; a minor sixth only up."""
_MINOR_SIXTH_UP = (5, 8)
_SIXTH = 5
"""In letters: the smallest leap that a step back must answer. The engine writes quick notes more strictly."""
_STEP, _FIFTH = 2, 7
"""In semitones."""


def melody_faults(exercise: Exercise) -> Iterator[Fault]:
    yield from _ranges(exercise)
    yield from _intervals(exercise.voice)
    if not exercise.is_named:  # the cantus could be the other one, and what no voice sings is wrong in both
        yield from _intervals(exercise.cantus)
    yield from _quick_leaps(exercise)
    yield from _leaps(exercise)
    yield from _repeats(exercise)
    yield from _outlines(exercise.voice)


def _ranges(exercise: Exercise) -> Iterator[Fault]:
    """Of a part that is named after a voice."""
    low, high = exercise.range or (0, 127)
    for note in exercise.voice:
        if not low <= note.tone.midi <= high:
            text = f"{note_name(note.tone)} is outside the range of the {exercise.voice_name}."
            yield Fault(note.onset, "range", text)


def _intervals(voice: Sequence[VoiceNote]) -> Iterator[Fault]:
    for one, other in pairwise(voice):
        letters, semitones = other.tone.step - one.tone.step, other.tone.midi - one.tone.midi
        if semitones == 0 or (letters, semitones) == _MINOR_SIXTH_UP:
            continue
        if (abs(letters), abs(semitones)) not in _SUNG or letters * semitones < 0:
            text = f"The line moves by {_article(interval_name(one.tone, other.tone))}, {_span(one, other)}."
            yield Fault(other.onset, "melodic_interval", text)


def _quick_leaps(exercise: Exercise) -> Iterator[Fault]:
    if exercise.species != 5:
        return
    for one, other in pairwise(exercise.voice):
        if abs(other.tone.step - one.tone.step) > 1 and _is_quick(exercise, one, other):
            text = f"Eighth notes move by step; {_span(one, other)} is a leap."
            yield Fault(other.onset, "quick_leap", text)


def _is_quick(exercise: Exercise, one: VoiceNote, other: VoiceNote) -> bool:
    """Shorter than the notes of the third species."""
    unit = exercise.unit_at(one.onset)
    return min(one.duration, other.duration) < unit.length / (4 if unit.is_binary else 6)


def _leaps(exercise: Exercise) -> Iterator[Fault]:
    for one, two, three in zip(exercise.voice, exercise.voice[1:], exercise.voice[2:], strict=False):
        leap, answer = two.tone.midi - one.tone.midi, three.tone.midi - two.tone.midi
        letters = abs(two.tone.step - one.tone.step)
        if (letters >= _SIXTH or abs(leap) > _FIFTH) and not (is_step(two, three) and leap * answer < 0):
            text = f"The leap {_span(one, two)} is not answered by a step back."
            yield Fault(two.onset, "leap_not_recovered", text)
        if leap * answer > 0 and min(abs(leap), abs(answer)) > _STEP:
            text = f"Two leaps in one direction: {_span(one, two)} to {note_name(three.tone)}."
            yield Fault(two.onset, "consecutive_leaps", text)


def _repeats(exercise: Exercise) -> Iterator[Fault]:
    """One repetition is allowed note against note, none elsewhere."""
    most, repeats = (1 if exercise.species == 1 else 0), 0
    for one, other in pairwise(exercise.voice):
        repeats = repeats + 1 if one.tone.midi == other.tone.midi and one.end == other.onset else 0
        if repeats > most:
            yield Fault(other.onset, "repeated_note", f"{note_name(other.tone)} is repeated.")


def _outlines(voice: Sequence[VoiceNote]) -> Iterator[Fault]:
    """Tritones between one turning point of the line and the next, filled with notes; bare leaps are intervals."""
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
            yield Fault(line[end].onset, "tritone_outline", text)


def _span(one: VoiceNote, other: VoiceNote) -> str:
    return f"{note_name(one.tone)} to {note_name(other.tone)}"


def _article(name: str) -> str:
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
