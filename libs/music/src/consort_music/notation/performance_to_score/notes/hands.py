"""Divide the notes of a keyboard part between the hands.

A Viterbi search moves a split point through the moments: notes below it are played by the left hand. A place costs
more if a hand would have to reach further than about a tenth, if it cuts through notes that lie close together, if it
is far from middle C, and if it is far from the place before. Time is linear in the number of notes.
"""

from collections.abc import Sequence
from functools import lru_cache

from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote

_LOWEST, _HIGHEST = 40, 80
_MIDDLE = 60
_REACH = 16
"""Semitones that one hand can reach."""
_REACH_COST = 1.5
_MIDDLE_COST = 0.03
_MOVE_COST = 0.35
_GAP_COST = 0.35
_USUAL_GAP = 7


def left_hand(notes: Sequence[PerformedNote], moments: Sequence[Moment], split: int | None = None) -> list[bool]:
    """Return for each note whether the left hand plays it. `split` is a fixed split point (its note is the right's)."""
    if split is not None:
        return [note.pitch < split for note in notes]
    state = [_MIDDLE_COST * abs(place - _MIDDLE) for place in range(_LOWEST, _HIGHEST + 1)]
    origins: list[list[int]] = []
    for moment in moments:
        state, origin = _spread(state)
        origins.append(origin)
        costs = _costs(tuple(sorted(notes[index].pitch for index in moment.notes)))
        state = [before + cost for before, cost in zip(state, costs, strict=True)]
    at = min(range(len(state)), key=state.__getitem__)
    is_left = [False] * len(notes)
    for moment, origin in zip(reversed(moments), reversed(origins), strict=True):
        for index in moment.notes:
            is_left[index] = notes[index].pitch < _LOWEST + at
        at = origin[at]
    return is_left


def _spread(state: list[float]) -> tuple[list[float], list[int]]:
    """Return the least cost of arriving at each place from any place, and from where: a distance transform."""
    best, origin = list(state), list(range(len(state)))
    for place in range(1, len(best)):
        if best[place - 1] + _MOVE_COST < best[place]:
            best[place], origin[place] = best[place - 1] + _MOVE_COST, origin[place - 1]
    for place in range(len(best) - 2, -1, -1):
        if best[place + 1] + _MOVE_COST < best[place]:
            best[place], origin[place] = best[place + 1] + _MOVE_COST, origin[place + 1]
    return best, origin


@lru_cache(maxsize=4096)
def _costs(pitches: tuple[int, ...]) -> list[float]:
    """Return the cost of each place for notes that start together."""
    return [_cost(place, pitches) for place in range(_LOWEST, _HIGHEST + 1)]


def _cost(place: int, pitches: tuple[int, ...]) -> float:
    below = [pitch for pitch in pitches if pitch < place]
    above = [pitch for pitch in pitches if pitch >= place]
    cost = _MIDDLE_COST * abs(place - _MIDDLE) / 4
    for hand in (below, above):
        if hand and hand[-1] - hand[0] > _REACH:
            cost += _REACH_COST * (hand[-1] - hand[0] - _REACH) / 2
    gap_below = place - below[-1] if below else _USUAL_GAP
    gap_above = above[0] - place if above else _USUAL_GAP
    return cost + _GAP_COST * (max(0, _USUAL_GAP - gap_below) + max(0, _USUAL_GAP - gap_above)) / 4
