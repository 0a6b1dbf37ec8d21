"""Read the parts of a MIDI file with mido, independently of our reader, to check what a song keeps of a file.

A part is what one channel plays in one track. Each note has its start and duration in quarter notes, pitch, velocity,
and the MIDI program of its channel at its start (the program change may be in another track). Note-ons and note-offs of
a key are paired first-in first-out. If some stay unmatched, a second rule is tried: a note-off may end a note-on that
comes after it on the same tick. The rule that leaves fewer events unmatched is used. A note of zero length lasts one
tick; a note without an end lasts to the end of its track.
"""

import io
from bisect import bisect_right
from collections import Counter, defaultdict, deque
from fractions import Fraction
from typing import Any, NamedTuple

import mido

NoteMessage = tuple[int, bool, int]
"""Tick, whether the note begins, velocity."""


class NoteInPart(NamedTuple):
    start: Fraction
    duration: Fraction
    pitch: int
    velocity: int
    program: int


def parts_of(content: bytes) -> list[Counter[NoteInPart]]:
    """Return the notes of each part that has notes. The parts are sorted, so the order of tracks does not matter."""
    file = mido.MidiFile(file=io.BytesIO(content), clip=True)
    ppq = file.ticks_per_beat
    parts: list[Counter[NoteInPart]] = []
    programs = _programs(file)
    for track in file.tracks:
        keys: dict[tuple[int, int], list[NoteMessage]] = defaultdict(list)
        tick = 0
        for message in track:
            tick += message.time
            if message.type in ("note_on", "note_off"):
                begins = message.type == "note_on" and message.velocity > 0
                keys[message.channel, message.note].append((tick, begins, message.velocity))
        played: dict[int, Counter[NoteInPart]] = defaultdict(Counter)
        for (channel, pitch), messages in keys.items():
            for start, end, velocity in _paired(messages, tick):
                program = _program_at(programs[channel], start)
                note = NoteInPart(Fraction(start, ppq), Fraction(max(end - start, 1), ppq), pitch, velocity, program)
                played[channel][note] += 1
        parts += played.values()
    return sorted(parts, key=lambda part: sorted(part.elements()))


def tempo_map(content: bytes) -> list[tuple[Fraction, int]]:
    """Return the quarter of each tempo change and its tempo in microseconds per quarter, without repeated tempos."""
    file = mido.MidiFile(file=io.BytesIO(content), clip=True)
    found: dict[int, int] = {0: 500_000}
    for tick, message in sorted(timed_messages(file, "set_tempo"), key=lambda change: change[0]):
        found[tick] = message.tempo
    changes: list[tuple[Fraction, int]] = []
    for tick, tempo in sorted(found.items()):
        if not changes or changes[-1][1] != tempo:
            changes.append((Fraction(tick, file.ticks_per_beat), tempo))
    return changes


def timed_messages(file: mido.MidiFile, kind: str) -> list[tuple[int, Any]]:
    """Return the tick and the message for each message of type `kind`, track by track."""
    found = []
    for track in file.tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == kind:
                found.append((tick, message))
    return found


def _programs(file: mido.MidiFile) -> dict[int, list[tuple[int, int]]]:
    """Return the program changes of each channel, as pairs of tick and program in order of time."""
    changes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for tick, message in timed_messages(file, "program_change"):
        changes[message.channel].append((tick, message.program))
    for each in changes.values():
        each.sort(key=lambda change: change[0])
    return changes


def _program_at(changes: list[tuple[int, int]], tick: int) -> int:
    place = bisect_right(changes, tick, key=lambda change: change[0])
    return changes[place - 1][1] if place else 0


def _paired(messages: list[NoteMessage], track_end: int) -> list[tuple[int, int, int]]:
    """Return start, end and velocity of each note of one key."""
    notes, unmatched = _pair_first_in_first_out(messages)
    if unmatched:
        other_notes, other_unmatched = _pair_with_offs_before_ons(messages)
        if other_unmatched < unmatched:
            notes = other_notes
    return [(start, track_end if end is None else end, velocity) for start, end, velocity in notes]


def _pair_first_in_first_out(messages: list[NoteMessage]) -> tuple[list[tuple[int, int | None, int]], int]:
    """Return start, end (or None) and velocity of each note, and the number of unmatched messages."""
    waiting: deque[tuple[int, int]] = deque()
    notes: list[tuple[int, int | None, int]] = []
    stray = 0
    for tick, begins, velocity in messages:
        if begins:
            waiting.append((tick, velocity))
        elif waiting:
            start, struck = waiting.popleft()
            notes.append((start, tick, struck))
        else:
            stray += 1
    notes += [(start, None, velocity) for start, velocity in waiting]
    return notes, stray + len(waiting)


def _pair_with_offs_before_ons(messages: list[NoteMessage]) -> tuple[list[tuple[int, int | None, int]], int]:
    """Pair as `_pair_first_in_first_out`, but let a note-off end a note-on that comes after it on the same tick."""
    waiting: deque[tuple[int, int]] = deque()
    notes: list[tuple[int, int | None, int]] = []
    early: list[int] = []
    stray = 0
    for tick, begins, velocity in messages:
        if early and early[-1] != tick:
            stray += len(early)
            early.clear()
        if begins and early:
            early.pop()
            notes.append((tick, tick, velocity))
        elif begins:
            waiting.append((tick, velocity))
        elif waiting:
            start, struck = waiting.popleft()
            notes.append((start, tick, struck))
        else:
            early.append(tick)
    notes += [(start, None, velocity) for start, velocity in waiting]
    return notes, stray + len(early) + len(waiting)
