"""The parts of a MIDI file as mido reads it: an oracle for what a song keeps of a file, without a line of our reader.

A part is what one channel plays in one track: its notes with start and duration in quarter notes, pitch, velocity and
the program that the channel has when they begin, wherever the program change stands. Notes pair first-in first-out; for
a key where that leaves fewer events unmatched, a note-off belongs to the note-on behind it on the same tick. A note of
zero length lasts one tick, and one that nothing ends lasts to the end of its track.
"""

import io
from bisect import bisect_right
from collections import Counter, defaultdict, deque
from fractions import Fraction
from typing import NamedTuple

import mido

Message = tuple[int, bool, int]
"""Tick, whether the note begins, velocity."""


class PlayedNote(NamedTuple):
    start: Fraction
    duration: Fraction
    pitch: int
    velocity: int
    program: int


def parts_of(content: bytes) -> list[Counter[PlayedNote]]:
    """The notes of each part that has any, in an order that does not depend on how tracks are arranged."""
    file = mido.MidiFile(file=io.BytesIO(content), clip=True)
    ppq = file.ticks_per_beat
    parts: list[Counter[PlayedNote]] = []
    programs = _programs(file)
    for track in file.tracks:
        keys: dict[tuple[int, int], list[Message]] = defaultdict(list)
        tick = 0
        for message in track:
            tick += message.time
            if message.type in ("note_on", "note_off"):
                begins = message.type == "note_on" and message.velocity > 0
                keys[message.channel, message.note].append((tick, begins, message.velocity))
        played: dict[int, Counter[PlayedNote]] = defaultdict(Counter)
        for (channel, pitch), messages in keys.items():
            for start, end, velocity in _paired(messages, tick):
                program = _program_at(programs[channel], start)
                note = PlayedNote(Fraction(start, ppq), Fraction(max(end - start, 1), ppq), pitch, velocity, program)
                played[channel][note] += 1
        parts += played.values()
    return sorted(parts, key=lambda part: sorted(part.elements()))


def tempo_map(content: bytes) -> list[tuple[Fraction, int]]:
    """From which beat on each tempo holds, in microseconds a beat, without those that change nothing."""
    file = mido.MidiFile(file=io.BytesIO(content), clip=True)
    found: dict[int, int] = {0: 500_000}
    for tick, tempo in sorted(_metas(file, "set_tempo", "tempo"), key=lambda change: change[0]):
        found[tick] = tempo
    changes: list[tuple[Fraction, int]] = []
    for tick, tempo in sorted(found.items()):
        if not changes or changes[-1][1] != tempo:
            changes.append((Fraction(tick, file.ticks_per_beat), tempo))
    return changes


def _metas(file: mido.MidiFile, kind: str, value: str) -> list[tuple[int, int]]:
    found = []
    for track in file.tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == kind:
                found.append((tick, getattr(message, value)))
    return found


def _programs(file: mido.MidiFile) -> dict[int, list[tuple[int, int]]]:
    changes: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for track in file.tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == "program_change":
                changes[message.channel].append((tick, message.program))
    for each in changes.values():
        each.sort(key=lambda change: change[0])
    return changes


def _program_at(changes: list[tuple[int, int]], tick: int) -> int:
    place = bisect_right(changes, tick, key=lambda change: change[0])
    return changes[place - 1][1] if place else 0


def _paired(messages: list[Message], track_end: int) -> list[tuple[int, int, int]]:
    """Start, end and velocity of each note of one key."""
    in_turn, unmatched = _in_turn(messages)
    if unmatched:
        ahead, fewer = _off_ahead_of_its_on(messages)
        if fewer < unmatched:
            in_turn = ahead
    return [(start, track_end if end is None else end, velocity) for start, end, velocity in in_turn]


def _in_turn(messages: list[Message]) -> tuple[list[tuple[int, int | None, int]], int]:
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


def _off_ahead_of_its_on(messages: list[Message]) -> tuple[list[tuple[int, int | None, int]], int]:
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
