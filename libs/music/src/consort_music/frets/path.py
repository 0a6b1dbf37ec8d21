"""Find the cheapest path of a hand through a piece: one grip for each group of notes that start together.

Dynamic programming with a beam over states. A state is what is still ringing (string and fret of each note) and where
the first finger can be, as an interval in millimetres from the nut. The interval stays open as long as the notes allow
it: a note at 163 mm can be played from 63 to 163 mm. A shift is charged when the interval of the next grip does not
meet that of the state; where in the new interval the hand lands is decided, and charged, by the notes that follow
(`toward`: the cost is lowest at the near end, and rises with the distance from it).

A ringing note is cut if its string is needed, or if the hand cannot reach both. That is cheap when the note is nearly
over. What no hand can do (a cut too early, a shift too fast) costs so much that it is chosen only if there is no
other way, and it is reported.

The time is linear in the number of groups: each has a bounded number of states and grips. Where all states of the beam
break a rule, the groups before are searched again with a wide beam, each at most once.
"""

from dataclasses import dataclass
from typing import NamedTuple

from consort_music.frets.fretboards import Fretboard
from consort_music.frets.grips import Grip
from consort_music.frets.hand import COMFORTABLE_MM, FINGERS, LIMIT_MM, MUST_SOUND, SPEED_MM_PER_S, press

_BEAM = 14
_WIDE_BEAM = 80
_LOOK_BACK = 12
"""How many groups are searched again, with the wide beam, when the narrow one has no way on."""
_WORSE = 30.0
"""A state is dropped if it costs this much more than the best one."""
_SAME_TIME = 1e-6
_VIOLATION = 60.0
_STEP = 2
"""Semitones: more is a leap."""
_CELL_MM = 8.0
"""States whose intervals are in the same cells are merged."""


@dataclass(frozen=True, slots=True)
class PathCosts:
    """The price of each movement of the hand."""

    shift: float = 0.6
    shift_per_mm: float = 0.015
    leisure: float = 0.25
    """The part of the cost of a shift that is left when there is much time for it."""
    crossing: float = 0.06
    """For each string between two notes of a melody."""
    leap_on_string: float = 0.7
    """For a leap (three semitones or more) on one string while another note rings: so a broken chord can ring too."""
    against_strings: float = 0.8
    """For a pressed note that is higher than the one before but on a lower string, or lower but on a higher string."""
    open_while_high: float = 0.8
    """For an open string in a melody while the hand is above the fourth fret; in a chord a quarter of it."""
    cut: float = 1.5
    stretch_per_mm: float = 0.03
    from_position_per_mm: float = 0.0
    position_mm: float = 0.0
    """Where the player asked to be, with the price of each millimetre away from it."""


class NoteGroup(NamedTuple):
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


class FretStep(NamedTuple):
    """What the path does at one group: its grip, the notes that it cuts too early, and whether it shifts too fast."""

    grip: Grip
    cut_early: tuple[Ringing, ...]
    is_too_fast: bool


class _HandState(NamedTuple):
    cost: float
    low: float
    high: float
    toward: int
    """1 if landing at `low` is cheapest, -1 if at `high`, 0 if all of the interval costs the same."""
    free_at: float
    """When the hand could leave the notes that it pressed last."""
    ringing: tuple[Ringing, ...]
    step: FretStep | None
    before: "_HandState | None"


def find_path(groups: list[NoteGroup], board: Fretboard, costs: PathCosts) -> list[FretStep]:
    """Return the cheapest steps that the beam finds, one for each group."""
    beams = [[_HandState(0.0, board.mm[0], board.mm[-1], 0, -1e9, (), None, None)]]
    searched = 0  # the groups before this one were searched again with the wide beam
    for number, group in enumerate(groups):
        beams.append(_next_beam(beams[-1], group, number, board, costs, _BEAM))
        if beams[-1][0].cost - beams[-2][0].cost >= _VIOLATION * (1 - MUST_SOUND) and number >= searched:
            for again in range(max(searched, number - _LOOK_BACK), number + 1):
                beams[again + 1] = _next_beam(beams[again], groups[again], again, board, costs, _WIDE_BEAM)
            searched = number + 1
        if number > _LOOK_BACK:
            beams[number - _LOOK_BACK - 1] = []  # frees the states that lead nowhere
    steps = []
    last: _HandState | None = beams[-1][0]
    while last is not None and last.step is not None:
        steps.append(last.step)
        last = last.before
    return steps[::-1]


def _next_beam(
    states: list[_HandState], group: NoteGroup, number: int, board: Fretboard, costs: PathCosts, size: int
) -> list[_HandState]:
    """Return the best states after a group, the cheapest first."""
    best: dict[tuple[object, ...], _HandState] = {}
    for state in states:
        for grown in _next_states(state, group, number, board, costs):
            key = (
                grown.low // _CELL_MM,
                grown.high // _CELL_MM,
                grown.toward,
                *[(note.string, note.fret) for note in grown.ringing],
            )
            rival = best.get(key)
            if rival is None or grown.cost < rival.cost:
                best[key] = grown
    ranked = sorted(best.values(), key=lambda state: state.cost)[:size]
    worst = ranked[0].cost + _WORSE
    return [state for state in ranked if state.cost <= worst]


def _next_states(
    state: _HandState, group: NoteGroup, number: int, board: Fretboard, costs: PathCosts
) -> list[_HandState]:
    now = group.start
    free_at = state.free_at
    alive = []
    for note in state.ringing:
        if note.end > now + _SAME_TIME:
            alive.append(note)
        elif note.fret:
            free_at = max(free_at, note.start + MUST_SOUND * (note.end - note.start))
    return [_after(state, grip, group, number, alive, free_at, board, costs) for grip in group.grips]


def _after(
    state: _HandState,
    grip: Grip,
    group: NoteGroup,
    number: int,
    alive: list[Ringing],
    free_at: float,
    board: Fretboard,
    costs: PathCosts,
) -> _HandState:
    """Return the state after a grip."""
    mm, open_pitches = board.mm, board.open_pitches
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
            cost += _shift_cost(to_low - start, reach, costs)
            is_too_fast = to_low - high > reach
            low, high, toward = to_low, max(to_low, min(to_high, high + reach)), 1
        elif to_high < low:
            start = high if toward < 0 else low
            cost += _shift_cost(start - to_high, reach, costs)
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
        cost += costs.open_while_high * (1.0 if len(grip.places) == 1 else 0.25)
    if len(grip.places) == 1 and grip.places[0] and state.step is not None:
        string, fret = grip.places[0]
        places = state.step.grip.places
        if alive:
            for place in places:
                if place and place[0] == string and abs(place[1] - fret) > _STEP:
                    cost += costs.leap_on_string
        if len(places) == 1 and places[0]:
            before, fret_before = places[0]
            cost += costs.crossing * abs(string - before)
            strings_rise = open_pitches[string - 1] - open_pitches[before - 1]
            if fret and strings_rise * (strings_rise + fret - fret_before) < 0:
                cost += costs.against_strings
    ringing = [
        Ringing(place[0], place[1], now, now + group.durations[index], number, index)
        for index, place in enumerate(grip.places)
        if place
    ]
    return _HandState(
        cost, low, high, toward, free_at, (*kept, *ringing), FretStep(grip, tuple(early), is_too_fast), state
    )


def _shift_cost(distance: float, reach: float, costs: PathCosts) -> float:
    """Return the cost of a shift. It is lower if there is more time than the hand needs."""
    hurry = min(1.0, costs.leisure + 2.0 * distance / (reach + 1.0))
    return hurry * (costs.shift + costs.shift_per_mm * distance)


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
