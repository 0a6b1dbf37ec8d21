"""What a beat of a melody looks like to the model: the numbers of the features that it has.

A feature is one thing that is so: the melody is on the second degree two beats later; the bar has three beats and this
is its last. Degrees are semitones above the tonic. All of it can be known of any melody: no fermatas, no text.
"""

from itertools import accumulate

from consort_compose.composer.harmony.line import Line
from consort_music.metre import BEAT

REST, BEFORE, AFTER = 12, 13, 14
"""Where there is no degree: a rest, the time before the first beat, the time after the last."""
_DEGREES = 15
_WINDOW = range(-4, 5)
_NEAR = range(-1, 2)
_LENGTHS = 5
_LONG = 3
"""The class of notes of two beats or more."""
_FAR = 6

_BLOCKS = {
    "degree": len(_WINDOW) * _DEGREES,
    "later degree": len(_NEAR) * _DEGREES,
    "held": len(_NEAR),
    "length": len(_NEAR) * _LENGTHS,
    "next": 2 * _DEGREES * _DEGREES,
    "last": 2 * _DEGREES * _DEGREES,
    "later": 2 * _DEGREES * _DEGREES,
    "place": 5 * 5,
    "strength and degree": 2 * 3 * _DEGREES,
    "beats to the end": 9,
    "degree near the end": 4 * _DEGREES,
    "beats from the start": 5,
    "beats to a long note": _FAR + 1,
    "beats from a long note": _FAR + 1,
    "degree before a long note": 4 * _DEGREES,
    "interval": 2 * 15,
    "mode": 2,
}
_OFFSETS = dict(zip(_BLOCKS, [0, *accumulate(_BLOCKS.values())], strict=False))
COUNT = sum(_BLOCKS.values())


class _View:
    """The melody beat by beat."""

    def __init__(self, line: Line, tonic: int) -> None:
        self.degrees: list[int] = []
        self.later: list[int] = []
        """The degree of the last note that begins within the beat, REST where none does."""
        self.held: list[bool] = []
        self.lengths: list[int] = []
        self.pitches: list[int | None] = []
        for beat in line.beats:
            notes = line.within(beat.start, beat.end)
            if not notes:
                self._add(REST, REST, False, 0, None)
                continue
            first, others = notes[0], notes[1:]
            later = (others[-1].midi - tonic) % 12 if others else REST
            length = _length_class(first.end - first.start, beat.end - beat.start)
            self._add((first.midi - tonic) % 12, later, first.start < beat.start, length, first.midi)
        is_long = [length >= _LONG or degree == REST for length, degree in zip(self.lengths, self.degrees, strict=True)]
        self.to_long = _distances(is_long[::-1])[::-1]
        self.from_long = _distances([False, *is_long[:-1]])

    def _add(self, degree: int, later: int, held: bool, length: int, pitch: int | None) -> None:
        self.degrees.append(degree)
        self.later.append(later)
        self.held.append(held)
        self.lengths.append(length)
        self.pitches.append(pitch)

    def degree(self, index: int) -> int:
        if 0 <= index < len(self.degrees):
            return self.degrees[index]
        return BEFORE if index < 0 else AFTER


def beat_features(line: Line, tonic: int, minor: bool) -> list[list[int]]:
    """The features of each beat, as numbers below COUNT."""
    view = _View(line, tonic)
    return [_features(line, view, index, int(minor)) for index in range(len(line.beats))]


def _features(line: Line, view: _View, index: int, mode: int) -> list[int]:
    beat, count = line.beats[index], len(line.beats)
    degree = view.degrees[index]
    found = [_OFFSETS["mode"] + mode]

    def has(block: str, *coordinates: tuple[int, int]) -> None:
        number = 0
        for value, size in coordinates:
            number = number * size + value
        found.append(_OFFSETS[block] + number)

    modes = (mode, 2)
    for place, offset in enumerate(_WINDOW):
        has("degree", (place, len(_WINDOW)), (view.degree(index + offset), _DEGREES))
    for place, offset in enumerate(_NEAR):
        there = index + offset
        if 0 <= there < count:
            near = (place, len(_NEAR))
            has("later degree", near, (view.later[there], _DEGREES))
            has("length", near, (view.lengths[there], _LENGTHS))
            if view.held[there]:
                has("held", near)
    has("next", modes, (degree, _DEGREES), (view.degree(index + 1), _DEGREES))
    has("last", modes, (degree, _DEGREES), (view.degree(index - 1), _DEGREES))
    has("later", modes, (degree, _DEGREES), (view.later[index], _DEGREES))
    has("place", (min(beat.beats_in_bar, 5) - 1, 5), (min(beat.place, 4), 5))
    has("strength and degree", modes, (max(beat.strength, BEAT) - BEAT, 3), (degree, _DEGREES))
    to_end = count - 1 - index
    has("beats to the end", (min(to_end, 8), 9))
    has("degree near the end", (min(to_end, 3), 4), (degree, _DEGREES))
    has("beats from the start", (min(index, 4), 5))
    has("beats to a long note", (view.to_long[index], _FAR + 1))
    has("beats from a long note", (view.from_long[index], _FAR + 1))
    has("degree before a long note", (min(view.to_long[index], 3), 4), (degree, _DEGREES))
    here = view.pitches[index]
    for side, there in enumerate((index - 1, index + 1)):
        other = view.pitches[there] if 0 <= there < count else None
        if here is not None and other is not None:
            has("interval", (side, 2), (min(max(other - here, -7), 7) + 7, 15))
    return found


def _length_class(length: int, beat: int) -> int:
    """Less than a beat, one, less than two, two, more."""
    if length < beat:
        return 0
    if length == beat:
        return 1
    return 2 if length < 2 * beat else 3 if length == 2 * beat else 4


def _distances(marks: list[bool]) -> list[int]:
    """How many places ago the last mark was, at most _FAR; _FAR where there was none."""
    found, distance = [], _FAR
    for mark in marks:
        distance = 0 if mark else min(distance + 1, _FAR)
        found.append(distance)
    return found
