"""Put the moments of a performance on a grid, beat by beat.

Each beat is divided in one of four ways: by two (up to 16 parts in slow beats), by three (up to 12), by five or by
seven. In a beat, moments are assigned to the points of its grid in order (dynamic programming); the cost is the
distance in time, how unusual a point is, and that of two moments on one point. How unusual all points of a beat are
together (`beat_patterns`) decides between divisions. In a free performance players hurry or slow down within a beat:
its first half may be shorter or longer than its second at a cost, with all its moments moved alike. A Viterbi search
over the beats then chooses the division of each, which seldom changes from beat to beat. Then the piece is read again:
what it uses often has become more probable.

All costs are negative log probabilities. Times in beats: 3.5 is halfway through the fourth beat.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from consort_music.notation.performance_to_score.notes.beat_patterns import PATTERNS

DIVISIONS = (2, 3, 5, 7)
_DIVISION_COSTS = {2: 0.0, 3: 0.5, 5: 6.5, 7: 6.5}
"""The cost of each beat that is divided in this way, if notes start within it."""
_CHANGE_COST = 1.6
_SPREAD_BEATS = 0.035
_SPREAD_S = 0.018
"""The deviation of an onset from its place: in beats, and in seconds."""
_LARGEST_COST = 6.0
_BENDS = (0.0, 0.2, -0.2, 0.4, -0.4)
"""How far a beat may be bent, beyond what the tempo before and after it suggests: a place p becomes
p + bend * p * (1 - p)."""
_BEND_COST = 5.0
"""The cost of a bend of 1."""
_EXPECTED_BEND, _LARGEST_BEND = 0.35, 0.2
_LEAST_TO_ADAPT = 10
"""If at least this many beats have notes off their halves, the piece is read again with costs that fit what it uses."""
_DIVISION_TRUST, _DIVISION_SHARE, _POINT_TRUST = 6.0, 1.2, 35.0
"""The usual costs of divisions and points count as much as this many beats and moments of the piece. `_DIVISION_SHARE`
is the weight of the adapted cost of a division."""
_POINTS_OF = {1: 2, 2: 1, 3: 2, 4: 2, 5: 4, 6: 2, 7: 6, 8: 4, 12: 4, 16: 8}
"""The number of points by denominator."""
_PATTERN_WEIGHT, _LEAST_SHARE = 0.5, 0.02
"""The weight of how usual the points of a beat are together, and the share of patterns that are not in the table."""
_PATTERN_TRUST = 20.0
"""The usual patterns count as much as this many beats of the piece."""
_SAME_POINT_COST = 2.0
_CHORD_S = 0.075
"""Two moments further apart than this were not meant to be one."""
_FASTEST_S = 0.03
"""No two points of a grid are nearer than this."""
_LARGEST_MARGIN = 9.0
_POINT_COSTS = {
    2: {1: 0.9, 2: 0.9, 4: 1.9, 8: 4.0, 16: 5.2},
    3: {1: 0.9, 3: 1.4, 2: 1.6, 6: 2.4, 12: 5.0, 4: 5.0},
    5: {1: 0.9, 5: 1.6},
    7: {1: 0.9, 7: 1.9},
}
"""The cost of a point by the division of the beat and by its own denominator."""


_START, _END = Fraction(0), Fraction(1)
BeatPoints = frozenset[Fraction]
"""The points of a beat that have notes."""


class GridUsage(NamedTuple):
    """How many beats use each division, and how many moments each denominator of its points."""

    divisions: dict[int, float]
    points: dict[int, dict[int, float]]
    patterns: Counter[BeatPoints]
    """How many beats have each pattern."""
    sizes: Counter[int]
    """How many beats have patterns of so many points."""


class _PlayedBeat(NamedTuple):
    inside: list[float]
    """The places of its moments, from 0 to 1."""
    period: float
    """Its length in seconds."""
    bend: float | None
    """How far the tempo around it suggests that it is bent; None if it may not be."""


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
    bends = _expected_bends(periods) if is_free else None
    usage: GridUsage | None = None
    for is_adapted in (False, True):
        options = [
            _options(
                _PlayedBeat(
                    [positions[index] - beat for index in inside], periods[beat], bends[beat] if bends else None
                ),
                finest or 16,
                usage,
            )
            for beat, inside in enumerate(beats)
        ]
        chosen = _choose([{division: cost for division, (cost, _) in each.items()} for each in options])
        if not is_adapted:
            usage = _usage(options, chosen, beats)
            if sum(usage.divisions.values()) < _LEAST_TO_ADAPT:
                break
    places: list[Fraction] = [Fraction(0)] * len(positions)
    for beat, (inside, division) in enumerate(zip(beats, chosen, strict=True)):
        for index, point in zip(inside, options[beat][division][1], strict=True):
            places[index] = beat + point
    return GridReading(
        places, chosen, [_margin(each, division) for each, division in zip(options, chosen, strict=True)]
    )


def _expected_bends(periods: Sequence[float]) -> list[float]:
    """Return how far each beat is bent if the tempo changes evenly from the beat before to the one after."""
    found = []
    for beat, period in enumerate(periods):
        before, after = periods[max(beat - 1, 0)], periods[min(beat + 1, len(periods) - 1)]
        found.append(min(max(_EXPECTED_BEND * (after - before) / period, -_LARGEST_BEND), _LARGEST_BEND))
    return found


def _usage(
    options: Sequence[dict[int, tuple[float, list[Fraction]]]], chosen: Sequence[int], beats: Sequence[Sequence[int]]
) -> GridUsage:
    """Count which divisions, points and patterns a reading uses. A beat with notes only at its start or half
    tells nothing about divisions."""
    divisions: dict[int, float] = {}
    points: dict[int, dict[int, float]] = {division: {} for division in DIVISIONS}
    patterns: Counter[BeatPoints] = Counter()
    for each, division, inside in zip(options, chosen, beats, strict=True):
        if not inside:
            continue
        own = points[division]
        placed = each[division][1]
        patterns[frozenset(placed)] += 1
        for point in placed:
            own[point.denominator] = own.get(point.denominator, 0.0) + 1
        if any(point.denominator > 2 for point in placed):
            divisions[division] = divisions.get(division, 0.0) + 1
    sizes: Counter[int] = Counter()
    for pattern, count in patterns.items():
        sizes[len(pattern)] += count
    return GridUsage(divisions, points, patterns, sizes)


def _adapted(division: int, usage: GridUsage | None) -> tuple[float, dict[int, float]]:
    """Return the costs of a division and of its points by denominator: those in use in this piece are cheaper."""
    cost, costs = _DIVISION_COSTS[division], _POINT_COSTS[division]
    if usage is None:
        return cost, costs
    prior = {each: math.exp(-own) for each, own in _DIVISION_COSTS.items()}
    scale = _DIVISION_TRUST / sum(prior.values())
    total = sum(usage.divisions.values()) + _DIVISION_TRUST
    cost = _DIVISION_SHARE * -math.log((usage.divisions.get(division, 0.0) + scale * prior[division]) / total)
    own = usage.points[division]
    count = sum(own.values())
    adapted = {}
    for part, usual in costs.items():
        share = own.get(part, 0.0) / _POINTS_OF[part]
        adapted[part] = -math.log((share + _POINT_TRUST * math.exp(-usual)) / (count + _POINT_TRUST))
    return cost, adapted


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


def _options(played: _PlayedBeat, finest: int, usage: GridUsage | None) -> dict[int, tuple[float, list[Fraction]]]:
    """Return the cost of each division for the moments in a beat, and their points on it."""
    if not played.inside:
        return {DIVISIONS[0]: (0.0, [])}
    found = {}
    for division in DIVISIONS:
        cost, costs = _adapted(division, usage)
        points, spread = _points(division, round(4 * math.log2(max(played.period, 0.05))), finest, tuple(costs.items()))
        total, placed = _assign(played, points, spread, usage)
        found[division] = total + cost, placed
    return found


@lru_cache(maxsize=4096)
def _points(
    division: int, period_step: int, finest: int, costs: tuple[tuple[int, float], ...]
) -> tuple[list[tuple[Fraction, float, float]], float]:
    """Return the points of a grid from 0 to 1 (place, as float, cost), and the deviation of onsets in beats."""
    period = 2 ** (period_step / 4)
    known = dict(costs)
    usable = [part for part in known if part == division or period / part >= _FASTEST_S]
    parts = max((part for part in usable if part <= finest), default=1)
    if division == 3 and parts == 4:
        parts = 3
    found = {}
    for number in range(parts + 1):
        point = Fraction(number, parts)
        cost = known.get(point.denominator)
        if cost is not None:
            found[point] = cost
    return [(point, float(point), cost) for point, cost in sorted(found.items())], math.hypot(
        _SPREAD_BEATS, _SPREAD_S / period
    )


def _assign(
    played: _PlayedBeat, points: list[tuple[Fraction, float, float]], spread: float, usage: GridUsage | None
) -> tuple[float, list[Fraction]]:
    """Return the least cost of the moments in a beat on these points, and the point of each."""
    together = _CHORD_S / max(played.period, 0.05)
    if played.bend is None:
        cost, placed = _assign_to_points(played.inside, points, spread, together)
        return cost + _pattern_cost(frozenset(placed), usage), placed
    least = len(played.inside) * min(cost for _, _, cost in points)
    best, found = math.inf, []
    for change in _BENDS:
        extra = _BEND_COST * abs(change)
        if best <= least + extra:
            break
        bend = played.bend + change
        bent = [place + bend * place * (1 - place) if 0 < place < 1 else place for place in played.inside]
        cost, placed = _assign_to_points(bent, points, spread, together)
        cost += extra + _pattern_cost(frozenset(placed), usage)
        if cost < best:
            best, found = cost, placed
    return best, found


def _pattern_cost(points: BeatPoints, usage: GridUsage | None) -> float:
    """Return the cost of these points among all patterns with the same number of points."""
    share = _usual_share(points)
    if usage is not None:
        own, count = usage.patterns[points], usage.sizes[len(points)]
        share = (max(own - 1, 0) + _PATTERN_TRUST * share) / (max(count - 1, 0) + _PATTERN_TRUST)
    return _PATTERN_WEIGHT * -math.log(share)


@lru_cache(maxsize=4096)
def _usual_share(points: BeatPoints) -> float:
    inside = points - {_END}
    if not inside:
        return 1.0
    return max(_SHARES.get(inside, 0.0), _SHARES.get(inside | {_START}, 0.0), _LEAST_SHARE)


def _shares() -> dict[BeatPoints, float]:
    """Return the share of each usual pattern among those with the same number of points."""
    patterns = {frozenset(map(Fraction, text.split())): share for text, share in PATTERNS.items()}
    totals: dict[int, float] = {}
    for pattern, share in patterns.items():
        totals[len(pattern)] = totals.get(len(pattern), 0.0) + share
    return {pattern: share / totals[len(pattern)] for pattern, share in patterns.items()}


_SHARES = _shares()


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
