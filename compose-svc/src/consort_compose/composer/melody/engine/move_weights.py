"""Weights of moves from pitch to pitch: counts from folk tunes, adjusted to the request.

Pitches are register indices. A factor multiplies a weight: above 1 it makes a move more likely, below 1 less likely.
"""

import itertools
import random
from collections.abc import Sequence
from dataclasses import dataclass

from consort_compose.composer.melody.engine import step_share
from consort_compose.composer.melody.engine.folk_statistics import (
    NO_MOVE,
    WIDEST_MOVE,
    folk_statistics,
    mode_in_statistics,
)
from consort_compose.composer.melody.engine.pitch_register import PitchRegister
from consort_compose.composer.melody.engine.pitch_sampler import MoveWeights
from consort_compose.composer.melody.engine.request_and_result import MelodyRequest, NoteTiming

OCTAVE = 12
FIFTH = 7
"""In semitones. A leap of more than a fifth is called wide."""
_FOURTH = 5
_DIATONIC_SIZES = {1: (1, 2), 2: (3, 4), 3: (5,), 4: (7,), 5: (8, 9)}
"""By staff steps: the sizes in semitones of intervals that are neither augmented nor diminished."""
_ALTERED = 0.2
"""Factor for an augmented or diminished interval."""
_SINGABILITY = {6: 0.3, 8: 0.8, 9: 0.8, 10: 0.1, 11: 0.05, 12: 0.6}
"""By semitones: factors for tritones, sevenths and other intervals that are hard to sing."""
_STEP_BACK_AFTER_WIDE_LEAP = 1.5
"""Factor for a step or third in the opposite direction after a wide leap."""
_REPEAT_AFTER_WIDE_LEAP = 0.6
_OTHER_MOVE_AFTER_WIDE_LEAP = 0.05
"""Factor for a move in the same direction, or another wide leap, after a wide leap."""
_SECOND_LEAP = 0.2
"""Factor for a leap of a fourth or more after another one in the same direction."""
_SECOND_REPEAT = 0.7
"""Factor for repeating a note twice."""
_SAME_DIRECTION = 1.2
"""Factor for a move in the direction of the previous one. With the other weights alone, lines turn too often."""
_FOLK_SHARES: "MoveKindShares" = (0.327, 0.507, 0.155)
"""The shares that melodies have if all factors of `MoveKindFactors` are 1."""
_LEAST_FACTOR = 0.01
"""The smallest factor that `first_factors` returns."""
_LEAP_SHARE_VARIATION = 0.09
"""How far the target share of leaps may be from 1 - `prefer_stepwise`."""
_MARGIN = 0.01
"""Distance of the target share of leaps from the largest share that the tolerance allows without repeats."""
_USUAL_REPEATS = 0.21
"""The share of repeats that targets vary around, if the wish for steps leaves room for it."""
_LAST_MOVE = (0.4, 1.3, 0.8, 1.8, 0.4)
"""Factors for the five kinds of move to the last note. They favour steps."""

MoveKindShares = tuple[float, float, float]
"""Shares of leaps, steps and repeats."""


@dataclass(frozen=True)
class MoveKindFactors:
    """Factors for kinds of move. `generate` corrects them until a melody has the target shares."""

    leap: float = 1.0
    step: float = 1.0
    repeat: float = 1.0

    @property
    def by_kind(self) -> tuple[float, ...]:
        """The factors in the order of `pitch_sampler.kind_of`."""
        return (self.leap, self.step, self.repeat, self.step, self.leap)


def choose_target_shares(prefer_stepwise: float, rng: random.Random) -> MoveKindShares:
    """Draw the shares of leaps, steps and repeats that a melody aims at.

    The shares vary between melodies, as they do between folk tunes. The share of leaps varies around
    1 - `prefer_stepwise`.
    """
    usual = _USUAL_REPEATS * min(1.0, prefer_stepwise / 0.5, 0.4 + (1 - prefer_stepwise) / 0.4)
    repeat = usual * rng.triangular(0.2, 2.0, 0.8)
    few, many = 1 - prefer_stepwise - _LEAP_SHARE_VARIATION, 1 - prefer_stepwise + _LEAP_SHARE_VARIATION
    # the share of steps must also be within the tolerance if repeats are not counted
    many = min(many, (1 - prefer_stepwise + step_share.TOLERANCE) * (1 - repeat) - _MARGIN)
    leap = min(0.97, max(0.01, rng.uniform(min(few, many), many)))
    repeat = min(repeat, 0.98 - leap)
    return leap, 1 - leap - repeat, repeat


def safer_target_shares(target: MoveKindShares, prefer_stepwise: float) -> MoveKindShares:
    """Return target shares that are more likely to give a melody within the tolerance of `prefer_stepwise`."""
    leap, _, repeat = target
    leap, repeat = (leap + 1 - prefer_stepwise) / 2, repeat / 2
    return leap, 1 - leap - repeat, repeat


def first_factors(target: MoveKindShares) -> MoveKindFactors:
    """Return the factors for a first attempt to reach the target shares."""
    leap, step, repeat = (max(_LEAST_FACTOR, share / usual) for share, usual in zip(target, _FOLK_SHARES, strict=True))
    return MoveKindFactors(leap, step, repeat)


def make_moves(request: MelodyRequest, register: PitchRegister, widest: int = OCTAVE) -> MoveWeights:
    """Return the weights of moves in a register.

    Moves of more than `widest` semitones, or more than the request's largest leap, have weight 0.
    """
    pitches, staff_steps = register.pitches, register.staff_steps
    limit = widest if request.max_leap is None else min(widest, request.max_leap)
    count = len(pitches)
    near = []
    for here in pitches:
        inside = [index for index, midi in enumerate(pitches) if abs(midi - here) <= limit]
        near.append((inside[0], inside[-1] + 1))
    learned = folk_statistics().moves[mode_in_statistics(request.key)]
    shifts = [[_shift(staff_steps, here, after) for after in range(count)] for here in range(count)]
    never = [0.0] * count
    first, later = [], []
    for here, (low, high) in enumerate(near):
        rows = learned[staff_steps[here] % 7]
        after = [
            (
                index,
                shifts[here][index],
                _singability(staff_steps[index] - staff_steps[here], pitches[index] - pitches[here]),
            )
            for index in range(low, high)
        ]
        first.append(_padded(low, [rows[NO_MOVE][shift] * singable for _, shift, singable in after], count))
        reached = [never] * count
        for before in range(low, high):
            last, last_move = shifts[before][here], pitches[here] - pitches[before]
            row = [
                rows[last][shift]
                * singable
                * (_SAME_DIRECTION if (last - WIDEST_MOVE) * (shift - WIDEST_MOVE) > 0 else 1)
                * _factor_after_move(last_move, pitches[index] - pitches[here])
                for index, shift, singable in after
            ]
            reached[before] = _padded(low, row, count)
        later.append(reached)
    return MoveWeights(near, first, later)


def _padded(low: int, row: list[float], count: int) -> list[float]:
    """Return a row of `count` weights that has `row` from index `low` on and 0 elsewhere."""
    return [0.0] * low + row + [0.0] * (count - low - len(row))


def _singability(staff_steps: int, semitones: int) -> float:
    """Return a factor below 1 for an interval that is hard to sing. The statistics do not distinguish semitones."""
    sung = _SINGABILITY.get(abs(semitones), 1.0)
    usual = _DIATONIC_SIZES.get(abs(staff_steps))
    return sung if usual is None or abs(semitones) in usual or abs(semitones) == 6 else _ALTERED * sung


def _factor_after_move(before: int, after: int) -> float:
    """Return a factor for the move `after` if it follows the move `before`. Both are in semitones."""
    if before == after == 0:
        return _SECOND_REPEAT
    if abs(before) <= FIFTH:
        return _SECOND_LEAP if abs(before) >= _FOURTH <= abs(after) and before * after > 0 else 1.0
    if before * after >= 0:
        return _REPEAT_AFTER_WIDE_LEAP if not after else _OTHER_MOVE_AFTER_WIDE_LEAP
    if abs(after) < _FOURTH:
        return _STEP_BACK_AFTER_WIDE_LEAP
    return 1.0 if abs(after) <= FIFTH else _OTHER_MOVE_AFTER_WIDE_LEAP


def _shift(staff_steps: Sequence[int], here: int, after: int) -> int:
    """Return the index of a move in the statistics.

    Two pitches on the same staff step, which the blues scale has, count as one step apart.
    """
    shift = staff_steps[after] - staff_steps[here]
    if shift == 0 and here != after:
        shift = 1 if after > here else -1
    return max(-WIDEST_MOVE, min(WIDEST_MOVE, shift)) + WIDEST_MOVE


def make_kind_weights(timings: Sequence[NoteTiming], factors: MoveKindFactors) -> list[list[float]]:
    """Return, for each note, the weights of the five kinds of move to it. The first row is not used."""
    learned = folk_statistics().kinds
    kind_factors = factors.by_kind
    kind_weights = [list(kind_factors)]
    for before, timing in itertools.pairwise(timings):
        longer = (timing.duration > before.duration) - (timing.duration < before.duration) + 1
        row = learned[3 * timing.strength + longer]
        kind_weights.append([factor * share / 100 for factor, share in zip(kind_factors, row, strict=True)])
    kind_weights[-1] = [factor * close for factor, close in zip(kind_weights[-1], _LAST_MOVE, strict=True)]
    return kind_weights
