"""Weights of moves from pitch to pitch: counts from folk tunes, adjusted to the request.

Pitches are register indices. A factor multiplies a weight: above 1 it makes a move more likely, below 1 less likely.
"""

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from typing import NamedTuple

from consort_compose.composer.melody.engine import step_share
from consort_compose.composer.melody.engine.folk_statistics import (
    NO_MOVE,
    WIDEST_MOVE,
    FolkStatistics,
    Style,
    TuneProfile,
    mode_in_statistics,
    tune_profiles,
)
from consort_compose.composer.melody.engine.pitch_register import PitchRegister
from consort_compose.composer.melody.engine.pitch_sampler import MoveWeights
from consort_compose.composer.melody.engine.request_and_result import (
    MelodyRequest,
    NoteTiming,
    has_beats_of_three,
)
from consort_music.metre import parse_metre

OCTAVE = 12
FIFTH = 7
"""In semitones. A leap of more than a fifth is called wide."""
_FOURTH = 5
_DIATONIC_SIZES = {1: (1, 2), 2: (3, 4), 3: (5,), 4: (7,), 5: (8, 9)}
"""By staff steps: the sizes in semitones of intervals that are neither augmented nor diminished."""
_ALTERED = 0.2
"""Factor for an augmented or diminished interval."""
_SINGABILITY = {6: 0.1, 7: 0.85, 8: 0.5, 9: 0.5, 10: 0.15, 11: 0.03, 12: 0.4}
"""By semitones: factors for tritones, sevenths and other intervals that are hard to sing."""
_STEP_BACK_AFTER_WIDE_LEAP = 1.5
"""Factor for a step or third in the opposite direction after a wide leap."""
_REPEAT_AFTER_WIDE_LEAP = 0.6
_OTHER_MOVE_AFTER_WIDE_LEAP = 0.05
"""Factor for a move in the same direction, or another wide leap, after a wide leap."""
_SECOND_LEAP = 0.2
"""Factor for a leap of a fourth or more after another one in the same direction."""
_SECOND_REPEAT = 0.8
"""Factor for repeating a note twice."""
_SAME_DIRECTION = 1.35
"""Factor for a move in the direction of the previous one. With the other weights alone, lines turn too often."""
_SHAPE_AFTER_MOVE, _SHAPE_FROM_DEGREE, _SHAPE_OF_FIGURE = 6.0, 16.0, 1.6
"""Shapes of the gamma distributions of `MoveHabits`. With smaller shapes, a melody repeats its figures more."""
_FACTORS = 256
"""Number of different factors for one shape."""
_LEAST_HABIT = 0.02
"""The smallest factor of `MoveHabits`."""
_TURN_STRENGTH = 0.6
"""Exponent of the odds of turns of a profile. It is below 1 because the turns of melodies vary by chance, too."""
_TARGET_STRENGTH = 0.55
"""The same for the shares of the kinds of move."""
_FEWEST_PROFILES = 20
"""With fewer profiles in a metre, those of similar metres are used."""
_DENSITY_WIDTH = 0.15
"""In notes per quarter: how unlikely a profile is whose density was not requested."""
_OTHER_MODE = 0.05
"""How unlikely a profile of the other mode is: few songs are in minor."""
_OTHER_START = 0.4
"""How unlikely a profile is that differs from the request in whether it has a pickup."""
_LENGTH_WIDTH = 0.5
"""As a logarithm: how unlikely a profile is of a tune with another number of bars."""
_LEAP_SHARE_WIDTH = 0.08
"""How unlikely a profile is that has another share of leaps than 1 - `prefer_stepwise`."""
_LEAP_SHARE_VARIATION = 0.09
"""How far the target share of leaps may be from 1 - `prefer_stepwise`."""
_MARGIN = 0.01
"""Distance of the target share of leaps from the largest share that the tolerance allows without repeats."""
_LEAST_FACTOR, _LARGEST_FACTOR = 0.01, 30.0
"""Limits of `MoveKindFactors`."""
_UP_AND_DOWN = (0.9, 1.0, 1.0, 1.05, 0.82, 0.95, 1.2)
"""Factors for the seven kinds of move. Tunes leap up and step down, and the other weights alone do this too little."""


class MoveKindShares(NamedTuple):
    """Shares of the moves of a melody: wide leaps (a fourth or more), thirds, repeats and steps."""

    wide: float
    third: float
    repeat: float

    @property
    def of_kinds(self) -> tuple[float, ...]:
        """The shares of wide leaps, thirds, repeats and steps."""
        return (*self, 1 - self.wide - self.third - self.repeat)


_FOLK_SHARES: Mapping[Style, MoveKindShares] = {
    "song": MoveKindShares(wide=0.18, third=0.21, repeat=0.22),
    "dance": MoveKindShares(wide=0.17, third=0.25, repeat=0.10),
}
"""About the shares that melodies have if all factors of `MoveKindFactors` are 1."""


class MoveKindFactors(NamedTuple):
    """Factors for kinds of move. `generate` corrects them until a melody has the target shares."""

    wide: float = 1.0
    third: float = 1.0
    repeat: float = 1.0
    step: float = 1.0

    @property
    def by_kind(self) -> tuple[float, ...]:
        """The factors in the order of `pitch_sampler.kind_of`."""
        shares = (self.wide, self.third, self.step, self.repeat, self.step, self.third, self.wide)
        return tuple(share * factor for share, factor in zip(shares, _UP_AND_DOWN, strict=True))


def choose_profile(request: MelodyRequest, rng: random.Random) -> TuneProfile:
    """Draw a folk tune's profile that suits the metre, mode, length, pickup, density and share of steps."""
    profiles = tune_profiles()
    of_metre = profiles.get(request.metre.name, [])
    if len(of_metre) < _FEWEST_PROFILES:
        in_threes = has_beats_of_three(request.metre)
        of_metre = [
            profile
            for name, found in profiles.items()
            if has_beats_of_three(parse_metre(name)) == in_threes
            for profile in found
        ]
    least, most = (count / float(request.metre.bar) for count in request.notes_per_bar())
    weights = [
        math.exp(-((max(0.0, least - profile.density, profile.density - most) / _DENSITY_WIDTH) ** 2))
        * (1.0 if profile.is_minor == request.key.is_minor else _OTHER_MODE)
        * (1.0 if profile.has_pickup == (request.pickup > 0) else _OTHER_START)
        * math.exp(-((math.log(profile.measures / request.measures) / _LENGTH_WIDTH) ** 2))
        for profile in of_metre
    ]
    if request.prefer_stepwise is not None:
        wished = 1 - request.prefer_stepwise
        weights = [
            weight * math.exp(-(((profile.wide + profile.third - wished) / _LEAP_SHARE_WIDTH) ** 2))
            for weight, profile in zip(weights, of_metre, strict=True)
        ]
    return rng.choices(of_metre, [weight + 1e-9 for weight in weights])[0]


def choose_target_shares(profile: TuneProfile, prefer_stepwise: float | None) -> MoveKindShares:
    """Return the shares that a melody aims at: those of a profile, adjusted to the wished share of steps."""
    if prefer_stepwise is None:
        return MoveKindShares(profile.wide, profile.third, profile.repeat)
    few, many = 1 - prefer_stepwise - _LEAP_SHARE_VARIATION, 1 - prefer_stepwise + _LEAP_SHARE_VARIATION
    repeat = min(profile.repeat, 0.98 - max(0.0, few))
    # the share of steps must also be within the tolerance if repeats are not counted
    many = min(many, (1 - prefer_stepwise + step_share.TOLERANCE) * (1 - repeat) - _MARGIN)
    leap = min(0.97, max(0.01, min(few, many), min(many, profile.wide + profile.third)))
    wide = leap * (profile.wide + 0.01) / (profile.wide + profile.third + 0.02)
    return MoveKindShares(wide, leap - wide, min(repeat, 0.98 - leap))


def safer_target_shares(target: MoveKindShares, prefer_stepwise: float | None) -> MoveKindShares:
    """Return target shares that are more likely to give a melody within the tolerance of `prefer_stepwise`."""
    if prefer_stepwise is None:
        return target
    leap = target.wide + target.third
    factor = (leap + 1 - prefer_stepwise) / 2 / max(leap, 0.01)
    return MoveKindShares(target.wide * factor, target.third * factor, target.repeat / 2)


def first_factors(style: Style, target: MoveKindShares, prefer_stepwise: float | None) -> MoveKindFactors:
    """Return the factors for a first attempt to reach the target shares.

    Without a wish for steps they are weaker, because the shares of melodies vary by chance, too.
    """
    strength = _TARGET_STRENGTH if prefer_stepwise is None else 1.0
    return correct_factors(MoveKindFactors(), target, _FOLK_SHARES[style], strength)


def correct_factors(
    factors: MoveKindFactors, target: MoveKindShares, found: MoveKindShares, strength: float = 1.0
) -> MoveKindFactors:
    """Return factors that are larger for kinds of move that are too rare, and smaller for the others."""
    corrected = (
        factor * ((aim + 0.01) / (share + 0.01)) ** strength
        for factor, aim, share in zip(factors, target.of_kinds, found.of_kinds, strict=True)
    )
    return MoveKindFactors(*(max(_LEAST_FACTOR, min(_LARGEST_FACTOR, factor)) for factor in corrected))


@dataclass(frozen=True)
class MoveHabits:
    """Random factors that make some moves typical of one melody. They repeat its figures and make it unlike others.

    Each tune has its own Markov chain, whose rows vary around those of all tunes like samples of a Dirichlet
    distribution.
    """

    same_direction: float
    """Factor for moves that do not turn."""
    after_move: list[list[float]]
    """`[previous move][move]`"""
    from_degree: list[list[float]]
    """`[degree][move]`"""
    figures: list[list[list[float]]]
    """`[degree][previous move][move]`"""


def choose_habits(profile: TuneProfile, rng: random.Random) -> MoveHabits:
    width = 2 * WIDEST_MOVE + 1
    turn = min(0.9, max(0.1, profile.turn))

    def factors(rows: int, shape: float) -> list[list[float]]:
        drawn = rng.choices(_gamma_factors(shape), k=rows * width)
        return [drawn[start : start + width] for start in range(0, rows * width, width)]

    after_move = factors(width + 1, _SHAPE_AFTER_MOVE)
    after_move[WIDEST_MOVE][WIDEST_MOVE] = 1.0  # not a habit: long rows of one note are dull
    figures = [factors(width + 1, _SHAPE_OF_FIGURE) for _ in range(7)]
    for rows in figures:
        for row in rows:
            row[WIDEST_MOVE] = 1.0
    return MoveHabits(
        _SAME_DIRECTION * ((1 - turn) / turn) ** _TURN_STRENGTH,
        after_move,
        factors(7, _SHAPE_FROM_DEGREE),
        figures,
    )


@cache
def _gamma_factors(shape: float) -> list[float]:
    """Return a sample of a gamma distribution with a mean of 1. Drawing from it is faster than new random numbers."""
    rng = random.Random("habits")
    return [rng.gammavariate(shape, 1 / shape) + _LEAST_HABIT for _ in range(_FACTORS)]


def make_moves(
    request: MelodyRequest,
    statistics: FolkStatistics,
    register: PitchRegister,
    habits: MoveHabits,
    widest: int = OCTAVE,
) -> MoveWeights:
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
    learned = statistics.moves[mode_in_statistics(request.key)]
    shifts = [[_shift(staff_steps, here, after) for after in range(count)] for here in range(count)]
    never = [0.0] * count
    first, later = [], []
    for here, (low, high) in enumerate(near):
        rows = learned[staff_steps[here] % 7]
        degree_habits, figures = habits.from_degree[staff_steps[here] % 7], habits.figures[staff_steps[here] % 7]
        after = [
            (
                index,
                shifts[here][index],
                _singability(staff_steps[index] - staff_steps[here], pitches[index] - pitches[here])
                * degree_habits[shifts[here][index]],
            )
            for index in range(low, high)
        ]
        first.append(_padded(low, [rows[NO_MOVE][shift] * singable for _, shift, singable in after], count))
        reached = [never] * count
        for before in range(low, high):
            last, last_move = shifts[before][here], pitches[here] - pitches[before]
            habit = list(map(mul, habits.after_move[last], figures[last]))
            row = [
                rows[last][shift]
                * habit[shift]
                * singable
                * (habits.same_direction if (last - WIDEST_MOVE) * (shift - WIDEST_MOVE) > 0 else 1)
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


def make_kind_weights(
    statistics: FolkStatistics, timings: Sequence[NoteTiming], factors: MoveKindFactors
) -> list[list[float]]:
    """Return, for each note, the weights of the seven kinds of move to it. The first row is not used."""
    learned = statistics.kinds
    kind_factors = factors.by_kind
    kind_weights = [list(kind_factors)]
    for before, timing in itertools.pairwise(timings):
        longer = (timing.duration > before.duration) - (timing.duration < before.duration) + 1
        row = learned[3 * timing.strength + longer]
        kind_weights.append([factor * share / 100 for factor, share in zip(kind_factors, row, strict=True)])
    for note, row in zip(range(len(timings) - 2, len(timings)), statistics.endings, strict=True):
        if note > 0:
            kind_weights[note] = [weight * share / 100 for weight, share in zip(kind_weights[note], row, strict=True)]
    return kind_weights
