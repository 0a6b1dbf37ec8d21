"""Compute the binary features of each beat of a melody, for the chord model.

A feature is one statement that is true of the beat, for example "two beats later the melody is two semitones above the
tonic", or "the bar has three beats and this is the last". Degrees are semitones above the tonic. Distances to
fermatas are features only if the melody has at least two fermatas.
"""

from itertools import accumulate

from consort_compose.composer.harmony.melody_grid import MelodyGrid
from consort_compose.composer.harmony.phrase_ends import MARKED
from consort_music.metre import BEAT

REST, BEFORE, AFTER = 12, 13, 14
"""Values used instead of a degree: for a rest, before the first beat, and after the last beat."""
_DEGREES = 15
"""The number of degrees, including the three special values."""
_WINDOW = range(-4, 5)
"""The beats whose degrees are features, relative to the beat."""
_NEAR = range(-1, 2)
"""The beats whose other properties are features, relative to the beat."""
_LENGTHS = 5
"""The number of length classes (see `_length_class`)."""
_LONG = 3
"""Notes of this length class (two beats) or above are long."""
_FAR = 6
"""Distances to a long note are counted up to this many beats."""
_FAR_FERMATA, _NEAR_FERMATA = 8, 5
"""Distances to a fermata are counted up to 8 beats; at fewer than 5 beats there are features with degrees."""
_UNDER_HELD, _AFTER_FERMATA, ARRIVALS = 3, 4, 5
"""Kinds of arrival at a beat (0 to 2 are the metrical strengths), and their number: see `beat_arrivals`."""

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
"""The number of features."""


class _BeatLists:
    """Properties of the melody, as lists with one entry per beat."""

    def __init__(self, grid: MelodyGrid, tonic: int) -> None:
        self.degrees: list[int] = []
        self.later: list[int] = []
        """The degree of the last note in the beat, or REST if the beat has only one note or none."""
        self.held: list[bool] = []
        self.lengths: list[int] = []
        self.pitches: list[int | None] = []
        for beat in grid.beats:
            notes = grid.within(beat.start, beat.end)
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
        self.has_fermatas = len(grid.fermatas) >= MARKED
        is_held = [any(beat.start <= moment < beat.end for moment in grid.fermatas) for beat in grid.beats]
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


def beat_features(grid: MelodyGrid, tonic: int, minor: bool) -> list[list[int]]:
    """Return the features of each beat. A feature is a number from 0 to COUNT - 1."""
    view = _BeatLists(grid, tonic)
    return [_features(grid, view, index, int(minor)) for index in range(len(grid.beats))]


def beat_arrivals(grid: MelodyGrid) -> list[int]:
    """Return the kind of arrival at each beat, from 0 to ARRIVALS - 1. The model has a transition table for each kind.

    The kinds are needed because chords change more often on strong beats than on weak ones, rarely under a held note,
    and freely after a fermata.
    """
    view = _BeatLists(grid, 0)
    found = []
    for index, beat in enumerate(grid.beats):
        if view.has_fermatas and view.from_fermata[index] == 0:
            found.append(_AFTER_FERMATA)
        else:
            found.append(_UNDER_HELD if view.held[index] else max(beat.strength, BEAT) - BEAT)
    return found


def _features(grid: MelodyGrid, view: _BeatLists, index: int, mode: int) -> list[int]:
    beat, count = grid.beats[index], len(grid.beats)
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
    has("bars to the end", (min(grid.beats[-1].bar - beat.bar, 8), 9))
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
    """Return the class of a length: 0 below one beat, 1 for one beat, 2 below two, 3 for two, 4 above."""
    if length < beat:
        return 0
    if length == beat:
        return 1
    return 2 if length < 2 * beat else 3 if length == 2 * beat else 4


def _distances(marks: list[bool], most: int) -> list[int]:
    """Return for each index the distance to the last mark at or before it; `most` if it is larger or there is none."""
    found, distance = [], most
    for mark in marks:
        distance = 0 if mark else min(distance + 1, most)
        found.append(distance)
    return found
