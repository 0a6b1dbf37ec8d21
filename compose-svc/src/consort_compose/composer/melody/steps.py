"""The share of steps: what it is, whether it can be met, and melodies that meet it exactly.

A step is a move to a neighbouring note of the scale; a note that is repeated is as smooth as a step and counts as one,
so the rest are leaps. The share is met within 0.1. Melodies are drawn until they have it, and have it too when
repeated notes are left out. Where drawing does not help, sets of leap counts decide: for each note and pitch, which
numbers of leaps the rest of the melody can have, one bit each. If no allowed number is among them the wish cannot be
met, and otherwise a melody is drawn that keeps to those that can.
"""

import itertools
import random
from collections.abc import Sequence

from consort_compose.composer.melody.sampler import Moves, kind_of, pick

TOLERANCE = 0.1
_EDGE = 1e-9


def shares(indices: Sequence[int]) -> tuple[float, float]:
    """The shares of steps and of repeats among the moves between notes."""
    moves = [abs(after - before) for before, after in itertools.pairwise(indices)]
    if not moves:
        return 1.0, 0.0
    return moves.count(1) / len(moves), moves.count(0) / len(moves)


def step_ratio(indices: Sequence[int]) -> float:
    return sum(shares(indices))


def excess(indices: Sequence[int], prefer_stepwise: float) -> float:
    """How far the share of steps is outside of what is allowed; less is counted for the share without repeats."""
    if len(indices) < 2:
        return 0.0
    step, repeat = shares(indices)
    moving = step / (1 - repeat) if repeat < 1 else 1.0
    outside = max(0.0, abs(step + repeat - prefer_stepwise) - TOLERANCE - _EDGE)
    return outside + max(0.0, abs(moving - prefer_stepwise) - TOLERANCE - _EDGE) / 10


def is_met(indices: Sequence[int], prefer_stepwise: float) -> bool:
    return len(indices) < 2 or abs(step_ratio(indices) - prefer_stepwise) <= TOLERANCE + _EDGE


def draw_exactly(
    moves: Moves,
    places: Sequence[Sequence[float]],
    into: Sequence[Sequence[float]],
    prefer_stepwise: float,
    rng: random.Random,
    repeats: bool,
) -> list[int] | None:
    """A melody with an allowed number of leaps, or None where there is none."""
    count = len(places)
    least, most = 1 - prefer_stepwise - TOLERANCE - _EDGE, 1 - prefer_stepwise + TOLERANCE + _EDGE
    allowed = sum(1 << leaps for leaps in range(count) if least * (count - 1) <= leaps <= most * (count - 1))
    rest = _rest(moves, places, repeats)
    drawn: list[int] = []
    done = 0
    for note in range(count):
        weights = []
        options = range(len(moves.near)) if note == 0 else range(*moves.near[drawn[-1]])
        for option in options:
            leap = note > 0 and abs(option - drawn[-1]) > 1
            same = note > 0 and option == drawn[-1]
            can = (rest[note][option] << (done + leap)) & allowed
            weight = places[note][option] if can and (repeats or not same) else 0.0
            if weight and note:
                row = moves.first[drawn[-1]] if note == 1 else moves.later[drawn[-1]][drawn[-2]]
                weight *= row[option] * into[note][kind_of(option - drawn[-1])]
            weights.append(weight)
        if not any(weights):
            return None
        here = options[pick(weights, rng)]
        done += note > 0 and abs(here - drawn[-1]) > 1
        drawn.append(here)
    return drawn


def _rest(moves: Moves, places: Sequence[Sequence[float]], repeats: bool) -> list[list[int]]:
    """`[note][pitch]`: a bit for each number of leaps that can still be made from there to the end."""
    width = len(moves.near)
    rest = [[0] * width for _ in places]
    rest[-1] = [int(weight > 0) for weight in places[-1]]
    for note in range(len(places) - 2, -1, -1):
        after = rest[note + 1]
        for here, weight in enumerate(places[note]):
            if weight:
                bits = 0
                for option in range(*moves.near[here]):
                    if option != here or repeats:
                        bits |= after[option] << (abs(option - here) > 1)
                rest[note][here] = bits
    return rest
