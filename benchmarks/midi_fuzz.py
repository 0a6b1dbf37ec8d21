"""100,000 hostile inputs for the MIDI codec: each must be refused clearly or read correctly, in little time.

Correct means: a summary and paired notes can be made; the tracks are in order and end once; reading what is written
gives the same file again, whether tracks are written from their original bytes or anew; a file that is written anew
needs no warning about its tracks; and where mido opens a file that we read without a warning, it finds the same
channel messages at the same ticks (mido is tried on every tenth input, being the slower of the two).

The inputs follow from their number, so that a failure can be repeated: `check(hostile_input(kind, number))`.
"""

import io
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import mido

from benchmarks.report import Floor, Report, Row
from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, AlienChunk, Event, MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi
from consort_music.midi.summary import summarize
from consort_music.midi.writer import write_midi

INPUTS = 100_000
WITH_MIDO = 10
MAX_SECONDS = 0.5


def run() -> Report:
    rows: list[Row] = []
    failures: list[str] = []
    slowest = 0.0
    for kind in KINDS:
        outcomes: Counter[str] = Counter()
        longest = 0.0
        began = time.process_time()
        for number in range(-(-INPUTS // len(KINDS))):
            data = hostile_input(kind, number)
            started = time.process_time()
            try:
                outcomes[check(data, with_mido=number % WITH_MIDO == 0)] += 1
            except Exception as error:  # a bug that this run is there to find, whatever it raises
                outcomes["failed"] += 1
                failures.append(f"{kind} {number}: {error!r}")
            longest = max(longest, time.process_time() - started)
        rows.append(
            {
                "inputs": kind,
                "number": outcomes.total(),
                "read": outcomes["read"],
                "read with warnings": outcomes["warned"],
                "refused": outcomes["refused"],
                "failed": outcomes["failed"],
                "CPU s": time.process_time() - began,
                "longest ms": longest * 1000,
            }
        )
        slowest = max(slowest, longest)
    total = sum(int(row["number"] or 0) for row in rows)
    shown = "".join(f" {failure}." for failure in failures[:3])
    return Report(
        title="Hostile MIDI files: refused or read, never a crash",
        rows=rows,
        summary=f"{total:,} inputs, {len(failures)} failures; the longest took {slowest * 1000:.0f} ms.{shown}",
        floors=[
            Floor("inputs that crashed or were read wrongly", len(failures), 0),
            Floor("inputs tried", total, INPUTS, more_is_better=True),
            Floor("seconds of the longest input", slowest, MAX_SECONDS),
        ],
    )


# Checking one input


def check(data: bytes, with_mido: bool = True) -> str:
    """How it went: "refused", "read" or "warned"; anything that is not right raises."""
    try:
        file = read_midi(data)
    except MusicError as error:
        assert error.code == "INVALID_MIDI" and error.message, error
        return "refused"
    summary = summarize(file)
    assert len(summary.tracks) == len(file.tracks)
    assert summary.duration_ms >= 0
    notes = 0
    for index, track in enumerate(file.tracks):
        ticks = [tick for tick, _, _ in track]
        assert ticks == sorted(ticks)
        assert [place for place, event in enumerate(track) if event[1:] == (META, END_OF_TRACK)] == [len(track) - 1]
        paired = pair_notes(track, index).notes
        assert all(note.start <= note.end for note in paired)
        notes += len(paired)
    assert summary.note_count == notes
    _check_round_trip(file)
    if with_mido and not file.warnings:
        theirs = _mido_messages(data)
        ours = [[event for event in track if event[1] < 0xF0] for track in file.tracks]
        assert theirs is None or theirs == ours, "mido finds other messages"
    return "warned" if file.warnings else "read"


def _check_round_trip(file: MidiFile) -> None:
    written = write_midi(file)
    back = read_midi(written)
    if file.format == 0 and len(file.tracks) > 1:
        file = replace(file, format=1)  # a type 0 file has one track
    assert replace(back, warnings=file.warnings) == file
    assert write_midi(back) == written
    anew = write_midi(replace(file, tracks=[list(track) for track in file.tracks]))
    clean = read_midi(anew)
    assert replace(clean, warnings=file.warnings) == file
    about_tracks = [warning for warning in clean.warnings if warning.startswith("Track")]
    assert all("system messages" in warning for warning in about_tracks), about_tracks
    assert write_midi(clean) == anew


def _mido_messages(data: bytes) -> list[list[Event]] | None:
    try:
        file = mido.MidiFile(file=io.BytesIO(data))
    except Exception:  # mido raises whatever a damaged file leads it to: then there is nothing to compare
        return None
    tracks = []
    for track in file.tracks:
        tick = 0
        events: list[Event] = []
        for message in track:
            tick += message.time
            raw = bytes(message.bytes())
            if raw[0] < 0xF0:
                events.append((tick, raw[0], raw[1:]))
        tracks.append(events)
    return tracks


# Making inputs


def hostile_input(kind: str, number: int) -> bytes:
    """Input `number` of a kind, always the same bytes."""
    return KINDS[kind](random.Random(f"{kind} {number}"))


def sound_file(chance: random.Random) -> bytes:
    """A valid file of any type with all kinds of events, alien chunks and, now and then, a RIFF wrapper."""
    format_ = chance.choice([0, 1, 1, 1, 2])
    division = chance.choice([1, 96, 480, 0x7FFF, 0xE728, 0xE350])
    tracks = [_events(chance, chance.choice([0, 3, 30])) for _ in range(1 if format_ == 0 else chance.randrange(1, 4))]
    aliens = [AlienChunk(chance.randrange(3), b"XFIH", chance.randbytes(5)) for _ in range(chance.randrange(8) == 0)]
    data = write_midi(MidiFile(format_, division, tracks, aliens, (), b"ab" if chance.randrange(8) == 0 else b""))
    if chance.random() < 0.1:
        size = len(data).to_bytes(4, "little")
        data = b"RIFF" + size + b"RMIDdata" + size + data
    return data


def _events(chance: random.Random, count: int) -> list[Event]:
    tick = 0
    events: list[Event] = []
    for _ in range(count):
        tick += chance.choice([0, 0, 1, chance.randrange(200), chance.randrange(20_000)])
        channel, pair = chance.choice([0, 0, 3, 9]), bytes((chance.choice([60, 61, 127]), chance.choice([0, 1, 64])))
        status, data = chance.choice(
            [
                (0x90 | channel, pair),
                (0x90 | channel, pair),
                (0x80 | channel, pair),
                (chance.choice([0xA0, 0xB0, 0xE0]) | channel, pair),
                (chance.choice([0xC0, 0xD0]) | channel, pair[:1]),
                (0xF0, chance.randbytes(chance.randrange(4)) + b"\xf7"),
                (0xF7, chance.randbytes(chance.randrange(4))),
                (META, bytes((chance.choice([1, 3, 0x51, 0x58, 0x59, 0x7F]),)) + chance.randbytes(chance.randrange(6))),
                (META, b"\x51" + chance.randrange(1, 600_000).to_bytes(3, "big")),
            ]
        )
        events.append((tick, status, data))
    return events


_PIECES: list[bytes] = [
    *(b"\x00\x90\x3c\x40", b"\x60\x80\x3c\x40", b"\x00\x3c\x00", b"\x00\xc0\x05", b"\x05", b"\x00\x90\xc8\xc8"),
    *(
        b"\x81\x00",
        b"\xff\xff\xff\x7f",
        b"\xff",
        b"\x80",
        b"\x00",
        b"\x00\xf0\x02\x01\xf7",
        b"\x00\xf7\x01",
        b"\xf8",
        b"\x00\xf4",
    ),
    *(b"\x00\xff\x2f\x00", b"\x00\xff\x51\x03\x07\xa1\x20", b"\x00\xff\x01\x83\x00", b"\x00\xff\x59\x02\x63\x07"),
    *(b"\x00\xff\x58\x04\x00\xff\x18\x08", b"MTrk", b"MTrk\x00\x00\x00\x08", b"XFIH\x00\x00\x00\x02ab"),
]


def _random_bytes(chance: random.Random) -> bytes:
    return chance.choice([b"", b"MThd", b"RIFF\x00\x00\x00\x00RMID"]) + chance.randbytes(chance.randrange(200))


def _random_events(chance: random.Random) -> bytes:
    return _framed(chance, chance.randbytes(chance.randrange(200)))


def _pieces(chance: random.Random) -> bytes:
    return _framed(chance, b"".join(chance.choice(_PIECES) for _ in range(chance.randrange(40))))


def _framed(chance: random.Random, body: bytes) -> bytes:
    """A header and the body as a track, whose length may be wrong."""
    length = chance.choice([len(body), len(body), len(body), chance.randrange(300), 0xFFFFFFFF])
    numbers = (chance.choice([0, 1, 1, 2]), chance.choice([1, 1, 2, 0xFFFF]), chance.choice([96, 480, 0xE728]))
    head = b"".join(number.to_bytes(2, "big") for number in numbers)
    lead = b"\x00\x90\x40\x40" if chance.random() < 0.7 else b""
    return b"MThd\x00\x00\x00\x06" + head + b"MTrk" + (length + len(lead)).to_bytes(5, "big")[-4:] + lead + body


def _mutated(chance: random.Random) -> bytes:
    data = bytearray(sound_file(chance))
    for _ in range(chance.choice([1, 1, 2, 5, 30])):
        place = chance.randrange(len(data))
        change = chance.randrange(6)
        if change == 0:
            data[place] = chance.randrange(256)
        elif change == 1:
            data[place] ^= 1 << chance.randrange(8)
        elif change == 2 and len(data) > 40:
            del data[place : place + chance.randrange(1, 20)]
        elif change == 3:
            data[place:place] = chance.randbytes(chance.randrange(1, 20))
        elif change == 4:
            data[place:place] = chance.choice(_PIECES)
        else:
            data[place] = chance.choice([0x00, 0x7F, 0x80, 0xF0, 0xF7, 0xFF])
    return bytes(data)


def _truncated(chance: random.Random) -> bytes:
    data = sound_file(chance)
    return data[: chance.randrange(len(data))]


def _spliced(chance: random.Random) -> bytes:
    first, second = sound_file(chance), sound_file(chance)
    return first[: chance.randrange(len(first))] + second[chance.randrange(len(second)) :]


KINDS: dict[str, Callable[[random.Random], bytes]] = {
    "random bytes": _random_bytes,
    "random events": _random_events,
    "pieces of files": _pieces,
    "sound files": sound_file,
    "mutated files": _mutated,
    "truncated files": _truncated,
    "spliced files": _spliced,
}
