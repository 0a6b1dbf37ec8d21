"""Generate a melody, in the steps that the package docstring describes."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from consort_compose.composer.melody.engine import motif_repetition, rhythm, step_share
from consort_compose.composer.melody.engine.conflict_check import FEWEST_PITCHES, count_moves_needed
from consort_compose.composer.melody.engine.contour import GOOD_FIT, contour_fit, relative_times
from consort_compose.composer.melody.engine.folk_likeness import (
    NotePlaces,
    note_places,
    pitch_likeness,
    rhythm_likeness,
)
from consort_compose.composer.melody.engine.folk_statistics import FolkStatistics, TuneProfile, folk_statistics
from consort_compose.composer.melody.engine.move_weights import (
    FIFTH,
    OCTAVE,
    MoveHabits,
    MoveKindFactors,
    MoveKindShares,
    choose_habits,
    choose_profile,
    choose_target_shares,
    correct_factors,
    first_factors,
    make_kind_weights,
    make_moves,
    safer_target_shares,
)
from consort_compose.composer.melody.engine.musical_form import FormBar, choose_form, choose_riff_form
from consort_compose.composer.melody.engine.pitch_register import PitchRegister, choose_register, whole_register
from consort_compose.composer.melody.engine.pitch_sampler import MoveWeights, NoMelody, PitchSampler
from consort_compose.composer.melody.engine.pitch_weights import make_pitch_weights
from consort_compose.composer.melody.engine.relaxed_wishes import find_relaxed_wishes
from consort_compose.composer.melody.engine.request_and_result import (
    Melody,
    MelodyConflict,
    MelodyRequest,
    NoteTiming,
)
from consort_music.errors import MusicError

_FEWEST_ROUNDS = 5
"""Plans that are tried, one each round, before a wish is relaxed. `attempts` may limit it further."""
_PLANNED_MEASURES = 60
"""Short melodies get more rounds, because they miss a contour more easily: as many as give this number of measures in
total."""
_DRAWS = 9
"""Melodies drawn from one plan with the repetitions of its form."""
_FIRST_DRAWS = 5
"""Melodies drawn before that, without repetitions."""
_RHYTHM_DRAWS = 2
"""Forms and rhythms drawn for one plan."""
_CONTOUR_STRENGTHS = (1.0, 1.5, 2.5, 4.0, 8.0)
"""How closely a contour is followed in successive rounds. After the last one, new target shares are drawn and the
strengths begin again."""
_ANY_LEAP = 127
"""In semitones: wider than any range."""


@dataclass(frozen=True)
class _Plan:
    """Everything that is decided before the pitches are drawn."""

    statistics: FolkStatistics
    form: Sequence[FormBar]
    timings: Sequence[NoteTiming]
    times: Sequence[float]
    """The onset of each note as a share of the melody's length, 0 to 1."""
    register: PitchRegister
    habits: MoveHabits
    moves: MoveWeights
    pitch_weights: list[list[float]]
    kind_weights: list[list[float]]
    places: NotePlaces


@dataclass(frozen=True)
class _Draft:
    """A drawn melody."""

    plan: _Plan
    indices: list[int]
    """The pitch of each note, as an index into `plan.register.pitches`."""
    distance: float
    """How far the melody is from the wishes for steps and contour; 0 if both are met."""

    @property
    def pitches(self) -> list[int]:
        return [self.plan.register.pitches[index] for index in self.indices]


def generate(
    request: MelodyRequest, seed: int, attempts: int = 100, is_out_of_time: Callable[[], bool] = lambda: False
) -> Melody:
    """Generate a melody. The same request and seed give the same melody.

    Raise MelodyConflict if the hard constraints exclude each other, and GENERATION_FAILED if `is_out_of_time` returns
    True before the first draft.
    """
    try:
        moves_needed = count_moves_needed(request, rhythm.most_notes_per_bar(request.metre))
    except MelodyConflict as conflict:
        conflict.best = _melody_without_conflict(request, seed)
        raise
    rng = random.Random(seed)
    profile = choose_profile(request, rng)
    target = choose_target_shares(profile, request.prefer_stepwise)
    factors = first_factors(profile.style, target, request.prefer_stepwise)
    best: _Draft | None = None
    rounds = max(_FEWEST_ROUNDS, _PLANNED_MEASURES // request.measures)
    for number in range(min(rounds, max(1, attempts))):
        if is_out_of_time():
            break
        if number and number % len(_CONTOUR_STRENGTHS) == 0:
            profile = choose_profile(request, rng)
            target = choose_target_shares(profile, request.prefer_stepwise)
            factors = first_factors(profile.style, target, request.prefer_stepwise)
        strength = _CONTOUR_STRENGTHS[number % len(_CONTOUR_STRENGTHS)]
        plan = _make_plan(request, moves_needed, profile, factors, strength, rng)
        draft = _draw_with_repetition(request, plan, rng)
        if best is None or draft.distance < best.distance:
            best = draft
        if best.distance == 0:
            break
        target = safer_target_shares(target, request.prefer_stepwise)
        factors = correct_factors(factors, target, _found_shares(draft))
    if best is None:
        raise MusicError(
            "GENERATION_FAILED",
            f"No melody of {request.measures} measures was found in time. Ask for fewer measures, or try again later.",
            field="length_measures",
        )
    return _make_melody(request, _meet_step_share(request, best, rng))


def _make_plan(
    request: MelodyRequest,
    moves_needed: int,
    profile: TuneProfile,
    factors: MoveKindFactors,
    contour_strength: float,
    rng: random.Random,
) -> _Plan:
    statistics = folk_statistics(profile.style)
    form, bars = _choose_form_and_rhythm(request, profile, rng)
    if sum(map(len, bars)) < moves_needed + 1:
        bars = rhythm.make_even_bars(request, moves_needed + 1, rng)
        form = [FormBar("new", index) for index in range(request.measures)]
    timings = rhythm.make_timings(request, bars)
    times = relative_times(timings)
    register = choose_register(request, profile, rng)
    is_new = [timing.measure == 0 or form[timing.measure - 1].relation in ("new", "rhythm") for timing in timings]
    pitch_weights = make_pitch_weights(request, statistics, register, timings, times, is_new, contour_strength, rng)
    kind_weights = make_kind_weights(statistics, timings, factors)
    habits = choose_habits(profile, rng)
    moves = make_moves(request, statistics, register, habits)
    places = note_places(request.metre, timings)
    return _Plan(statistics, form, timings, times, register, habits, moves, pitch_weights, kind_weights, places)


def _choose_form_and_rhythm(
    request: MelodyRequest, profile: TuneProfile, rng: random.Random
) -> tuple[list[FormBar], list[rhythm.Lengths]]:
    """Draw some forms and rhythms, and return those that are most like a folk tune."""
    drafts = []
    for _ in range(_RHYTHM_DRAWS):
        if request.key.mode.endswith("blues"):
            form = choose_riff_form(request.measures, rng)
        else:
            form = choose_form(request.measures, profile, rng)
        drafts.append((form, rhythm.choose_rhythm(request, form, profile, rng)))
    return max(drafts, key=lambda draft: rhythm_likeness(profile.style, request.metre, draft[1]))


def _draw_with_repetition(request: MelodyRequest, plan: _Plan, rng: random.Random) -> _Draft:
    """Draw a melody from a plan, then draw it again with the repetitions of the plan's form.

    Return the first one if the repetitions are impossible or add strained leaps.
    """
    try:
        sampler = PitchSampler(plan.moves, plan.pitch_weights, plan.kind_weights)
    except NoMelody:
        plan, sampler = _widen(request, plan, rng)
    repeats = any(bar.relation != "new" for bar in plan.form)
    plain = _draw_best(request, plan, sampler, _FIRST_DRAWS if repeats else _DRAWS, rng)
    if not repeats:
        return plain
    repetitions = motif_repetition.choose_repetitions(
        request,
        plan.statistics,
        plan.form,
        plan.timings,
        plan.times,
        plain.indices,
        plan.moves,
        plan.pitch_weights,
        rng,
    )
    fixed = motif_repetition.merge_repetitions(
        plan.form, plan.timings, plain.indices, repetitions, plan.moves, plan.register.pitches
    )
    favoured = motif_repetition.favour_repeated_pitches(plan.form, plan.timings, plain.indices, plan.pitch_weights)
    pitch_weights = [_only_pitch(fixed[index], row) if index in fixed else row for index, row in enumerate(favoured)]
    kind_weights = motif_repetition.favour_repeated_moves(plan.form, plan.timings, plain.indices, plan.kind_weights)
    try:
        varied = _draw_best(request, plan, PitchSampler(plan.moves, pitch_weights, kind_weights), _DRAWS, rng)
    except NoMelody:
        return plain
    return plain if _count_strained_leaps(varied) > _count_strained_leaps(plain) else varied


def _only_pitch(pitch: int, row: Sequence[float]) -> list[float]:
    return [float(index == pitch and weight > 0) for index, weight in enumerate(row)]


def _widen(request: MelodyRequest, plan: _Plan, rng: random.Random) -> tuple[_Plan, PitchSampler]:
    """Return a plan with more pitches or wider moves, and its sampler.

    It is needed if the plan's register and moves cannot connect the first note with the last.
    """
    for wider in _wider_plans(request, plan, rng):
        try:
            return wider, PitchSampler(wider.moves, wider.pitch_weights, wider.kind_weights)
        except NoMelody:
            continue
    raise AssertionError("a melody that was proven possible was not found")


def _wider_plans(request: MelodyRequest, plan: _Plan, rng: random.Random) -> Iterator[_Plan]:
    """Yield the plan with the whole range, then the same with every leap that the request allows."""
    register = whole_register(request)
    is_new = [True] * len(plan.timings)
    pitch_weights = make_pitch_weights(request, plan.statistics, register, plan.timings, plan.times, is_new, 0.0, rng)
    for widest in (OCTAVE, _ANY_LEAP):
        moves = make_moves(request, plan.statistics, register, plan.habits, widest)
        yield replace(plan, register=register, moves=moves, pitch_weights=pitch_weights)


def _draw_best(request: MelodyRequest, plan: _Plan, sampler: PitchSampler, draws: int, rng: random.Random) -> _Draft:
    """Draw `draws` melodies, and return the best one by `_rank`; of equals, the one that is most like a folk tune."""
    drafts = []
    for _ in range(draws):
        indices = sampler.draw(rng)
        drafts.append(_Draft(plan, indices, _distance_from_wishes(request, plan, indices)))
    ranks = [_rank(draft) for draft in drafts]
    best = [draft for draft, rank in zip(drafts, ranks, strict=True) if rank == min(ranks)]
    if len(best) == 1:
        return best[0]
    return max(
        best, key=lambda draft: pitch_likeness(plan.statistics.style, plan.places, request.key.tonic, draft.pitches)
    )


def _rank(draft: _Draft) -> tuple[float, int, int]:
    """Return the distance from the wishes, then the strained leaps, then the ends of the register that are not used."""
    used = set(draft.indices)
    unused_extremes = len({0, len(draft.plan.register.pitches) - 1} - used)
    return draft.distance, _count_strained_leaps(draft), unused_extremes


def _count_strained_leaps(draft: _Draft) -> int:
    """Count wide leaps that are followed by a move in the same direction or by another wide leap."""
    moves = [after - before for before, after in pairwise(draft.pitches)]
    return sum(abs(move) > FIFTH and (move * after > 0 or abs(after) > FIFTH) for move, after in pairwise(moves))


def _distance_from_wishes(request: MelodyRequest, plan: _Plan, indices: Sequence[int]) -> float:
    distance = step_share.distance_from_tolerance(indices, request.prefer_stepwise)
    if request.contour is not None:
        pitches = [plan.register.pitches[index] for index in indices]
        distance += max(0.0, GOOD_FIT - contour_fit(request.contour, plan.times, pitches, request.measures))
    return distance


def _found_shares(draft: _Draft) -> MoveKindShares:
    sizes = [abs(after - before) for before, after in pairwise(draft.indices)]
    count = max(1, len(sizes))
    return MoveKindShares(sum(size > 2 for size in sizes) / count, sizes.count(2) / count, sizes.count(0) / count)


def _meet_step_share(request: MelodyRequest, draft: _Draft, rng: random.Random) -> _Draft:
    """Return the draft if it meets the share of steps. Otherwise return another draft that does, if one exists."""
    if request.prefer_stepwise is None or step_share.is_met(draft.indices, request.prefer_stepwise):
        return draft
    for plan in (draft.plan, *_wider_plans(request, draft.plan, rng)):
        for repeats in (False, True):
            found = step_share.draw_exactly(
                plan.moves, plan.pitch_weights, plan.kind_weights, request.prefer_stepwise, rng, repeats
            )
            if found is not None:
                return _Draft(plan, found, _distance_from_wishes(request, plan, found))
    return draft


def _make_melody(request: MelodyRequest, draft: _Draft) -> Melody:
    plan, pitches = draft.plan, draft.pitches
    contour, measures = request.contour, request.measures
    return Melody(
        style=plan.statistics.style,
        timings=tuple(plan.timings),
        pitches=tuple(pitches),
        relaxed=tuple(find_relaxed_wishes(request, plan.timings, pitches, draft.indices)),
        step_ratio=step_share.step_ratio(draft.indices),
        contour_fit=None if contour is None else contour_fit(contour, plan.times, pitches, measures),
    )


def _melody_without_conflict(request: MelodyRequest, seed: int) -> Melody | None:
    """Generate a melody without the given last note, or without the first, or without both.

    Return None if the range is too narrow.
    """
    pitches = request.pitches
    for fewer in (replace(request, end=None), replace(request, start=None), replace(request, start=None, end=None)):
        if len(pitches) >= FEWEST_PITCHES and all(midi is None or midi in pitches for midi in (fewer.start, fewer.end)):
            return generate(fewer, seed)
    return None
