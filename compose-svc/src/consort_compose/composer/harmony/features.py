"""What a beat of a melody looks like to the model: the numbers of the features that it has.

A feature is one thing that is so: the melody is on the second degree two beats later; the bar has three beats and this
is its last. Degrees are semitones above the tonic. All of it can be known of any melody; fermatas, where it has them,
tell where its phrases end.
"""

from itertools import accumulate

from consort_compose.composer.harmony.line import Line
from consort_compose.composer.harmony.phrases import MARKED
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
_FAR_FERMATA, _NEAR_FERMATA = 8, 5
_UNDER_HELD, _AFTER_FERMATA, ARRIVALS = 3, 4, 5

_BLOCKS = {
    "degree": len(_WINDOW) * _DEGREES,
    "later degree": len(_NEAR) * _DEGREES,
    "held": len(_NEAR),
    "length": len(_NEAR) * _LENGTHS,
    "next": 2 * _DEGREES * _DEGREES,
    "last": 2 * _DEGREES * _DEGREES,
    "later": 2 * _DEGREES * _DEGREES,
    "two beats away": 2 * _DEGREES * _DEGREES,
    "both neighbours on a side": 2 * _DEGREES * _DEGREES,
    "place": 5 * 5,
    "place and degree": 5 * 5 * _DEGREES,
    "strength and degree": 2 * 3 * _DEGREES,
    "beats to the end": 9,
    "bars to the end": 9,
    "bar of four": 4,
    "degree near the end": 4 * _DEGREES,
    "beats from the start": 5,
    "beats to a long note": _FAR + 1,
    "beats from a long note": _FAR + 1,
    "degree before a long note": 4 * _DEGREES,
    "interval": 2 * 15,
    "mode": 2,
    "beats to a fermata": _FAR_FERMATA + 1,
    "beats from a fermata": _FAR_FERMATA + 1,
    "has fermatas": 2,
    "degree before a fermata": 2 * _NEAR_FERMATA * _DEGREES,
    "degree at a fermata": 2 * _NEAR_FERMATA * _DEGREES,
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
        self.to_long = _distances(is_long[::-1], _FAR)[::-1]
        self.from_long = _distances([False, *is_long[:-1]], _FAR)
        self.has_fermatas = len(line.fermatas) >= MARKED
        is_held = [any(beat.start <= moment < beat.end for moment in line.fermatas) for beat in line.beats]
        self.to_fermata = _distances(is_held[::-1], _FAR_FERMATA)[::-1]
        self.from_fermata = _distances([False, *is_held[:-1]], _FAR_FERMATA)

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


def beat_arrivals(line: Line) -> list[int]:
    """For each beat how it is arrived at, as a number below ARRIVALS: chords change on strong beats rather than on weak
    ones, seldom under a note that is held, and begin anew after a fermata."""
    view = _View(line, 0)
    found = []
    for index, beat in enumerate(line.beats):
        if view.has_fermatas and view.from_fermata[index] == 0:
            found.append(_AFTER_FERMATA)
        else:
            found.append(_UNDER_HELD if view.held[index] else max(beat.strength, BEAT) - BEAT)
    return found


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
    for number, offset in enumerate(_WINDOW):
        has("degree", (number, len(_WINDOW)), (view.degree(index + offset), _DEGREES))
    for number, offset in enumerate(_NEAR):
        there = index + offset
        if 0 <= there < count:
            which = (number, len(_NEAR))
            has("later degree", which, (view.later[there], _DEGREES))
            has("length", which, (view.lengths[there], _LENGTHS))
            if view.held[there]:
                has("held", which)
    has("next", modes, (degree, _DEGREES), (view.degree(index + 1), _DEGREES))
    has("last", modes, (degree, _DEGREES), (view.degree(index - 1), _DEGREES))
    has("later", modes, (degree, _DEGREES), (view.later[index], _DEGREES))
    for side, way in enumerate((1, -1)):
        near, far = (view.degree(index + way), _DEGREES), (view.degree(index + 2 * way), _DEGREES)
        has("two beats away", (side, 2), (degree, _DEGREES), far)
        has("both neighbours on a side", (side, 2), near, far)
    place = ((min(beat.beats_in_bar, 5) - 1, 5), (min(beat.place, 4), 5))
    has("place", *place)
    has("place and degree", *place, (degree, _DEGREES))
    has("strength and degree", modes, (max(beat.strength, BEAT) - BEAT, 3), (degree, _DEGREES))
    to_end = count - 1 - index
    has("beats to the end", (min(to_end, 8), 9))
    has("bars to the end", (min(line.beats[-1].bar - beat.bar, 8), 9))
    has("bar of four", (beat.bar % 4, 4))
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
    has("has fermatas", (int(view.has_fermatas), 2))
    if view.has_fermatas:
        to_fermata = view.to_fermata[index]
        has("beats to a fermata", (to_fermata, _FAR_FERMATA + 1))
        has("beats from a fermata", (view.from_fermata[index], _FAR_FERMATA + 1))
        if to_fermata < _NEAR_FERMATA:
            ahead = (to_fermata, _NEAR_FERMATA)
            has("degree before a fermata", modes, ahead, (degree, _DEGREES))
            has("degree at a fermata", modes, ahead, (view.degree(index + to_fermata), _DEGREES))
    return found


def _length_class(length: int, beat: int) -> int:
    """Less than a beat, one, less than two, two, more."""
    if length < beat:
        return 0
    if length == beat:
        return 1
    return 2 if length < 2 * beat else 3 if length == 2 * beat else 4


def _distances(marks: list[bool], most: int) -> list[int]:
    """How many places ago the last mark was, and `most` where it is further away or there was none."""
    found, distance = [], most
    for mark in marks:
        distance = 0 if mark else min(distance + 1, most)
        found.append(distance)
    return found
