"""Takes with chords: sounds of the tasks `piano` and `chords`, compared with what was played and with changed music.

The sound stays as it is, and the reference is changed instead, in three chords far from each other: one note is
another (the player plays a wrong one), one is added (the player leaves one out), one is removed (the player adds one).
All three are one group, "note", and what is reported within 60 ms counts once, because a wrong note in a chord may as
well be called a missing and an extra one.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.listening.fault_scores import TimedFault
from evaluation.sounds import SoundItem
from evaluation.sounds.truth import TrueNote, Truth

TASKS = ("piano", "chords")
_INSTRUMENTS = ("piano", "nylon guitar", "steel guitar")
_TOGETHER_S = 0.04
_APART_S = 1.5
_ONCE_S = 0.06
_NOTE_GROUPS = ("wrong", "missing", "extra")


def is_chord_take(item: SoundItem) -> bool:
    """Return whether an item is played on the piano or a guitar alone."""
    plan = item.plan()
    return plan.truth.instrument in _INSTRUMENTS and len({note.program for note in plan.notes}) == 1


def with_reference(truth: Truth, notes: Sequence[TrueNote]) -> Truth:
    """Return the truth of a take with these notes as its reference, from time 0 on."""
    first = min(note.start for note in notes)
    moved = [note._replace(start=note.start - first, end=note.end - first) for note in notes]
    return replace(truth, reference=sorted(moved), reference_bpm=truth.bpm or 120)


def with_changed_reference(truth: Truth, name: str) -> tuple[list[TrueNote], list[TimedFault]]:
    """Return changed music for a take, and the faults that the take has against it. `name` is the seed."""
    rng = random.Random(f"chords {name}")
    notes = sorted(truth.notes)
    chords = [chord for chord in _chords(notes) if len(chord) >= 3]
    rng.shuffle(chords)
    faults: list[TimedFault] = []
    for kind in ("wrong", "missing", "extra"):
        chord = next((each for each in chords if all(abs(each[0].start - at.time) > _APART_S for at in faults)), None)
        if chord is None:
            break
        note = rng.choice(chord)
        taken = {round(each.pitch) for each in chord}
        free = [move for move in (-2, -1, 1, 2) if round(note.pitch) + move not in taken]
        if not free:
            continue
        other = note._replace(pitch=note.pitch + rng.choice(free))
        notes = [each for each in notes if kind == "missing" or each != note] + ([other] if kind != "extra" else [])
        faults.append(TimedFault("note", note.start))
    return sorted(notes), faults


def _chords(notes: Sequence[TrueNote]) -> list[list[TrueNote]]:
    found: list[list[TrueNote]] = []
    for note in notes:
        if found and note.start - found[-1][0].start <= _TOGETHER_S:
            found[-1].append(note)
        else:
            found.append([note])
    return found


def joined_faults(faults: Sequence[TimedFault]) -> list[TimedFault]:
    """Return reported faults with wrong, missing and extra notes as one group, and each moment once."""
    found: list[TimedFault] = []
    for fault in sorted(faults, key=lambda fault: fault.time):
        group = "note" if fault.group in _NOTE_GROUPS else fault.group
        if not any(each.group == group and fault.time - each.time <= _ONCE_S for each in found):
            found.append(TimedFault(group, fault.time))
    return found
