"""The new voice as a melody: which tone may follow which, and how gladly.

What of the past matters for the next note is small: which way the line goes, how large its last interval was, and the
tone at which it must not turn, because the run up to there would outline a tritone. So states are few and the search
stays small.
"""

from dataclasses import dataclass
from math import exp
from typing import NamedTuple

from consort_compose.composer.counterpoint import rules
from consort_compose.composer.counterpoint.tones import Tone, is_tritone

TEMPERATURE = 0.6
"""How much the draw prefers cheap paths; lower is more alike from seed to seed."""

_SUNG = {(1, 1), (1, 2), (2, 3), (2, 4), (3, 5), (4, 7), (7, 12)}
_INTERVAL_COST = (0.9, 0.0, 0.7, 1.4, 1.8, 2.6, 4.0, 2.8)
"""By letters moved: repeat, second, third … octave."""

STEP, THIRD, WIDE, RECOVER = range(4)
"""Size of the last interval: RECOVER asks for a step back."""


def weight(cost: float) -> float:
    return exp(-cost / TEMPERATURE)


class Line(NamedTuple):
    direction: int
    size: int
    must_not_turn_at: int
    """Index of a tone, or -1."""
    repeats: int


START = Line(0, STEP, -1, 0)


class Move(NamedTuple):
    target: int
    line: Line
    weight: float
    mask: int
    motion: int
    """Semitones, signed."""
    letters: int


@dataclass(frozen=True, slots=True)
class Manners:
    """How strictly the line is led. `kept` is the mask of rules that hold; the others only cost."""

    kept: int
    most_repeats: int = 0
    widest: int = 7
    """Largest interval in letters: 7 is an octave, 4 a fifth."""
    recover_from: int = 5
    """From this many letters on, a leap is answered by a step back."""
    turn_cost: float = 0.0
    """Makes quick notes run on instead of to and fro."""


class _Pair(NamedTuple):
    """What two tones mean for a line whatever came before."""

    target: int
    motion: int
    letters: int
    cost: float
    mask: int


class Moves:
    """The moves from each (line, tone), worked out when first asked for."""

    def __init__(self, tones: list[Tone], manners: Manners) -> None:
        self._manners = manners
        self._pairs = [[_pair(here, tones, target, manners) for target in range(len(tones))] for here in tones]
        minds_outlines = bool(manners.kept & rules.OUTLINE)
        self._perils = {
            (start, way): _peril(tones, start, way) if minds_outlines else -1
            for start in range(len(tones))
            for way in (1, -1)
        }
        self._every: dict[tuple[Line, int], list[Move]] = {}
        self._strict: dict[tuple[Line, int], list[Move]] = {}

    def strict(self, line: Line, current: int) -> list[Move]:
        """The moves that break no rule."""
        key = line, current
        known = self._strict.get(key)
        if known is None:
            moves = (self._move(line, current, pair) for pair in self._pairs[current] if not pair.mask)
            known = self._strict[key] = [move for move in moves if not move.mask]
        return known

    def every(self, line: Line, current: int) -> list[Move]:
        key = line, current
        known = self._every.get(key)
        if known is None:
            known = self._every[key] = [self._move(line, current, pair) for pair in self._pairs[current]]
        return known

    def _move(self, line: Line, current: int, pair: _Pair) -> Move:
        target, motion, letters, cost, mask = pair
        manners = self._manners
        if motion == 0:
            return self._repeat(line, target)
        direction, size = (1 if motion > 0 else -1), abs(letters)
        turns, leaps = line.direction == -direction, size != 1
        if line.size == RECOVER and (leaps or not turns):
            mask |= rules.RECOVERY
            cost += 1.0
        if leaps and line.size != STEP:
            if line.direction == direction:
                mask |= rules.LEAP_PAIR
                cost += 1.0
            else:
                cost += 0.5
        if line.size == WIDE and not turns:
            cost += 0.6
        if turns:
            cost += manners.turn_cost
            if line.must_not_turn_at == current:
                mask |= rules.OUTLINE
                cost += 0.6
        peril = line.must_not_turn_at if line.direction == direction else self._perils[current, direction]
        if peril >= 0 and (target - peril) * direction > 0:
            peril = -1
        grade = STEP if not leaps else RECOVER if size >= manners.recover_from else THIRD if size == 2 else WIDE
        return Move(target, Line(direction, grade, peril, 0), weight(cost), mask & manners.kept, motion, letters)

    def _repeat(self, line: Line, target: int) -> Move:
        manners, mask = self._manners, 0
        if line.repeats >= manners.most_repeats:
            mask |= rules.REPEAT
        if line.size == RECOVER:
            mask |= rules.RECOVERY
        repeats = min(line.repeats + 1, max(manners.most_repeats, 1))
        cost = _INTERVAL_COST[0] * (line.repeats + 1)
        return Move(target, line._replace(repeats=repeats), weight(cost), mask & manners.kept, 0, 0)


def _pair(here: Tone, tones: list[Tone], target: int, manners: Manners) -> _Pair:
    motion, letters = tones[target].midi - here.midi, tones[target].step - here.step
    size = abs(letters)
    cost = _INTERVAL_COST[min(size, 7)] if size else 3.0
    if motion == 0 or (size <= manners.widest and ((size, abs(motion)) in _SUNG or (size, motion) == (5, 8))):
        return _Pair(target, motion, letters, cost, 0)
    return _Pair(target, motion, letters, cost + 0.3 * abs(motion), rules.LEAP & manners.kept)


def _peril(tones: list[Tone], start: int, direction: int) -> int:
    """The tone a tritone away from the start of a run, in its direction; -1 if there is none."""
    for target in range(start + direction, len(tones) if direction > 0 else -1, direction):
        if is_tritone(tones[start], tones[target]):
            return target
        if abs(tones[target].midi - tones[start].midi) > 6:
            break
    return -1
