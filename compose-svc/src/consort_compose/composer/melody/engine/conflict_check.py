"""Check whether the hard constraints can be met, before anything is sampled.

A note may always be repeated, however small the largest leap is. So a melody of n notes from the first note to the last
exists if and only if the shortest path between them, in allowed moves, has at most n - 1 moves. A breadth-first search
finds the shortest path. All messages about conflicts are written here.
"""

import itertools
from collections import deque
from collections.abc import Mapping

from consort_compose.composer.melody.engine.request_and_result import MelodyConflict, MelodyRequest
from consort_music.intervals import usual_interval
from consort_music.pitch import Pitch

FEWEST_PITCHES = 3
"""Notes of the scale that the range must have."""


def count_moves_needed(request: MelodyRequest, most_notes_per_bar: int) -> int:
    """Return the fewest moves from the first note to the last, or 0 if the first or the last note is not given.

    Raise MelodyConflict if no melody with at most `most_notes_per_bar` notes in a bar exists.
    """
    pitches = request.pitches
    if len(pitches) < FEWEST_PITCHES:
        raise _range_too_narrow(request)
    for field, midi in (("start_note", request.start), ("end_note", request.end)):
        if midi is not None and midi not in pitches:
            raise _note_not_available(request, field, midi)
    if request.start is None or request.end is None:
        return 0
    moves = _moves_to_each_pitch(pitches, request.start, request.max_leap)
    if request.end not in moves:
        raise _unreachable(request, request.start, request.end)
    moves_needed = moves[request.end]
    if moves_needed + 1 > most_notes_per_bar * request.measures:
        raise _too_far(request, request.start, request.end, moves_needed, most_notes_per_bar)
    return moves_needed


def _moves_to_each_pitch(pitches: list[int], start: int, max_leap: int | None) -> Mapping[int, int]:
    """Return the fewest moves from `start` to every reachable pitch, by breadth-first search."""
    moves = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for pitch in pitches:
            if pitch not in moves and (max_leap is None or abs(pitch - here) <= max_leap):
                moves[pitch] = moves[here] + 1
                waiting.append(pitch)
    return moves


def _range_too_narrow(request: MelodyRequest) -> MelodyConflict:
    low, high = _name(request, request.low), _name(request, request.high)
    scale = request.key.pitch_classes
    found = len(request.pitches)
    higher = [midi for midi in range(request.high + 1, min(128, request.high + 13)) if midi % 12 in scale]
    return MelodyConflict(
        f"The range {low} to {high} has {found} of the {FEWEST_PITCHES} notes of {request.key.name} that a melody "
        "needs. Give a lower range_low or a higher range_high.",
        [request.key.spell(midi).name for midi in higher[FEWEST_PITCHES - found - 1 :][:2]],
        "range_high",
    )


def _note_not_available(request: MelodyRequest, field: str, midi: int) -> MelodyConflict:
    if request.low <= midi <= request.high:
        reason = f"is not in {request.key.name}"
    else:
        reason = f"is outside the range {_name(request, request.low)} to {_name(request, request.high)}"
    nearest = sorted(request.pitches, key=lambda pitch: (abs(pitch - midi), pitch))[:3]
    names = [request.key.spell(pitch).name for pitch in nearest]
    return MelodyConflict(
        f"'{field}' is {_name(request, midi)}, which {reason}. Give a note of the key in the range, such as "
        f"{names[0]}.",
        names,
        field,
    )


def _unreachable(request: MelodyRequest, start: int, end: int) -> MelodyConflict:
    between = [pitch for pitch in request.pitches if min(start, end) <= pitch <= max(start, end)]
    widest_gap = _interval_name(max(high - low for low, high in itertools.pairwise(between)))
    return MelodyConflict(
        f"No melody leads from {_name(request, start)} to {_name(request, end)}: in {request.key.name} some "
        f"neighbouring notes are further apart than {_interval_name(request.max_leap)}, the value of "
        f"avoid_leaps_greater_than. Give {widest_gap} or more.",
        [widest_gap],
        "avoid_leaps_greater_than",
    )


def _too_far(
    request: MelodyRequest, start: int, end: int, moves_needed: int, most_notes_per_bar: int
) -> MelodyConflict:
    measures_needed = -(-(moves_needed + 1) // most_notes_per_bar)
    return MelodyConflict(
        f"{_name(request, end)} is {moves_needed} moves away from {_name(request, start)} when no leap is larger than "
        f"{_interval_name(request.max_leap)}, and {request.measures} measures of {request.metre.name} have room for "
        f"{most_notes_per_bar * request.measures} notes at most. Give more measures or allow larger leaps.",
        [str(measures_needed)],
        "length_measures",
    )


def _interval_name(semitones: int | None) -> str:
    """Return the usual name of an interval, such as P5 for 7 semitones."""
    return usual_interval(semitones or 0).name


def _name(request: MelodyRequest, midi: int) -> str:
    """Return the name of a pitch in the request's key. A pitch outside MIDI gets the name of the nearest one inside."""
    return request.key.spell(midi).name if 0 <= midi <= 127 else Pitch.from_midi(max(0, min(127, midi))).name
