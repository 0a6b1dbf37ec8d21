"""Put the moments of a performance on a grid, beat by beat.

Each beat is divided in one of four ways: by two (up to 16 parts in slow beats), by three (up to 12), by five or by
seven. In a beat, moments are assigned to the points of its grid in order (dynamic programming); the cost is the
distance in time, how unusual a point is, and that of two moments on one point. In a free performance players hurry or
slow down within a beat: its first half may be shorter or longer than its second at a cost, with all its moments moved
alike. A Viterbi search over the beats then chooses the division of each, which seldom changes from beat to beat.

All costs are negative log probabilities. Times in beats: 3.5 is halfway through the fourth beat.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

DIVISIONS = (2, 3, 5, 7)
_DIVISION_COSTS = {2: 0.0, 3: 0.5, 5: 6.5, 7: 6.5}
"""The cost of each beat that is divided in this way, if notes start within it."""
_CHANGE_COST = 1.6
_SPREAD_BEATS = 0.035
_SPREAD_S = 0.018
"""The deviation of an onset from its place: in beats, and in seconds."""
_LARGEST_COST = 10.5
_BENDS = (0.2, -0.2, 0.4, -0.4)
"""How far a beat may be bent: a place p becomes p + bend * p * (1 - p)."""
_BEND_COST = 5.0
"""The cost of a bend of 1."""
_SAME_POINT_COST = 3.4
_CHORD_S = 0.075
"""Two moments further apart than this were not meant to be one."""
_FASTEST_S = 0.036
"""No two points of a grid are nearer than this."""
_LARGEST_MARGIN = 9.0
_POINT_COSTS = {
    2: {1: 0.9, 2: 0.9, 4: 1.9, 8: 4.0, 16: 5.2},
    3: {1: 0.9, 3: 1.4, 2: 1.6, 6: 2.4, 12: 5.0, 4: 5.0},
    5: {1: 0.9, 5: 1.6},
    7: {1: 0.9, 7: 1.9},
}
"""The cost of a point by the division of the beat and by its own denominator."""


class GridReading(NamedTuple):
    """Where each moment stands, in beats, and how each beat is divided.

    `margins` has, for each beat, how much worse the best division is that puts a moment elsewhere (in nats, at most 9),
    and which it is.
    """

    places: list[Fraction]
    divisions: list[int]
    margins: list[tuple[float, int]]


def place_on_grid(
    positions: Sequence[float], periods: Sequence[float], finest: int | None = None, is_free: bool = False
) -> GridReading:
    """Place moments, given by their positions in beats (sorted), on the grid.

    `periods` has the length of each beat in seconds; moments before the first and after the last beat are in those.
    `finest` limits the parts of a beat. `is_free` tells that the tempo may change within a beat.
    """
    beats: list[list[int]] = [[] for _ in periods]
    for index, position in enumerate(positions):
        beats[min(max(math.floor(position), 0), len(periods) - 1)].append(index)
    options = [
        {
            division: _assign(
                [positions[index] - beat for index in inside], periods[beat], division, finest or 16, is_free
            )
            for division in (DIVISIONS if inside else DIVISIONS[:1])
        }
        for beat, inside in enumerate(beats)
    ]
    chosen = _choose([{division: cost for division, (cost, _) in each.items()} for each in options])
    places: list[Fraction] = [Fraction(0)] * len(positions)
    for beat, (inside, division) in enumerate(zip(beats, chosen, strict=True)):
        for index, point in zip(inside, options[beat][division][1], strict=True):
            places[index] = beat + point
    return GridReading(
        places, chosen, [_margin(each, division) for each, division in zip(options, chosen, strict=True)]
    )


def exact_grid(starts: Sequence[Fraction], beats: Sequence[Fraction]) -> GridReading:
    """Return the reading of moments whose score time is known. Both are in quarters and sorted."""
    places = []
    divisions = [2] * (len(beats) - 1)
    for start in starts:
        beat = min(max(bisect_right(beats, start) - 1, 0), len(beats) - 2)
        place = beat + (start - beats[beat]) / (beats[beat + 1] - beats[beat])
        places.append(place)
        for division in DIVISIONS[1:]:
            if place.denominator % division == 0:
                divisions[beat] = division
    return GridReading(places, divisions, [(_LARGEST_MARGIN, division) for division in divisions])


@cache
def _points(division: int, period_step: int, finest: int) -> tuple[list[tuple[Fraction, float, float]], float]:
    """Return the points of a grid from 0 to 1 (place, as float, cost), and the deviation of onsets in beats."""
    period = 2 ** (period_step / 4)
    costs = _POINT_COSTS[division]
    usable = [part for part in costs if part == division or period / part >= _FASTEST_S]
    parts = max((part for part in usable if part <= finest), default=1)
    if division == 3 and parts == 4:
        parts = 3
    found = {}
    for number in range(parts + 1):
        point = Fraction(number, parts)
        cost = costs.get(point.denominator)
        if cost is not None:
            found[point] = cost
    return [(point, float(point), cost) for point, cost in sorted(found.items())], math.hypot(
        _SPREAD_BEATS, _SPREAD_S / period
    )


def _assign(
    inside: list[float], period: float, division: int, finest: int, is_free: bool
) -> tuple[float, list[Fraction]]:
    """Return the cost of a division for the moments in a beat, and their points on it."""
    if not inside:
        return 0.0, []
    points, spread = _points(division, round(4 * math.log2(max(period, 0.05))), finest)
    together = _CHORD_S / max(period, 0.05)
    best, found = _assign_to_points(inside, points, spread, together)
    if is_free and len(inside) > 1:
        least = len(inside) * min(cost for _, _, cost in points)
        for bend in _BENDS:
            if best <= least + _BEND_COST * abs(bend):
                break
            bent = [place + bend * place * (1 - place) if 0 < place < 1 else place for place in inside]
            cost, bent_points = _assign_to_points(bent, points, spread, together)
            if cost + _BEND_COST * abs(bend) < best:
                best, found = cost + _BEND_COST * abs(bend), bent_points
    return best + _DIVISION_COSTS[division], found


def _assign_to_points(
    inside: list[float], points: list[tuple[Fraction, float, float]], spread: float, together: float
) -> tuple[float, list[Fraction]]:
    """Return the least cost of moments on these points, and the point of each."""
    count = len(points)
    previous = [0.0] * count
    origins: list[list[int]] = []
    before = -1.0
    for number, position in enumerate(inside):
        same = 0.0 if number and position - before < together else _SAME_POINT_COST
        current, origin = [0.0] * count, [0] * count
        least, least_at = math.inf, 0
        for place in range(count):
            _, point, cost = points[place]
            if number:
                came, at = least, least_at
                if previous[place] + same <= came:
                    came, at = previous[place] + same, place
                if previous[place] < least:
                    least, least_at = previous[place], place
                origin[place] = at
            else:
                came = 0.0
            away = (position - point) / spread
            current[place] = came + cost + min(away * away / 2, _LARGEST_COST)
        previous, before = current, position
        origins.append(origin)
    at = min(range(count), key=previous.__getitem__)
    total = previous[at]
    found = []
    for origin in reversed(origins):
        found.append(points[at][0])
        at = origin[at]
    found.reverse()
    return total, found


def _choose(costs: Sequence[dict[int, float]]) -> list[int]:
    """Return the best division of each beat (Viterbi)."""
    origins: list[dict[int, int]] = []
    state = dict.fromkeys(DIVISIONS, 0.0)
    for own in costs:
        least = min(state, key=state.__getitem__)
        fresh, origin = {}, {}
        for division in DIVISIONS:
            stay, change = state[division], state[least] + _CHANGE_COST
            origin[division] = division if stay <= change else least
            fresh[division] = min(stay, change) + own.get(division, 0.0 if len(own) == 1 else math.inf)
        state = fresh
        origins.append(origin)
    chosen = []
    at = min(state, key=state.__getitem__)
    for origin in reversed(origins):
        chosen.append(at)
        at = origin[at]
    chosen.reverse()
    return [division if len(own) > 1 else 2 for own, division in zip(costs, chosen, strict=True)]


def _margin(options: dict[int, tuple[float, list[Fraction]]], chosen: int) -> tuple[float, int]:
    """Return how much worse the best division is that puts a moment elsewhere, and which it is."""
    best, points = options[chosen]
    others = [(cost - best, other) for other, (cost, placed) in options.items() if placed != points]
    worse, other = min(others, default=(_LARGEST_MARGIN, chosen))
    return min(max(worse, 0.0), _LARGEST_MARGIN), other
