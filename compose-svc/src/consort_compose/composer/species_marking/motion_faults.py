"""Faults in how the two voices move against each other."""

from collections.abc import Iterator
from itertools import pairwise

from consort_compose.composer.counterpoint.spelled_tones import (
    CONSONANT,
    FIFTH,
    OCTAVE,
    SIXTH,
    THIRD,
    interval_class,
    note_at,
)
from consort_compose.composer.species_marking.exercise import Exercise
from consort_compose.composer.species_marking.exercise_fault import ExerciseFault, note_name

_PERFECT = {FIFTH: "fifths", OCTAVE: "octaves"}
_LONGEST_RUN = 3
"""The largest number of thirds in a row, or of sixths in a row."""


def motion_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    together = list(_parallel_and_direct_faults(exercise))
    yield from together
    known = {fault.moment for fault in together if fault.kind.startswith("parallel")}
    yield from (fault for fault in _downbeat_faults(exercise) if fault.moment not in known)
    yield from _delayed_parallel_faults(exercise)
    if exercise.species == 1:
        yield from _run_faults(exercise)


def _parallel_and_direct_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield parallels, direct intervals and overlaps at moments when both voices move."""
    sign = exercise.sign
    for one, other in pairwise(exercise.voice):
        before, now = exercise.just_before(other.onset), exercise.against(other.onset)
        if before is None or now is None or before is now or one.end < other.onset:
            continue
        motion, cantus_motion = other.tone.midi - one.tone.midi, now.tone.midi - before.tone.midi
        if motion == 0 or cantus_motion == 0:
            continue
        was, kind = interval_class(before.tone, one.tone), interval_class(now.tone, other.tone)
        notes = f"{note_name(one.tone)} to {note_name(other.tone)} over " if exercise.above else ""
        notes += f"{note_name(before.tone)} to {note_name(now.tone)}"
        notes += "" if exercise.above else f" over {note_name(one.tone)} to {note_name(other.tone)}"
        is_perfect = kind in _PERFECT or was in _PERFECT
        if is_perfect and (motion - cantus_motion) % 12 == 0:
            name = _PERFECT.get(kind) or _PERFECT[was]
            yield ExerciseFault(other.onset, f"parallel_{name}", f"Parallel {name}: {notes}.")
        elif kind in _PERFECT and motion * cantus_motion > 0:
            name = _PERFECT[kind]
            yield ExerciseFault(
                other.onset, f"direct_{name}", f"Both voices move in the same direction into {name}: {notes}."
            )
        if (other.tone.midi - before.tone.midi) * sign < 0 or (one.tone.midi - now.tone.midi) * sign < 0:
            yield ExerciseFault(
                other.onset, "overlap", f"One voice moves beyond the previous note of the other: {notes}."
            )


def _downbeat_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield fifths or octaves at the start of two successive units, if both voices move between them."""
    for one, other in pairwise(exercise.units):
        first, second = note_at(exercise.voice, one.start), note_at(exercise.voice, other.start)
        before, now = exercise.against(one.start), exercise.against(other.start)
        if first is None or second is None or before is None or now is None:
            continue
        kind = interval_class(now.tone, second.tone)
        moved = before.tone.midi != now.tone.midi and first.tone.midi != second.tone.midi
        if moved and kind in _PERFECT and kind == interval_class(before.tone, first.tone):
            text = f"Two downbeats in a row have {_PERFECT[kind]}."
            yield ExerciseFault(other.start, f"downbeat_{_PERFECT[kind]}", text)


def _delayed_parallel_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield suspensions that only delay parallels: their preparation and resolution are the same perfect interval."""
    for note, after in pairwise(exercise.voice):
        unit = exercise.unit_at(after.onset)
        prepared, held, now = (exercise.against(moment) for moment in (note.onset, unit.start, after.onset))
        if not note.onset < unit.start < after.onset or prepared is None or held is None or now is None:
            continue
        kind = interval_class(now.tone, after.tone)
        is_suspension = interval_class(held.tone, note.tone) not in CONSONANT
        if is_suspension and kind in _PERFECT and interval_class(prepared.tone, note.tone) == kind:
            text = f"The suspension only delays parallel {_PERFECT[kind]}."
            yield ExerciseFault(after.onset, f"delayed_{_PERFECT[kind]}", text)


def _run_faults(exercise: Exercise) -> Iterator[ExerciseFault]:
    """Yield runs of more than three thirds or sixths."""
    run = 1
    for one, other in pairwise(exercise.voice):
        before, now = exercise.just_before(other.onset), exercise.against(other.onset)
        if before is None or now is None:
            continue
        kind = interval_class(now.tone, other.tone)
        run = run + 1 if kind in (THIRD, SIXTH) and kind == interval_class(before.tone, one.tone) else 1
        if run > _LONGEST_RUN:
            name = "thirds" if kind == THIRD else "sixths"
            yield ExerciseFault(other.onset, "parallel_run", f"More than three {name} follow each other.")
