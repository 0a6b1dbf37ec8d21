"""Grips: ways to play notes that start together, one string each, within a hand's reach.

Notes are added one by one, the lowest first, and the cheapest beginnings are kept (a beam), so that the work for a
chord is bounded. A note that fits nowhere is left out at a high cost, which is lower for inner notes: then the top
note and the bass stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from consort_music.frets.fretboards import Fretboard
from consort_music.frets.hand import COMFORTABLE_MM, LIMIT_MM, Place, press

_BEAM = 64
_LEFT_OUT = 1000.0
_LEFT_OUT_INSIDE = 800.0


@dataclass(frozen=True, slots=True)
class FretCosts:
    """The price of each place and grip. Low positions, few fingers and small stretches are cheap."""

    height_per_mm: float = 0.004
    open_string: float = 0.1
    stretch_per_mm: float = 0.03
    barre: float = 0.6
    finger: float = 0.05
    hinted_open: float = 0.0
    """Added to each open string, if the player asked for that."""
    short_string: float = 3.0
    """For pressing the short string of a banjo, which is nearly always open."""


@dataclass(frozen=True, slots=True)
class Grip:
    """One way to play notes that start together."""

    places: tuple[Place | None, ...]
    """The place of each note; None if it was left out."""
    mask: int
    """One bit per string in use."""
    pressed: tuple[Place, ...]
    low_mm: float
    high_mm: float
    """The lowest and the highest pressed fret. Without pressed strings, `low_mm` is greater."""
    opens: int
    cost: float


def find_grips(choices: Sequence[Sequence[Place]], board: Fretboard, costs: FretCosts, most: int) -> list[Grip]:
    """Return at most `most` ways to play notes together, the cheapest first. `choices` has the places of each note.

    The notes must be in the order of their pitch. Some grips of each position are kept, so that a hand in any
    position finds one.
    """
    mm = board.mm
    last = len(choices) - 1
    begun: list[tuple[float, tuple[Place | None, ...], int, float, float]] = [(0.0, (), 0, 1e9, -1e9)]
    for index, places in enumerate(choices):
        left_out = _LEFT_OUT if index in (0, last) else _LEFT_OUT_INSIDE
        grown = []
        for cost, chosen, mask, low, high in begun:
            for place in places:
                string, fret = place
                if mask >> string & 1:
                    continue
                if fret:
                    at = mm[fret]
                    new_low = min(low, at)
                    new_high = max(high, at)
                    if new_high - new_low > LIMIT_MM:
                        continue
                    new_cost = cost + costs.height_per_mm * (at - mm[0])
                    if board.first_frets[string - 1]:
                        new_cost += costs.short_string
                else:
                    new_low, new_high = low, high
                    new_cost = cost + costs.open_string + costs.hinted_open
                grown.append((new_cost, (*chosen, place), mask | 1 << string, new_low, new_high))
            grown.append((cost + left_out, (*chosen, None), mask, low, high))
        if len(choices) > 3:
            grown = [item for item in grown if press([place for place in item[1] if place]) is not None]
        grown.sort(key=lambda item: item[0])
        begun = grown[:_BEAM]
    grips = [_grip(item, costs) for item in begun]
    fewest = min(grip.places.count(None) for grip in grips)
    grips = sorted((grip for grip in grips if grip.places.count(None) == fewest), key=lambda grip: grip.cost)
    return _some_of_each_position(grips, most)


def _grip(item: tuple[float, tuple[Place | None, ...], int, float, float], costs: FretCosts) -> Grip:
    cost, chosen, mask, low, high = item
    places = [place for place in chosen if place]
    pressed = tuple(place for place in places if place[1])
    hand = press(places)
    if hand:
        cost += costs.finger * hand.fingers + (costs.barre if hand.barre else 0.0)
    cost += costs.stretch_per_mm * max(0.0, high - low - COMFORTABLE_MM)
    return Grip(chosen, mask, pressed, low, high, len(places) - len(pressed), cost)


def _some_of_each_position(grips: list[Grip], most: int) -> list[Grip]:
    """Return the cheapest grips of every position in turn, the cheapest position first."""
    if len(grips) <= most:
        return grips
    by_position: dict[float, list[Grip]] = {}
    for grip in grips:
        by_position.setdefault(grip.low_mm, []).append(grip)
    chosen: list[Grip] = []
    rank = 0
    while len(chosen) < most:
        for group in by_position.values():
            if rank < len(group):
                chosen.append(group[rank])
        rank += 1
    return sorted(chosen[:most], key=lambda grip: grip.cost)
