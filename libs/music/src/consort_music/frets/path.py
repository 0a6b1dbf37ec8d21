"""Find the cheapest path of a hand through a piece: one grip for each group of notes that start together.

Dynamic programming with a beam over states. A state is what is still ringing (string and fret of each note) and where
the first finger can be, as an interval in millimetres from the nut. The interval stays open as long as the notes allow
it: a note at 163 mm can be played from 63 to 163 mm. A shift is charged when the interval of the next grip does not
meet that of the state; where in the new interval the hand lands is decided, and charged, by the notes that follow
(`toward`: the cost is lowest at the near end, and rises with the distance from it).

A ringing note is cut if its string is needed, or if the hand cannot reach both. That is cheap when the note is nearly
over. What no hand can do (a cut too early, a shift too fast) costs so much that it is chosen only if there is no
other way, and it is reported.

The time is linear in the number of groups: each has at most `BEAM` states and a bounded number of grips.
"""

from dataclasses import dataclass
from typing import NamedTuple

from consort_music.frets.fretboards import Fretboard
from consort_music.frets.grips import Grip
from consort_music.frets.hand import COMFORTABLE_MM, FINGERS, LIMIT_MM, MUST_SOUND, SPEED_MM_PER_S, press

BEAM = 14
_WORSE = 30.0
"""A state is dropped if it costs this much more than the best one."""
_SAME_TIME = 1e-6
_VIOLATION = 60.0
_CELL_MM = 8.0
"""States whose intervals are in the same cells are merged."""


@dataclass(frozen=True, slots=True)
class PathCosts:
    """The price of each movement of the hand."""

    shift: float = 0.6
    shift_per_mm: float = 0.010
    hurry: float = 0.5
    """Added to a shift, in proportion to how much of the hand's greatest speed it needs."""
    crossing: float = 0.06
    """For each string between two notes of a melody."""
    open_while_high: float = 0.4
    """For an open string while the hand is above the fourth fret."""
    cut: float = 1.5
    stretch_per_mm: float = 0.03
    from_position_per_mm: float = 0.0
    position_mm: float = 0.0
    """Where the player asked to be, with the price of each millimetre away from it."""


class Group(NamedTuple):
    """Notes that start together. The durations are in the order of the places of the grips."""

    start: float
    durations: tuple[float, ...]
    grips: list[Grip]


class Ringing(NamedTuple):
    """A note that has been played: its place, times in seconds, and its group and its place in it."""

    string: int
    fret: int
    start: float
    end: float
    group: int
    voice: int


class Step(NamedTuple):
    """What the path does at one group: its grip, the notes that it cuts too early, and whether it shifts too fast."""

    grip: Grip
    cut_early: tuple[Ringing, ...]
    is_too_fast: bool


class _State(NamedTuple):
    cost: float
    low: float
    high: float
    toward: int
    """1 if landing at `low` is cheapest, -1 if at `high`, 0 if all of the interval costs the same."""
    free_at: float
    """When the hand could leave the notes that it pressed last."""
    ringing: tuple[Ringing, ...]
    step: Step | None
    before: "_State | None"


def find_path(groups: list[Group], board: Fretboard, costs: PathCosts) -> list[Step]:
    """Return the cheapest steps that the beam finds, one for each group."""
    mm = board.mm
    states = [_State(0.0, mm[0], mm[-1], 0, -1e9, (), None, None)]
    for number, group in enumerate(groups):
        best: dict[tuple[object, ...], _State] = {}
        for state in states:
            for grown in _next_states(state, group, number, mm, costs):
                key = (
                    grown.low // _CELL_MM,
                    grown.high // _CELL_MM,
                    grown.toward,
                    *[(note.string, note.fret) for note in grown.ringing],
                )
                rival = best.get(key)
                if rival is None or grown.cost < rival.cost:
                    best[key] = grown
        ranked = sorted(best.values(), key=lambda state: state.cost)[:BEAM]
        worst = ranked[0].cost + _WORSE
        states = [state for state in ranked if state.cost <= worst]
    steps = []
    last: _State | None = min(states, key=lambda state: state.cost)
    while last is not None and last.step is not None:
        steps.append(last.step)
        last = last.before
    return steps[::-1]


def _next_states(state: _State, group: Group, number: int, mm: tuple[float, ...], costs: PathCosts) -> list[_State]:
    now = group.start
    free_at = state.free_at
    alive = []
    for note in state.ringing:
        if note.end > now + _SAME_TIME:
            alive.append(note)
        elif note.fret:
            free_at = max(free_at, note.start + MUST_SOUND * (note.end - note.start))
    return [_after(state, grip, group, number, alive, free_at, mm, costs) for grip in group.grips]


def _after(
    state: _State,
    grip: Grip,
    group: Group,
    number: int,
    alive: list[Ringing],
    free_at: float,
    mm: tuple[float, ...],
    costs: PathCosts,
) -> _State:
    """Return the state after a grip."""
    now = group.start
    cost = state.cost + grip.cost
    low_mm, high_mm = grip.low_mm, grip.high_mm
    kept = alive
    cut: list[Ringing] = []
    if alive:
        kept = []
        for note in alive:
            (cut if grip.mask >> note.string & 1 else kept).append(note)
        if grip.pressed and kept:
            low_mm, high_mm = _release(kept, cut, grip, now, mm)
    early: list[Ringing] = []
    for note in cut:
        length = note.end - note.start
        left = (note.end - now) / length
        cost += costs.cut * left
        if left > 1 - MUST_SOUND:
            early.append(note)
            cost += _VIOLATION * left
        if note.fret:
            free_at = max(free_at, min(now, note.start + MUST_SOUND * length))
    low, high, toward = state.low, state.high, state.toward
    is_too_fast = False
    if grip.pressed:
        span = high_mm - low_mm
        to_high = low_mm
        to_low = min(high_mm - COMFORTABLE_MM, to_high)
        if len(grip.pressed) == 1 and span > COMFORTABLE_MM:
            cost += costs.stretch_per_mm * (span - COMFORTABLE_MM)
        reach = SPEED_MM_PER_S * max(0.0, now - free_at)
        if to_low > high:
            start = low if toward > 0 else high
            cost += costs.shift + costs.shift_per_mm * (to_low - start)
            cost += costs.hurry * min(1.0, (to_low - high) / (reach + 1.0))
            is_too_fast = to_low - high > reach
            low, high, toward = to_low, max(to_low, min(to_high, high + reach)), 1
        elif to_high < low:
            start = high if toward < 0 else low
            cost += costs.shift + costs.shift_per_mm * (start - to_high)
            cost += costs.hurry * min(1.0, (low - to_high) / (reach + 1.0))
            is_too_fast = low - to_high > reach
            low, high, toward = min(to_high, max(to_low, low - reach)), to_high, -1
        else:
            if to_low > low:
                if toward > 0:
                    cost += costs.shift_per_mm * (to_low - low)
                low = to_low
            if to_high < high:
                if toward < 0:
                    cost += costs.shift_per_mm * (high - to_high)
                high = to_high
        if is_too_fast:
            cost += _VIOLATION
        if costs.from_position_per_mm:
            away = max(low - costs.position_mm, costs.position_mm - high, 0.0)
            cost += costs.from_position_per_mm * away
    if grip.opens and low > mm[4]:
        cost += costs.open_while_high * grip.opens
    if len(grip.places) == 1 and state.step is not None and len(state.step.grip.places) == 1:
        here, before = grip.places[0], state.step.grip.places[0]
        if here and before:
            cost += costs.crossing * abs(here[0] - before[0])
    ringing = [
        Ringing(place[0], place[1], now, now + group.durations[index], number, index)
        for index, place in enumerate(grip.places)
        if place
    ]
    return _State(cost, low, high, toward, free_at, (*kept, *ringing), Step(grip, tuple(early), is_too_fast), state)


def _release(
    kept: list[Ringing], cut: list[Ringing], grip: Grip, now: float, mm: tuple[float, ...]
) -> tuple[float, float]:
    """Move notes from `kept` to `cut` until the hand can hold the rest with the grip. Return the span in mm.

    The notes that are nearest to their end are released first.
    """
    while True:
        low, high, fingers = grip.low_mm, grip.high_mm, len(grip.pressed)
        for note in kept:
            if note.fret:
                at = mm[note.fret]
                low = min(low, at)
                high = max(high, at)
                fingers += 1
        is_reached = high - low <= LIMIT_MM
        if is_reached and fingers > FINGERS:
            places = [place for place in grip.places if place]
            is_reached = press([*places, *((note.string, note.fret) for note in kept)]) is not None
        if is_reached:
            return low, high
        if high - low > LIMIT_MM:
            far = [note for note in kept if note.fret and max(high - mm[note.fret], mm[note.fret] - low) > LIMIT_MM]
            pressed = [note for note in far if not grip.low_mm <= mm[note.fret] <= grip.high_mm]
        else:
            pressed = [note for note in kept if note.fret] or kept
        loser = min(pressed or kept, key=lambda note: (note.end - now) / (note.end - note.start))
        kept.remove(loser)
        cut.append(loser)
