"""Choose the note values of a staff.

Players hold notes longer or shorter than written, so a played length is only one hint. The candidates for the end of a
note are the next starts in its staff, and the simple values near the played length. A conditional logit model scores
each: how the played length compares with it and whether the pedal was held, which of the next starts it is, whether
the line goes on there (a near pitch), whether notes in between would be covered, and how simple the value is. All
features are tables: a feature says which of its cells a candidate is in, and each cell has a weight. The weights were
fitted to performances and played scores (`benchmarks/training/train_performance_reading.py`).
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from statistics import median
from typing import NamedTuple

from consort_music.notation.performance_to_score.notes.note_length_weights import WEIGHTS
from consort_music.notation.performance_to_score.notes.played_notes import PerformedNote

_SIMPLE = tuple(
    Fraction(upper, lower)
    for upper, lower in ((1, 8), (1, 6), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1))
)
_KINDS = {value: number for number, value in enumerate(sorted({*_SIMPLE, Fraction(3, 8), Fraction(4, 3)}))}
_OTHER_PLAIN, _OTHER_TUPLET = len(_KINDS), len(_KINDS) + 1
_NEAREST, _FARTHEST = math.log(0.3), math.log(1.7)
"""Simple values are candidates if the played length is within these (natural logarithms of) ratios of them."""
_HELD_ALIKE = 1.4
"""The played lengths of the notes of a chord differ by at most this ratio."""
_STARTS = 6
_RATIOS = (-1.5, -1.0, -0.7, -0.45, -0.25, -0.1, 0.08, 0.2, 0.4, 0.8)
_USUAL = (-1.0, -0.6, -0.3, -0.1, 0.15)
_INTERVALS = (0, 2, 4, 7, 12)
_SECONDS = (0.08, 0.13, 0.2, 0.35, 0.7)
"""The edges of the cells: logarithms of played to written lengths, semitones, and seconds."""
_RANKS = 5
_CELLS = len(_RATIOS) + 1
_TABLES = {
    "ratio": _RANKS * _CELLS,
    "usual ratio": (len(_USUAL) + 1) * _CELLS,
    "ratio against the usual one": _RANKS * _CELLS,
    "ratio to the next start": _RANKS * _CELLS,
    "ratio with pedal": _RANKS * _CELLS,
    "value": 2 * (len(_KINDS) + 2),
    "line": _RANKS * (len(_INTERVALS) + 1),
    "covered notes": 4 * 2 * 4,
    "end": 2 * 3 * 2,
    "place in chord": _RANKS * 4,
    "seconds": _RANKS * (len(_SECONDS) + 1),
    "longer notes of the chord": _RANKS * 3,
    "chord at the end": _RANKS * 3,
}
"""The number of cells of each table."""
FEATURES = sum(_TABLES.values())


def _offsets() -> list[int]:
    found = [0]
    for size in _TABLES.values():
        found.append(found[-1] + size)
    return found


(
    _RATIO,
    _USUAL_RATIO,
    _UNUSUAL,
    _NEXT,
    _PEDAL,
    _VALUE,
    _LINE,
    _COVERED,
    _END,
    _IN_CHORD,
    _SHORT,
    _LONGER,
    _AFTER,
    _,
) = _offsets()
_HALF, _BINARY, _TERNARY, _OTHER = range(4)
"""Kinds of places in a quarter."""
_NEIGHBOURS = 24
"""The articulation is measured over this many starts before and after a note."""


class StaffNote(NamedTuple):
    """A note of a staff, in quarters. `played` is the length as it was played."""

    start: Fraction
    played: float
    pitch: int
    seconds: float
    """How long the key was held."""
    is_pedalled: bool
    """Whether the note sounded on when the key was released."""


def staff_note(note: PerformedNote, start: Fraction, played: float) -> StaffNote:
    """Return a performed note that is written at `start` and lasted `played` quarters."""
    return StaffNote(start, played, note.pitch, note.end - note.onset, note.is_pedalled)


class LengthCandidate(NamedTuple):
    length: Fraction
    features: tuple[int, ...]
    """The cells that it is in."""


def note_lengths(notes: Sequence[StaffNote], other_starts: Sequence[Fraction] = ()) -> list[Fraction]:
    """Return the written length of each note. `other_starts` are the starts in the other staves, sorted."""
    found: list[Fraction] = []
    for candidates in length_candidates(notes, other_starts):
        best, length = -math.inf, Fraction(1)
        for candidate in candidates:
            score = sum([WEIGHTS[cell] for cell in candidate.features])
            if score > best:
                best, length = score, candidate.length
        found.append(length)
    return _joined(notes, found)


def _joined(notes: Sequence[StaffNote], lengths: list[Fraction]) -> list[Fraction]:
    """Return the lengths; notes that start together and were held about as long get the same, the most common one."""
    groups: dict[Fraction, list[int]] = {}
    for index, note in enumerate(notes):
        groups.setdefault(note.start, []).append(index)
    for group in groups.values():
        played = [notes[index].played for index in group]
        if len(group) > 1 and max(played) < _HELD_ALIKE * min(played):
            same = max(Counter(lengths[index] for index in group).items(), key=lambda item: (item[1], item[0]))[0]
            for index in group:
                lengths[index] = same
    return lengths


def length_candidates(notes: Sequence[StaffNote], other_starts: Sequence[Fraction] = ()) -> list[list[LengthCandidate]]:
    """Return the candidates of each note with their features."""
    denominators = {note.start.denominator for note in notes} | {start.denominator for start in other_starts}
    ticks = math.lcm(*(value.denominator for value in _SIMPLE), *denominators)
    staff = _Staff(ticks, {_in_ticks(start, ticks) for start in other_starts})
    groups: dict[int, list[int]] = {}
    for index, note in enumerate(notes):
        groups.setdefault(_in_ticks(note.start, ticks), []).append(index)
    staff.starts = sorted(groups)
    staff.divide()
    staff.pitches = [[notes[index].pitch for index in groups[start]] for start in staff.starts]
    usual = _usual_ratios(notes, groups, staff.starts, ticks)
    found: list[list[LengthCandidate]] = [[] for _ in notes]
    for place, start in enumerate(staff.starts):
        ends = {staff.starts[after] - start: after for after in range(place + 1, min(place + 1 + _STARTS, len(groups)))}
        longest = max(notes[index].played for index in groups[start])
        for index in groups[start]:
            found[index] = staff.candidates(notes[index], place, ends, _Surroundings(usual[place], longest))
    return found


def _in_ticks(moment: Fraction, ticks: int) -> int:
    return moment.numerator * (ticks // moment.denominator)


def _usual_ratios(
    notes: Sequence[StaffNote], groups: dict[int, list[int]], starts: Sequence[int], ticks: int
) -> list[float]:
    """Return, around each start, the median log ratio of played lengths to the time until the next start."""
    ratios = []
    for place, start in enumerate(starts):
        gap = (starts[place + 1] - start) / ticks if place + 1 < len(starts) else 1.0
        ratios.append(math.log(max(max(notes[index].played for index in groups[start]), 0.02) / gap))
    found = []
    for begin in range(0, len(ratios), _NEIGHBOURS):
        near = median(ratios[max(begin - _NEIGHBOURS, 0) : begin + 2 * _NEIGHBOURS])
        found.extend([near] * min(_NEIGHBOURS, len(ratios) - begin))
    return found


class _Surroundings(NamedTuple):
    usual: float
    """The usual log ratio of played lengths to the time until the next start."""
    longest: float
    """The played length of the longest note that starts together."""


class _LengthKind(NamedTuple):
    length: Fraction
    log: float
    number: int


class _Staff:
    """The notes of a staff by start, in ticks (integers, because Fractions are slow)."""

    def __init__(self, ticks: int, others: set[int]) -> None:
        self.starts: list[int] = []
        self.pitches: list[list[int]] = []
        self._ticks = ticks
        self._others = others
        self._divisions: dict[int, set[int]] = {}
        self._kinds: dict[int, _LengthKind] = {}
        self._simple = [(_in_ticks(value, ticks), _LOGS[value]) for value in _SIMPLE]

    def candidates(
        self, note: StaffNote, place: int, ends: dict[int, int], around: _Surroundings
    ) -> list[LengthCandidate]:
        played = math.log(max(note.played, 0.02))
        lengths = dict(ends)
        for value, log in self._simple:
            if _NEAREST < played - log < _FARTHEST and self._is_on_grid(self.starts[place] + value):
                lengths.setdefault(value, 0)
        if not lengths:
            lengths[min(self._simple, key=lambda simple: abs(played - simple[1]))[0]] = 0
        gap = self.starts[place + 1] - self.starts[place] if place + 1 < len(self.starts) else 4 * self._ticks
        to_next = bisect_left(_RATIOS, played - math.log(gap / self._ticks))
        own = self.pitches[place]
        in_chord = 0
        if len(own) > 1:
            in_chord = 1 if note.pitch == max(own) else 2 if note.pitch == min(own) else 3
        longer = (around.longest > _HELD_ALIKE * note.played) + (around.longest > 2 * _HELD_ALIKE * note.played)
        short = bisect_left(_SECONDS, note.seconds)
        usual = bisect_left(_USUAL, around.usual)
        found = []
        for length, after in lengths.items():
            kind = self._kind(length)
            rank = min(after - place, _RANKS - 1) if after else 0
            ratio = bisect_left(_RATIOS, played - kind.log)
            cells = [
                _RATIO + rank * _CELLS + ratio,
                _UNUSUAL + rank * _CELLS + bisect_left(_RATIOS, played - kind.log - around.usual),
                _NEXT + rank * _CELLS + to_next,
                _VALUE + 2 * kind.number + (rank > 0),
                _IN_CHORD + 4 * rank + in_chord,
                _SHORT + (len(_SECONDS) + 1) * rank + short,
                _LONGER + 3 * rank + longer,
                *self._at_the_end(note.pitch, place, length, after),
            ]
            if rank == 1:
                cells.append(_USUAL_RATIO + usual * _CELLS + ratio)
            if note.is_pedalled:
                cells.append(_PEDAL + rank * _CELLS + ratio)
            found.append(LengthCandidate(kind.length, tuple(cells)))
        return found

    def divide(self) -> None:
        """Note how each quarter is divided by the starts in it."""
        for start in (*self.starts, *self._others):
            self._divisions.setdefault(start // self._ticks, set()).add(self._division(start))

    def _division(self, moment: int) -> int:
        """Return the kind of a place in a quarter: a half, another binary part, a third or sixth, or none of these."""
        inside = moment % self._ticks
        if 2 * inside % self._ticks == 0:
            return _HALF
        if 8 * inside % self._ticks == 0:
            return _BINARY
        return _TERNARY if 6 * inside % self._ticks == 0 else _OTHER

    def _is_on_grid(self, end: int) -> bool:
        """Return whether a note may end here: a quarter with triplets has no 16ths, and the reverse."""
        kind = self._division(end)
        known = self._divisions.get(end // self._ticks, set())
        return kind == _HALF or kind in known or (known <= {_HALF} and kind != _OTHER)

    def _kind(self, length: int) -> _LengthKind:
        known = self._kinds.get(length)
        if known is None:
            exact = Fraction(length, self._ticks)
            other = _OTHER_PLAIN if exact.denominator in (1, 2, 4, 8) else _OTHER_TUPLET
            known = self._kinds[length] = _LengthKind(exact, math.log(length / self._ticks), _KINDS.get(exact, other))
        return known

    def _at_the_end(self, pitch: int, place: int, length: int, after: int) -> list[int]:
        """Return the cells that tell what is at the end of a candidate, and between it and the start."""
        end = self.starts[place] + length
        last = after or bisect_left(self.starts, end, place)
        between = self.pitches[place + 1 : min(last, place + 8)]
        inside = end % self._ticks
        part = 0 if inside == 0 else 1 if 2 * inside == self._ticks else 2
        cells = [_END + 6 * (after > 0) + 2 * part + (end in self._others)]
        if between:
            nearest = min([abs(other - pitch) for group in between for other in group])
            near = 0 if nearest == 0 else 1 if nearest <= 2 else 2 if nearest <= 7 else 3
            cells.append(_COVERED + 8 * min(len(between), 4) - 8 + 4 * _is_outer(pitch, between) + near)
        if after:
            rank = min(after - place, _RANKS - 1)
            group = self.pitches[after]
            interval = bisect_left(_INTERVALS, min([abs(other - pitch) for other in group]))
            own = len(self.pitches[place])
            cells.append(_LINE + (len(_INTERVALS) + 1) * rank + interval)
            cells.append(_AFTER + 3 * rank + (len(group) >= own) + (len(group) > own))
        return cells


def _is_outer(pitch: int, groups: Sequence[Sequence[int]]) -> bool:
    """Return whether a pitch is clearly above or below all notes of these groups."""
    return all(pitch < other - 2 for group in groups for other in group) or all(
        pitch > other + 2 for group in groups for other in group
    )


_LOGS = {value: math.log(value.numerator / value.denominator) for value in _SIMPLE}
