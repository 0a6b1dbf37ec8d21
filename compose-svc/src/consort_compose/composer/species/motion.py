"""How the two voices move against each other."""

from collections.abc import Iterator
from itertools import pairwise

from consort_compose.composer.counterpoint.tones import CONSONANT, FIFTH, OCTAVE, SIXTH, THIRD, interval_class
from consort_compose.composer.species.exercise import Exercise, sounding
from consort_compose.composer.species.faults import Fault, note_name

_PERFECT = {FIFTH: "fifths", OCTAVE: "octaves"}
_LONGEST_RUN = 3
"""Thirds or sixths in a row, note against note."""


def motion_faults(exercise: Exercise) -> Iterator[Fault]:
    together = list(_moves(exercise))
    yield from together
    known = {fault.moment for fault in together if fault.kind.startswith("parallel")}
    yield from (fault for fault in _downbeats(exercise) if fault.moment not in known)
    yield from _delayed(exercise)
    if exercise.species == 1:
        yield from _runs(exercise)


def _moves(exercise: Exercise) -> Iterator[Fault]:
    """Both voices move at once: parallels, direct intervals, overlap."""
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
            yield Fault(other.onset, f"parallel_{name}", f"Parallel {name}: {notes}.")
        elif kind in _PERFECT and motion * cantus_motion > 0:
            name = _PERFECT[kind]
            yield Fault(other.onset, f"direct_{name}", f"Both voices move the same way into {name}: {notes}.")
        if (other.tone.midi - before.tone.midi) * sign < 0 or (one.tone.midi - now.tone.midi) * sign < 0:
            yield Fault(other.onset, "overlap", f"One voice moves past where the other one was: {notes}.")


def _downbeats(exercise: Exercise) -> Iterator[Fault]:
    for one, other in pairwise(exercise.units):
        first, second = sounding(exercise.voice, one.start), sounding(exercise.voice, other.start)
        before, now = exercise.against(one.start), exercise.against(other.start)
        if first is None or second is None or before is None or now is None:
            continue
        kind = interval_class(now.tone, second.tone)
        moved = before.tone.midi != now.tone.midi and first.tone.midi != second.tone.midi
        if moved and kind in _PERFECT and kind == interval_class(before.tone, first.tone):
            text = f"Two downbeats in a row have {_PERFECT[kind]}."
            yield Fault(other.start, f"downbeat_{_PERFECT[kind]}", text)


def _delayed(exercise: Exercise) -> Iterator[Fault]:
    """A suspension that only puts off parallels: the perfect interval it comes from is the one it goes to."""
    for note, after in pairwise(exercise.voice):
        unit = exercise.unit_at(after.onset)
        prepared, held, now = (exercise.against(moment) for moment in (note.onset, unit.start, after.onset))
        if not note.onset < unit.start < after.onset or prepared is None or held is None or now is None:
            continue
        kind = interval_class(now.tone, after.tone)
        is_suspension = interval_class(held.tone, note.tone) not in CONSONANT
        if is_suspension and kind in _PERFECT and interval_class(prepared.tone, note.tone) == kind:
            text = f"The suspension only delays parallel {_PERFECT[kind]}."
            yield Fault(after.onset, f"delayed_{_PERFECT[kind]}", text)


def _runs(exercise: Exercise) -> Iterator[Fault]:
    run = 1
    for one, other in pairwise(exercise.voice):
        before, now = exercise.just_before(other.onset), exercise.against(other.onset)
        if before is None or now is None:
            continue
        kind = interval_class(now.tone, other.tone)
        run = run + 1 if kind in (THIRD, SIXTH) and kind == interval_class(before.tone, one.tone) else 1
        if run > _LONGEST_RUN:
            name = "thirds" if kind == THIRD else "sixths"
            yield Fault(other.onset, "parallel_run", f"More than three {name} follow each other.")
