"""A melody for a request: proven possible, drawn, given repetition, and checked against every wish."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from consort_compose.composer.measures import in_words, listed
from consort_compose.composer.melody import contour as contours
from consort_compose.composer.melody import motif, rhythm, steps, weights
from consort_compose.composer.melody.feasible import Conflict, leap_name, shortest_way
from consort_compose.composer.melody.form import Bar, choose_form
from consort_compose.composer.melody.register import Register, choose_register, whole_register
from consort_compose.composer.melody.request import Beat, Impossible, Melody, MelodyRequest, OutOfTime, Relaxed
from consort_compose.composer.melody.sampler import Moves, NoMelody, Sampler
from consort_music.metre import STRONG

_FEWEST_ROUNDS, _PLANNED_MEASURES = 5, 60
"""Plans, and measures in them, before a wish is given up, within the caller's attempts: short melodies, which miss a
contour sooner, get more rounds."""
_DRAWS = 8
"""Melodies drawn from one plan."""
_FIRMNESS = (1.0, 1.5, 2.5, 4.0, 8.0)
"""How closely a contour is followed, round by round; then a melody of another kind is begun."""
_ANY_LEAP = 127


@dataclass(frozen=True)
class _Plan:
    form: Sequence[Bar]
    beats: Sequence[Beat]
    times: Sequence[float]
    register: Register
    moves: Moves
    places: list[list[float]]
    into: list[list[float]]


@dataclass(frozen=True)
class _Draft:
    plan: _Plan
    indices: list[int]
    badness: float

    @property
    def pitches(self) -> list[int]:
        return [self.plan.register.pitches[index] for index in self.indices]


def generate(
    request: MelodyRequest, seed: int, attempts: int = 100, is_out_of_time: Callable[[], bool] = lambda: False
) -> Melody:
    """The melody of a seed. Raises Impossible where hard constraints conflict, OutOfTime where nothing was found."""
    try:
        moves_needed = shortest_way(request)
        room = rhythm.most_notes(request.metre) * request.measures
        if moves_needed + 1 > room:
            raise _too_far(request, moves_needed, room)
    except Conflict as conflict:
        best = _best_attempt(request, seed)
        raise Impossible(conflict.message, conflict.field, conflict.suggestions, best) from None
    rng = random.Random(seed)
    best_draft: _Draft | None = None
    rounds = max(_FEWEST_ROUNDS, _PLANNED_MEASURES // request.measures)
    for number in range(min(rounds, max(1, attempts))):
        if is_out_of_time():
            break
        if number % len(_FIRMNESS) == 0:
            wanted = weights.wanted_kinds(request.prefer_stepwise, rng)
            tilt = weights.first_tilt(wanted)
        plan = _plan(request, moves_needed, tilt, _FIRMNESS[number % len(_FIRMNESS)], rng)
        draft = _drawn(request, plan, rng)
        if best_draft is None or draft.badness < best_draft.badness:
            best_draft = draft
        if best_draft.badness == 0:
            break
        wanted = weights.nearer(wanted, request.prefer_stepwise)
        tilt = _corrected(tilt, draft, wanted)
    if best_draft is None:
        raise OutOfTime
    return _checked(request, _with_exact_steps(request, best_draft, rng))


def _plan(request: MelodyRequest, moves_needed: int, tilt: weights.Tilt, firmness: float, rng: random.Random) -> _Plan:
    form = choose_form(request.measures, rng)
    bars = rhythm.choose_rhythm(request, form, rng)
    if sum(map(len, bars)) < moves_needed + 1:
        bars = rhythm.even_bars(request, moves_needed + 1, rng)
        form = [Bar("new", index) for index in range(request.measures)]
    beats = rhythm.beats_of(request, bars)
    times = contours.times(beats)
    register = choose_register(request, rng)
    into = weights.make_into(beats, tilt)
    places = weights.make_places(request, register, beats, times, firmness, rng)
    return _Plan(form, beats, times, register, weights.make_moves(request, register), places, into)


def _drawn(request: MelodyRequest, plan: _Plan, rng: random.Random) -> _Draft:
    """The best of several melodies of a plan, with its repetition."""
    try:
        sampler = Sampler(plan.moves, plan.places, plan.into)
    except NoMelody:
        plan, sampler = _in_whole_range(request, plan, rng)
    plain = _best(request, plan, sampler, rng)
    taken = motif.repeated(request, plan.form, plan.beats, plan.times, plain.indices, plan.moves, plan.places, rng)
    if not any(taken):
        return plain
    fixed = motif.joined(plan.form, plan.beats, plain.indices, taken, plan.moves, plan.register.pitches)
    places = [_only(fixed[index], row) if index in fixed else row for index, row in enumerate(plan.places)]
    into = motif.alike(plan.form, plan.beats, plain.indices, plan.into)
    try:
        varied = _best(request, plan, Sampler(plan.moves, places, into), rng)
    except NoMelody:
        return plain
    return plain if _strain(varied) > _strain(plain) else varied


def _only(pitch: int, row: Sequence[float]) -> list[float]:
    return [float(index == pitch and weight > 0) for index, weight in enumerate(row)]


def _in_whole_range(request: MelodyRequest, plan: _Plan, rng: random.Random) -> tuple[_Plan, Sampler]:
    """The usual register or the usual moves do not lead from start to end: everything that is allowed is."""
    for wider in _wider(request, plan, rng):
        try:
            return wider, Sampler(wider.moves, wider.places, wider.into)
        except NoMelody:
            continue
    raise AssertionError("a melody that was proven possible was not found")


def _wider(request: MelodyRequest, plan: _Plan, rng: random.Random) -> Iterator[_Plan]:
    """The plan with the whole range, then also with any leap that the request allows."""
    register = whole_register(request)
    places = weights.make_places(request, register, plan.beats, plan.times, 0.0, rng)
    for widest in (weights.OCTAVE, _ANY_LEAP):
        yield replace(plan, register=register, moves=weights.make_moves(request, register, widest), places=places)


def _best(request: MelodyRequest, plan: _Plan, sampler: Sampler, rng: random.Random) -> _Draft:
    """The first melody that meets every wish, else the one that misses least."""
    best: _Draft | None = None
    for _ in range(_DRAWS):
        indices = sampler.draw(rng)
        draft = _Draft(plan, indices, _badness(request, plan, indices))
        if best is None or (draft.badness, _strain(draft)) < (best.badness, _strain(best)):
            best = draft
        if best.badness == 0 == _strain(best):
            break
    assert best is not None
    return best


def _strain(draft: _Draft) -> int:
    """Wide leaps that go on in their direction, or are followed by another."""
    moves = [after - before for before, after in pairwise(draft.pitches)]
    wide = weights.FIFTH
    return sum(abs(move) > wide and (move * after > 0 or abs(after) > wide) for move, after in pairwise(moves))


def _badness(request: MelodyRequest, plan: _Plan, indices: Sequence[int]) -> float:
    """0 where every wish is met."""
    bad = steps.excess(indices, request.prefer_stepwise)
    if request.contour is not None:
        pitches = [plan.register.pitches[index] for index in indices]
        bad += max(0.0, contours.ENOUGH - contours.fit(request.contour, plan.times, pitches, request.measures))
    return bad


def _corrected(tilt: weights.Tilt, draft: _Draft, wanted: weights.Kinds) -> weights.Tilt:
    """More of the kinds of move that were too few."""
    step, repeat = steps.shares(draft.indices)
    found = (1 - step - repeat, step, repeat)
    leap, step, repeat = (
        max(0.5, min(2.0, (aim + 0.02) / (share + 0.02))) for aim, share in zip(wanted, found, strict=True)
    )
    return weights.Tilt(tilt.leap * leap, tilt.step * step, tilt.repeat * repeat)


def _with_exact_steps(request: MelodyRequest, draft: _Draft, rng: random.Random) -> _Draft:
    """A draft whose share of steps is off is drawn anew under it, if there is a melody that has it."""
    if steps.is_met(draft.indices, request.prefer_stepwise):
        return draft
    for plan in (draft.plan, *_wider(request, draft.plan, rng)):
        for repeats in (False, True):
            found = steps.draw_exactly(plan.moves, plan.places, plan.into, request.prefer_stepwise, rng, repeats)
            if found is not None:
                return _Draft(plan, found, _badness(request, plan, found))
    return draft


def _checked(request: MelodyRequest, draft: _Draft) -> Melody:
    """The melody, with a note of every wish that it does not meet."""
    beats, pitches = draft.plan.beats, draft.pitches
    relaxed = [*_density_relaxed(request, beats), *_steps_relaxed(request, draft)]
    found_fit = None
    if request.contour is not None:
        found_fit = contours.fit(request.contour, draft.plan.times, pitches, request.measures)
        if found_fit < contours.ENOUGH:
            measure = contours.worst_measure(request.contour, beats, pitches, request.measures)
            relaxed.append(
                Relaxed(f"The {request.contour} contour could not be kept with the other constraints.", measure)
            )
    relaxed += _chords_relaxed(request, beats, pitches)
    share = steps.step_ratio(draft.indices)
    return Melody(tuple(beats), tuple(pitches), tuple(relaxed), share, found_fit)


def _density_relaxed(request: MelodyRequest, beats: Sequence[Beat]) -> list[Relaxed]:
    _, most = request.notes_a_bar()
    counts = [sum(beat.measure == measure for beat in beats) for measure in range(1, request.measures + 1)]
    fullest = max(counts)
    if fullest <= most:
        return []
    return [
        Relaxed(
            f"end_note could only be reached with more notes than {request.density} allows: up to {fullest} a measure.",
            counts.index(fullest) + 1,
        )
    ]


def _steps_relaxed(request: MelodyRequest, draft: _Draft) -> list[Relaxed]:
    if steps.is_met(draft.indices, request.prefer_stepwise):
        return []
    share = steps.step_ratio(draft.indices)
    many = share > request.prefer_stepwise
    beats, indices = draft.plan.beats, draft.indices
    index = next(
        (note for note in range(1, len(indices)) if (abs(indices[note] - indices[note - 1]) <= 1) == many),
        1,
    )
    return [
        Relaxed(
            f"prefer_stepwise {request.prefer_stepwise:g} could not be met: {share:.2f} of the moves are steps, from "
            f"measure {beats[index].measure} on.",
            beats[index].measure,
        )
    ]


def _chords_relaxed(request: MelodyRequest, beats: Sequence[Beat], pitches: Sequence[int]) -> list[Relaxed]:
    """One for all strong beats that are not in their chord."""
    found: dict[str, None] = {}
    measures = set()
    for beat, midi in zip(beats, pitches, strict=True):
        span = next((span for span in request.chords if span.start <= beat.onset < span.end), None)
        if span and beat.strength >= STRONG and midi % 12 not in span.chord.pitch_classes:
            measures.add(beat.measure)
            found.setdefault(f"{request.key.spell(midi).name} over {span.chord.name}")
    if not found:
        return []
    return [
        Relaxed(f"In {in_words(measures)} a note on a strong beat is not in its chord: {listed(found)}.", min(measures))
    ]


def _too_far(request: MelodyRequest, moves_needed: int, room: int) -> Conflict:
    assert request.start is not None and request.end is not None
    start, end = request.key.spell(request.start).name, request.key.spell(request.end).name
    return Conflict(
        f"{end} is {moves_needed} moves away from {start} when no leap is larger than {leap_name(request.max_leap)}, "
        f"and {request.measures} measures of {request.metre.name} have room for {room} notes at most. Give more "
        "measures or allow larger leaps.",
        "length_measures",
        [str(-(-(moves_needed + 1) // rhythm.most_notes(request.metre)))],
    )


def _best_attempt(request: MelodyRequest, seed: int) -> Melody | None:
    """A melody without the constraints that conflict: first without the end, then without the start and the range."""
    pitches = request.pitches
    for fewer in (replace(request, end=None), replace(request, start=None), replace(request, start=None, end=None)):
        if pitches and all(midi is None or midi in pitches for midi in (fewer.start, fewer.end)):
            return generate(fewer, seed)
    return None
