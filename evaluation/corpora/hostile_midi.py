"""Hostile inputs for the MIDI reader: random, mutated, truncated and spliced files.

The bytes of an input depend only on its kind and its number. To repeat a failure, call
`check(hostile_input(kind, number))` with `check` from `evaluation.checkers.midi_codec`.
"""

import random
from collections.abc import Callable

from consort_music.midi.model import META, AlienChunk, Event, MidiFile
from consort_music.midi.writer import write_midi


def hostile_input(kind: str, number: int) -> bytes:
    """Return input `number` of this kind. The result is deterministic."""
    return KINDS[kind](random.Random(f"{kind} {number}"))


def valid_file(rng: random.Random) -> bytes:
    """Return a valid file: any format, all kinds of events, sometimes unknown chunks or a RIFF wrapper."""
    format_ = rng.choice([0, 1, 1, 1, 2])
    division = rng.choice([1, 96, 480, 0x7FFF, 0xE728, 0xE350])
    tracks = [_events(rng, rng.choice([0, 3, 30])) for _ in range(1 if format_ == 0 else rng.randrange(1, 4))]
    aliens = [AlienChunk(rng.randrange(3), b"XFIH", rng.randbytes(5)) for _ in range(rng.randrange(8) == 0)]
    data = write_midi(MidiFile(format_, division, tracks, aliens, (), b"ab" if rng.randrange(8) == 0 else b""))
    if rng.random() < 0.1:
        size = len(data).to_bytes(4, "little")
        data = b"RIFF" + size + b"RMIDdata" + size + data
    return data


def _events(rng: random.Random, count: int) -> list[Event]:
    tick = 0
    events: list[Event] = []
    for _ in range(count):
        tick += rng.choice([0, 0, 1, rng.randrange(200), rng.randrange(20_000)])
        channel, pair = rng.choice([0, 0, 3, 9]), bytes((rng.choice([60, 61, 127]), rng.choice([0, 1, 64])))
        status, data = rng.choice(
            [
                (0x90 | channel, pair),
                (0x90 | channel, pair),
                (0x80 | channel, pair),
                (rng.choice([0xA0, 0xB0, 0xE0]) | channel, pair),
                (rng.choice([0xC0, 0xD0]) | channel, pair[:1]),
                (0xF0, rng.randbytes(rng.randrange(4)) + b"\xf7"),
                (0xF7, rng.randbytes(rng.randrange(4))),
                (META, bytes((rng.choice([1, 3, 0x51, 0x58, 0x59, 0x7F]),)) + rng.randbytes(rng.randrange(6))),
                (META, b"\x51" + rng.randrange(1, 600_000).to_bytes(3, "big")),
            ]
        )
        events.append((tick, status, data))
    return events


_FRAGMENTS: list[bytes] = [
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


def _random_bytes(rng: random.Random) -> bytes:
    return rng.choice([b"", b"MThd", b"RIFF\x00\x00\x00\x00RMID"]) + rng.randbytes(rng.randrange(200))


def _random_events(rng: random.Random) -> bytes:
    return _framed(rng, rng.randbytes(rng.randrange(200)))


def _random_fragments(rng: random.Random) -> bytes:
    return _framed(rng, b"".join(rng.choice(_FRAGMENTS) for _ in range(rng.randrange(40))))


def _framed(rng: random.Random, body: bytes) -> bytes:
    """Return a header and one track with this body. The length field of the track may be wrong."""
    length = rng.choice([len(body), len(body), len(body), rng.randrange(300), 0xFFFFFFFF])
    numbers = (rng.choice([0, 1, 1, 2]), rng.choice([1, 1, 2, 0xFFFF]), rng.choice([96, 480, 0xE728]))
    head = b"".join(number.to_bytes(2, "big") for number in numbers)
    lead = b"\x00\x90\x40\x40" if rng.random() < 0.7 else b""
    return b"MThd\x00\x00\x00\x06" + head + b"MTrk" + (length + len(lead)).to_bytes(5, "big")[-4:] + lead + body


def _mutated(rng: random.Random) -> bytes:
    data = bytearray(valid_file(rng))
    for _ in range(rng.choice([1, 1, 2, 5, 30])):
        place = rng.randrange(len(data))
        change = rng.randrange(6)
        if change == 0:
            data[place] = rng.randrange(256)
        elif change == 1:
            data[place] ^= 1 << rng.randrange(8)
        elif change == 2 and len(data) > 40:
            del data[place : place + rng.randrange(1, 20)]
        elif change == 3:
            data[place:place] = rng.randbytes(rng.randrange(1, 20))
        elif change == 4:
            data[place:place] = rng.choice(_FRAGMENTS)
        else:
            data[place] = rng.choice([0x00, 0x7F, 0x80, 0xF0, 0xF7, 0xFF])
    return bytes(data)


def _truncated(rng: random.Random) -> bytes:
    data = valid_file(rng)
    return data[: rng.randrange(len(data))]


def _spliced(rng: random.Random) -> bytes:
    first, second = valid_file(rng), valid_file(rng)
    return first[: rng.randrange(len(first))] + second[rng.randrange(len(second)) :]


KINDS: dict[str, Callable[[random.Random], bytes]] = {
    "random bytes": _random_bytes,
    "random events": _random_events,
    "pieces of files": _random_fragments,
    "valid files": valid_file,
    "mutated files": _mutated,
    "truncated files": _truncated,
    "spliced files": _spliced,
}
