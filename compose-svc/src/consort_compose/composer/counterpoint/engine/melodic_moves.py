"""Moves of the new voice alone: the tones that may follow a tone, the rules that a move breaks, and its weight.

The next move depends on little of the past (`LineState`), so there are few states and the search is small. Tones are
indices into the list of tones in use.
"""

from dataclasses import dataclass
from math import exp
from typing import NamedTuple

from consort_compose.composer.counterpoint.engine import rules
from consort_compose.composer.counterpoint.spelled_tones import MINOR_SIXTH, SINGABLE, SpelledTone, is_tritone

_TEMPERATURE = 0.6
"""With a lower temperature, voices with high costs are rarer, and voices of different seeds are more alike."""

_INTERVAL_COST = (0.9, 0.0, 0.7, 1.4, 1.8, 2.6, 4.0, 2.8)
"""By size of a move in letters: 0 is a repeated note, 1 a second, 7 an octave."""
_FOURTH = 3
"""In letters."""

STEP, THIRD, WIDE, RECOVER = range(4)
"""Size classes of the last interval. After an interval of class RECOVER the line must step back."""


def to_weight(cost: float) -> float:
    """Return the Boltzmann weight of a cost."""
    return exp(-cost / _TEMPERATURE)


class LineState(NamedTuple):
    """The part of the past that the next move depends on."""

    direction: int
    """1 up, -1 down, 0 at the beginning."""
    size: int
    """STEP, THIRD, WIDE or RECOVER."""
    must_not_turn_at: int
    """The tone at which a change of direction would outline a tritone, or -1."""
    repeats: int
    """How often the current note has been repeated."""


START = LineState(0, STEP, -1, 0)
"""The state after the first note."""


class MelodicMove(NamedTuple):
    target: int
    line: LineState
    weight: float
    mask: int
    motion: int
    """In semitones. Negative if the voice moves down."""
    letters: int


@dataclass(frozen=True, slots=True)
class MelodicRules:
    """How strict the line is."""

    kept: int
    """The mask of rules that must hold. Breaking other rules only has a cost."""
    most_repeats: int = 0
    """A note may be repeated this many times."""
    widest: int = 7
    """The largest interval in letters: 7 is an octave, 4 a fifth."""
    recover_from: int = 5
    """After a leap of at least this many letters the line must step back."""
    fourths_cheaper: float = 0.0
    """Subtracted from the cost of each move of a fourth or more."""
    turn_cost: float = 0.0
    """The cost of a change of direction. It makes lines of short notes keep their direction."""


class _TonePair(NamedTuple):
    """The part of a move that does not depend on the past."""

    target: int
    motion: int
    letters: int
    cost: float
    mask: int


class MelodicMoves:
    """The moves from each (line, tone). They are computed when first used."""

    def __init__(self, tones: list[SpelledTone], line_rules: MelodicRules) -> None:
        self._line_rules = line_rules
        self._pairs = [[_make_pair(here, tones, target, line_rules) for target in range(len(tones))] for here in tones]
        checks_outlines = bool(line_rules.kept & rules.TRITONE_OUTLINE)
        self._tritones = {
            (start, direction): _tritone_from(tones, start, direction) if checks_outlines else -1
            for start in range(len(tones))
            for direction in (1, -1)
        }
        self._known_moves: dict[tuple[LineState, int], list[MelodicMove]] = {}
        self._known_strict_moves: dict[tuple[LineState, int], list[MelodicMove]] = {}

    def strict_moves(self, line: LineState, current: int) -> list[MelodicMove]:
        """Return the moves that break no rule."""
        key = line, current
        known = self._known_strict_moves.get(key)
        if known is None:
            moves = (self._move(line, current, pair) for pair in self._pairs[current] if not pair.mask)
            known = self._known_strict_moves[key] = [move for move in moves if not move.mask]
        return known

    def all_moves(self, line: LineState, current: int) -> list[MelodicMove]:
        """Return all moves, with the rules that each breaks."""
        key = line, current
        known = self._known_moves.get(key)
        if known is None:
            known = self._known_moves[key] = [self._move(line, current, pair) for pair in self._pairs[current]]
        return known

    def _move(self, line: LineState, current: int, pair: _TonePair) -> MelodicMove:
        target, motion, letters, cost, mask = pair
        line_rules = self._line_rules
        if motion == 0:
            return self._repeat(line, target)
        direction, size = (1 if motion > 0 else -1), abs(letters)
        is_turn, is_leap = line.direction == -direction, size != 1
        if line.size == RECOVER and (is_leap or not is_turn):
            mask |= rules.LEAP_RECOVERY
            cost += 1.0
        if is_leap and line.size != STEP:
            if line.direction == direction:
                mask |= rules.CONSECUTIVE_LEAPS
                cost += 1.0
            else:
                cost += 0.5
        if line.size == WIDE and not is_turn:
            cost += 0.6
        if is_turn:
            cost += line_rules.turn_cost
            if line.must_not_turn_at == current:
                mask |= rules.TRITONE_OUTLINE
                cost += 0.6
        tritone = line.must_not_turn_at if line.direction == direction else self._tritones[current, direction]
        if tritone >= 0 and (target - tritone) * direction > 0:
            tritone = -1
        size_class = (
            STEP if not is_leap else RECOVER if size >= line_rules.recover_from else THIRD if size == 2 else WIDE
        )
        return MelodicMove(
            target,
            LineState(direction, size_class, tritone, 0),
            to_weight(cost),
            mask & line_rules.kept,
            motion,
            letters,
        )

    def _repeat(self, line: LineState, target: int) -> MelodicMove:
        line_rules, mask = self._line_rules, 0
        if line.repeats >= line_rules.most_repeats:
            mask |= rules.REPEATED_NOTE
        if line.size == RECOVER:
            mask |= rules.LEAP_RECOVERY
        repeats = min(line.repeats + 1, max(line_rules.most_repeats, 1))
        cost = _INTERVAL_COST[0] * (line.repeats + 1)
        return MelodicMove(target, line._replace(repeats=repeats), to_weight(cost), mask & line_rules.kept, 0, 0)


def _make_pair(here: SpelledTone, tones: list[SpelledTone], target: int, line_rules: MelodicRules) -> _TonePair:
    motion, letters = tones[target].midi - here.midi, tones[target].step - here.step
    size = abs(letters)
    cost = _INTERVAL_COST[min(size, 7)] if size else 3.0
    if size >= _FOURTH:
        cost -= line_rules.fourths_cheaper
    if motion == 0 or (
        size <= line_rules.widest and ((size, abs(motion)) in SINGABLE or (size, motion) == MINOR_SIXTH)
    ):
        return _TonePair(target, motion, letters, cost, 0)
    return _TonePair(target, motion, letters, cost + 0.3 * abs(motion), rules.MELODIC_INTERVAL & line_rules.kept)


def _tritone_from(tones: list[SpelledTone], start: int, direction: int) -> int:
    """Return the tone a tritone above (`direction` 1) or below (-1) the tone `start`, or -1 if there is none."""
    for target in range(start + direction, len(tones) if direction > 0 else -1, direction):
        if is_tritone(tones[start], tones[target]):
            return target
        if abs(tones[target].midi - tones[start].midi) > 6:
            break
    return -1
