"""Repetition: pitches of earlier bars that later bars take over, as the form says."""

import random
from collections.abc import Sequence

from consort_compose.composer.melody.contour import curve, half_wave
from consort_compose.composer.melody.form import Bar, Relation
from consort_compose.composer.melody.request import Beat, MelodyRequest
from consort_compose.composer.melody.sampler import Moves, kind_of
from consort_compose.composer.melody.tables import tables
from consort_compose.composer.melody.weights import FIFTH

Fixed = dict[int, int]
"""Which pitch, by its index, a note has."""

_ALIKE = 3.0
"""How much more likely a move is that the bar with the same rhythm has."""
_FREE_END = 3
"""The last notes repeat nothing, so that the melody can close."""
_TOO_UNLIKELY = 1e-3
"""A repeat is given up where one of its notes is this much less likely than the best note there."""


def repeated(
    request: MelodyRequest,
    form: Sequence[Bar],
    beats: Sequence[Beat],
    times: Sequence[float],
    drawn: Sequence[int],
    moves: Moves,
    places: Sequence[Sequence[float]],
    rng: random.Random,
) -> list[Fixed]:
    """For each bar that repeats another, the pitches that it takes over; empty where it does not."""
    notes = _notes(form, beats)
    now = list(drawn)
    taken: list[Fixed] = []
    for number, bar in enumerate(form):
        sources = notes[bar.source]
        here = notes[number]
        found: Fixed = {}
        part = _part(bar.relation, len(here))
        if len(sources) == len(here) and here[part]:
            sources, here = sources[part], here[part]
            rise = _rise(request, times[sources[0]], times[here[0]])
            shift = _shift(bar, [now[index] for index in sources], rise, len(moves.near), rng)
            found = {index: now[source] + shift for index, source in zip(here, sources, strict=True)}
            for index in range(len(beats) - _FREE_END, len(beats)):
                found.pop(index, None)
            if not all(_is_good(places[index], pitch) for index, pitch in found.items()):
                found = {}
            for index, pitch in found.items():
                now[index] = pitch
        taken.append(found)
    return taken


def joined(
    form: Sequence[Bar],
    beats: Sequence[Beat],
    drawn: Sequence[int],
    taken: list[Fixed],
    moves: Moves,
    pitches: Sequence[int],
) -> Fixed:
    """All notes that are settled: what is repeated, and what it repeats. Where a repeat would not follow on, or only by
    a wide leap, a note is left free."""
    while True:
        fixed = _settled(form, beats, drawn, taken)
        broken = next((index for index in sorted(fixed) if not _follows_on(index, fixed, drawn, moves, pitches)), None)
        if broken is None:
            return fixed
        for note in (broken + 1, broken):
            if taken[beats[note].measure - 1].pop(note, None) is not None:
                break


def _follows_on(index: int, fixed: Fixed, drawn: Sequence[int], moves: Moves, pitches: Sequence[int]) -> bool:
    here, after = fixed[index], fixed.get(index + 1)
    if after is None or (here, after) == (drawn[index], drawn[index + 1]):
        return True
    low, high = moves.near[here]
    was_as_wide = abs(after - here) == abs(drawn[index + 1] - drawn[index])
    return low <= after < high and (was_as_wide or abs(pitches[after] - pitches[here]) <= FIFTH)


def alike(
    form: Sequence[Bar], beats: Sequence[Beat], drawn: Sequence[int], into: Sequence[Sequence[float]]
) -> list[list[float]]:
    """Weights of moves, with more for those that a bar of the same rhythm has in the same place."""
    bent = [list(row) for row in into]
    notes = _notes(form, beats)
    for number, bar in enumerate(form):
        if bar.relation != "new" and len(notes[number]) == len(notes[bar.source]):
            for index, source in list(zip(notes[number], notes[bar.source], strict=True))[1:]:
                bent[index][kind_of(drawn[source] - drawn[source - 1])] *= _ALIKE
    return bent


def _notes(form: Sequence[Bar], beats: Sequence[Beat]) -> list[list[int]]:
    """The notes of each bar."""
    notes: list[list[int]] = [[] for _ in form]
    for index, beat in enumerate(beats):
        if beat.measure:
            notes[beat.measure - 1].append(index)
    return notes


def _part(relation: Relation, count: int) -> slice:
    """Which notes of a bar are taken over."""
    if relation in ("new", "rhythm"):
        return slice(0, 0)
    if "head" in relation:
        return slice(0, (count + 1) // 2 if "shifted" in relation else count // 2)
    return slice(count // 2, count) if "tail" in relation else slice(0, count)


def _settled(form: Sequence[Bar], beats: Sequence[Beat], drawn: Sequence[int], taken: Sequence[Fixed]) -> Fixed:
    used = {form[number].source for number, found in enumerate(taken) if found}
    fixed = {index: drawn[index] for index, beat in enumerate(beats) if beat.measure - 1 in used}
    for found in taken:
        fixed.update(found)
    return fixed


def _rise(request: MelodyRequest, before: float, after: float) -> float | None:
    """How much higher the contour is at a later time; None where there is none to follow."""
    if request.contour is None or request.contour == "static":
        return None
    wave = half_wave(request.measures)
    return curve(request.contour, after, wave) - curve(request.contour, before, wave)


def _shift(bar: Bar, source: Sequence[int], rise: float | None, width: int, rng: random.Random) -> int:
    lowest, highest = -min(source), width - 1 - max(source)
    if rise is not None:
        return max(lowest, min(highest, round(rise * (width - 1))))
    if "shifted" not in bar.relation:
        return 0
    shifts = [(shift, count) for shift, count in tables().shifts.items() if lowest <= shift <= highest]
    return rng.choices([s for s, _ in shifts], [c for _, c in shifts])[0] if shifts else 0


def _is_good(place: Sequence[float], pitch: int) -> bool:
    return place[pitch] >= _TOO_UNLIKELY * max(place)
