"""Measure the share of steps of a melody, and draw melodies that meet the requested share (`prefer_stepwise`).

A step is a move to a neighbouring note of the scale. A repeated note counts as a step; all other moves are leaps. A
melody meets the share if its own share differs by at most 0.1. `generate` first draws melodies until one meets the
share, both with its repeated notes and without them. If that fails, `draw_exactly` uses dynamic programming: for each
note and pitch it computes the set of leap counts that the rest of the melody can have, as a bit set. If the set of no
first pitch contains an allowed count, no melody meets the share. Otherwise it draws one within these sets.
"""

import itertools
import random
from collections.abc import Sequence

from consort_compose.composer.melody.engine.pitch_sampler import MoveWeights, kind_of, pick

TOLERANCE = 0.1
"""Largest allowed difference between the requested share and the share of a melody."""
_ROUNDING = 1e-9


def step_and_repeat_shares(indices: Sequence[int]) -> tuple[float, float]:
    """Return the share of steps and the share of repeats among the moves between notes."""
    moves = [abs(after - before) for before, after in itertools.pairwise(indices)]
    if not moves:
        return 1.0, 0.0
    return moves.count(1) / len(moves), moves.count(0) / len(moves)


def step_ratio(indices: Sequence[int]) -> float:
    return sum(step_and_repeat_shares(indices))


def distance_from_tolerance(indices: Sequence[int], prefer_stepwise: float | None) -> float:
    """Return how far the share of steps is outside the tolerance.

    A tenth of the same distance, computed without repeated notes, is added.
    """
    if prefer_stepwise is None or len(indices) < 2:
        return 0.0
    step, repeat = step_and_repeat_shares(indices)
    moving = step / (1 - repeat) if repeat < 1 else 1.0
    outside = max(0.0, abs(step + repeat - prefer_stepwise) - TOLERANCE - _ROUNDING)
    return outside + max(0.0, abs(moving - prefer_stepwise) - TOLERANCE - _ROUNDING) / 10


def is_met(indices: Sequence[int], prefer_stepwise: float) -> bool:
    return len(indices) < 2 or abs(step_ratio(indices) - prefer_stepwise) <= TOLERANCE + _ROUNDING


def draw_exactly(
    moves: MoveWeights,
    pitch_weights: Sequence[Sequence[float]],
    kind_weights: Sequence[Sequence[float]],
    prefer_stepwise: float,
    rng: random.Random,
    repeats: bool,
) -> list[int] | None:
    """Draw a melody with an allowed number of leaps, or return None if there is none.

    Repeated notes are allowed only if `repeats` is true.
    """
    count = len(pitch_weights)
    least, most = 1 - prefer_stepwise - TOLERANCE - _ROUNDING, 1 - prefer_stepwise + TOLERANCE + _ROUNDING
    allowed = sum(1 << leaps for leaps in range(count) if least * (count - 1) <= leaps <= most * (count - 1))
    possible = _possible_leap_counts(moves, pitch_weights, repeats)
    drawn: list[int] = []
    leaps_so_far = 0
    for note in range(count):
        weights = []
        options = range(len(moves.near)) if note == 0 else range(*moves.near[drawn[-1]])
        for option in options:
            leap = note > 0 and abs(option - drawn[-1]) > 1
            same = note > 0 and option == drawn[-1]
            is_possible = (possible[note][option] << (leaps_so_far + leap)) & allowed
            weight = pitch_weights[note][option] if is_possible and (repeats or not same) else 0.0
            if weight and note:
                row = moves.first[drawn[-1]] if note == 1 else moves.later[drawn[-1]][drawn[-2]]
                weight *= row[option] * kind_weights[note][kind_of(option - drawn[-1])]
            weights.append(weight)
        if not any(weights):
            return None
        here = options[pick(weights, rng)]
        leaps_so_far += note > 0 and abs(here - drawn[-1]) > 1
        drawn.append(here)
    return drawn


def _possible_leap_counts(
    moves: MoveWeights, pitch_weights: Sequence[Sequence[float]], repeats: bool
) -> list[list[int]]:
    """Return `[note][pitch]`: a bit set. Bit n is set if the rest of the melody can have exactly n leaps."""
    width = len(moves.near)
    possible = [[0] * width for _ in pitch_weights]
    possible[-1] = [int(weight > 0) for weight in pitch_weights[-1]]
    for note in range(len(pitch_weights) - 2, -1, -1):
        after = possible[note + 1]
        for here, weight in enumerate(pitch_weights[note]):
            if weight:
                bits = 0
                for option in range(*moves.near[here]):
                    if option != here or repeats:
                        bits |= after[option] << (abs(option - here) > 1)
                possible[note][here] = bits
    return possible
