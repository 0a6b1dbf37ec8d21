"""Whether the hard constraints can be met, decided before anything is drawn.

A note may be repeated whatever the largest leap is. So a melody of n notes leads from its start to its end exactly if
the shortest way between them, in moves that are allowed, has at most n - 1 moves; a breadth-first search finds it.
"""

import itertools
from collections import deque
from collections.abc import Mapping

from consort_compose.composer.melody.request import MelodyRequest
from consort_music.intervals import usual_interval
from consort_music.pitch import Pitch


class Conflict(Exception):
    """Two constraints that exclude each other: a sentence, the parameter to change, and what to try."""

    def __init__(self, message: str, field: str, suggestions: list[str]) -> None:
        super().__init__(message)
        self.message, self.field, self.suggestions = message, field, suggestions


def shortest_way(request: MelodyRequest) -> int:
    """The fewest moves that lead from the start to the end; 0 where one of them is free. Raises Conflict."""
    pitches = request.pitches
    spell = request.key.spell
    if not pitches:
        raise Conflict(
            f"There is no note of {request.key.name} from {_name(request, request.low)} to "
            f"{_name(request, request.high)}. "
            "Give a lower range_low or a higher range_high.",
            "range_high",
            [spell(midi).name for midi in _near(request, request.high)],
        )
    for field, midi in (("start_note", request.start), ("end_note", request.end)):
        if midi is None or midi in pitches:
            continue
        outside = not request.low <= midi <= request.high
        reason = (
            f"is outside the range {_name(request, request.low)} to {_name(request, request.high)}"
            if outside
            else f"is not in {request.key.name}"
        )
        nearest = sorted(pitches, key=lambda pitch: (abs(pitch - midi), pitch))[:3]
        raise Conflict(
            f"'{field}' is {_name(request, midi)}, which {reason}. Give a note of the key in the range, such as "
            f"{spell(nearest[0]).name}.",
            field,
            [spell(pitch).name for pitch in nearest],
        )
    if request.start is None or request.end is None:
        return 0
    moves = ways_from(pitches, request.start, request.max_leap)
    if request.end not in moves:
        raise Conflict(
            f"{_name(request, request.end)} cannot be reached from {_name(request, request.start)}: in "
            f"{request.key.name} some neighbouring notes are further apart than {leap_name(request.max_leap)}, "
            "and avoid_leaps_greater_than allows no larger move.",
            "avoid_leaps_greater_than",
            [leap_name(_widest_gap(pitches, request.start, request.end))],
        )
    return moves[request.end]


def ways_from(pitches: list[int], start: int, max_leap: int | None) -> Mapping[int, int]:
    """The fewest moves to every pitch that can be reached."""
    moves = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for pitch in pitches:
            if pitch not in moves and (max_leap is None or abs(pitch - here) <= max_leap):
                moves[pitch] = moves[here] + 1
                waiting.append(pitch)
    return moves


def leap_name(semitones: int | None) -> str:
    """The usual name of the largest move: 7 is P5."""
    return usual_interval(semitones or 0).name


def _widest_gap(pitches: list[int], start: int, end: int) -> int:
    between = [pitch for pitch in pitches if min(start, end) <= pitch <= max(start, end)]
    return max(high - low for low, high in itertools.pairwise(between))


def _near(request: MelodyRequest, midi: int) -> list[int]:
    scale = request.key.pitch_classes
    return [pitch for pitch in range(midi + 1, min(128, midi + 13)) if pitch % 12 in scale][:2]


def _name(request: MelodyRequest, midi: int) -> str:
    return request.key.spell(midi).name if 0 <= midi <= 127 else Pitch.from_midi(max(0, min(127, midi))).name
