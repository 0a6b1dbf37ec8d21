"""Choose the note values of a staff.

Players hold notes longer or shorter than written, so a played length is only one hint. The candidates for the end of a
note are the next starts in its staff, and the simple values near the played length. A conditional logit model scores
each: how the played length compares with it, which of the next starts it is, whether the line goes on there (a near
pitch), whether notes in between would be covered, and how simple the value is. The weights were fitted to performances
and played scores (`benchmarks/training/train_performance_reading.py`).
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from statistics import median
from typing import NamedTuple

_SIMPLE = tuple(
    Fraction(upper, lower)
    for upper, lower in ((1, 8), (1, 6), (1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1))
)
_PLAIN = frozenset(Fraction(2) ** power for power in range(-3, 3))
_DOTTED = frozenset(Fraction(3, 2) * value for value in _PLAIN)
_NEAREST, _FARTHEST = math.log(0.5), math.log(1.7)
"""Simple values are candidates if the played length is within these (natural logarithms of) ratios of them."""
_HELD_ALIKE = 1.4
"""The played lengths of the notes of a chord differ by at most this ratio."""
_STARTS = 5
_NEIGHBOURS = 24
"""The articulation is measured over this many starts before and after a note."""
WEIGHTS = (
    *(-0.73, 0.21, -0.37, -0.77, -1.19, 4.27, 2.1, 1.62, 0.87, 1.59, -1.39, -0.21),
    *(-2.36, -1.26, 0.96, 1.05, 0.94, 0.13, 0.43, -0.26, 0.68, 0.52, 1.7, -0.27),
)


class StaffNote(NamedTuple):
    """A note of a staff, in quarters. `played` is the length as it was played."""

    start: Fraction
    played: float
    pitch: int


class LengthCandidate(NamedTuple):
    length: Fraction
    features: tuple[float, ...]


def note_lengths(notes: Sequence[StaffNote], other_starts: Sequence[Fraction] = ()) -> list[Fraction]:
    """Return the written length of each note. `other_starts` are the starts in the other staves, sorted."""
    found: list[Fraction] = []
    for candidates in length_candidates(notes, other_starts):
        best, length = -math.inf, Fraction(1)
        for candidate in candidates:
            score = sum(weight * value for weight, value in zip(WEIGHTS, candidate.features, strict=True) if value)
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
    staff.pitches = [[notes[index].pitch for index in groups[start]] for start in staff.starts]
    usual = _usual_ratios(notes, groups, staff.starts, ticks)
    found: list[list[LengthCandidate]] = [[] for _ in notes]
    for place, start in enumerate(staff.starts):
        ends = {staff.starts[after] - start: after for after in range(place + 1, min(place + 1 + _STARTS, len(groups)))}
        for index in groups[start]:
            found[index] = staff.candidates(notes[index], place, ends, usual[place])
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


class _LengthKind(NamedTuple):
    length: Fraction
    log: float
    is_plain: bool
    is_dotted: bool
    is_tuplet: bool


class _Staff:
    """The notes of a staff by start, in ticks (integers, because Fractions are slow)."""

    def __init__(self, ticks: int, others: set[int]) -> None:
        self.starts: list[int] = []
        self.pitches: list[list[int]] = []
        self._ticks = ticks
        self._others = others
        self._kinds: dict[int, _LengthKind] = {}
        self._simple = [(_in_ticks(value, ticks), _LOGS[value]) for value in _SIMPLE]

    def candidates(self, note: StaffNote, place: int, ends: dict[int, int], usual: float) -> list[LengthCandidate]:
        played = math.log(max(note.played, 0.02))
        lengths = dict(ends)
        for value, log in self._simple:
            if _NEAREST < played - log < _FARTHEST:
                lengths.setdefault(value, 0)
        if not lengths:
            lengths[min(self._simple, key=lambda simple: abs(played - simple[1]))[0]] = 0
        return [self._candidate(note, place, length, after, played, usual) for length, after in lengths.items()]

    def _kind(self, length: int) -> _LengthKind:
        known = self._kinds.get(length)
        if known is None:
            exact = Fraction(length, self._ticks)
            log = math.log(length / self._ticks)
            is_tuplet = exact.denominator not in (1, 2, 4, 8)
            known = self._kinds[length] = _LengthKind(exact, log, exact in _PLAIN, exact in _DOTTED, is_tuplet)
        return known

    def _candidate(
        self, note: StaffNote, place: int, length: int, after: int, played: float, usual: float
    ) -> LengthCandidate:
        kind = self._kind(length)
        ratio = played - kind.log
        rank = after - place if after else 0
        end = self.starts[place] + length
        last = after or bisect_right(self.starts, end, place)
        between = self.pitches[place + 1 : min(last, place + 8)]
        inner = [abs(pitch - note.pitch) for group in between for pitch in group]
        is_outer = bool(inner) and _is_outer(note.pitch, between)
        near = min((abs(pitch - note.pitch) for pitch in self.pitches[after]), default=12) if after else 12
        away = abs(ratio)
        return LengthCandidate(
            kind.length,
            (
                max(ratio, 0.0),
                max(min(ratio, 0.0), -2.5),
                float(ratio > 0.25),
                abs(ratio - usual) if rank == 1 else 0.0,
                min(away, 0.8),
                float(rank == 1),
                float(rank == 2),
                float(rank == 3),
                float(rank > 3),
                float(end in self._others),
                min(near, 12) / 12 if rank else 0.0,
                float(near == 0),
                float(bool(inner)),
                float(bool(inner) and min(inner) == 0),
                min(*inner, 12) / 12 if inner else 0.0,
                float(is_outer),
                float(kind.is_plain),
                float(kind.is_dotted),
                float(kind.is_tuplet),
                float(rank == 1 and ratio < -0.3),
                float(away < 0.08),
                float(away < 0.2),
                float(rank == 0 and end % self._ticks == 0),
                min(ratio, 0.0) if rank == 1 and usual < -0.4 else 0.0,
            ),
        )


def _is_outer(pitch: int, groups: Sequence[Sequence[int]]) -> bool:
    """Return whether a pitch is clearly above or below all notes of these groups."""
    return all(pitch < other - 2 for group in groups for other in group) or all(
        pitch > other + 2 for group in groups for other in group
    )


_LOGS = {value: math.log(value.numerator / value.denominator) for value in _SIMPLE}
