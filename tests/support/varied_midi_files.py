"""Fifty MIDI files, written by many programs and in all formats. Some are damaged.

Some come with music21 and were written by other programs. music21 writes folk tunes and pieces of its corpus, and mido
writes chorales with all kinds of messages. Each file has a second version of the same music that mido can read, because
mido does not read RIFF and rejects damaged files.
"""

import io
import struct
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import mido

from tests.support.chorale_midi_files import chorales

_PIECES = ("bwv66.6", "schoenberg/opus19/movement2", "webern", "corelli/opus3no1/1grave", "leadSheet/fosterBrownHair")
_FOLK_TUNES = (
    *((f"essenFolksong/{book}", number) for book in ("han1", "altdeu10") for number in (3, 12, 40, 90)),
    ("airdsAirs/book1", 3),
    ("essenFolksong/erk5", 3),
    ("oneills1850/0001-0050", 5),
)
_CHORALES = 6
_MUCH_LIKE_OTHERS = {"test20", "test21", "k525MIDIMvt1"}
_END_OF_TRACK = b"\x00\xff\x2f\x00"
_FOREIGN_CHUNK = b"XFIH" + struct.pack(">I", 5) + b"MTrk\xff"


class VariedFile(NamedTuple):
    name: str
    content: bytes
    as_mido_reads_it: bytes
    """The same music in a file that mido can read."""


def varied_files() -> list[VariedFile]:
    found = by_programs()
    plain = dict(found)
    found += [*by_music21(), *chorales(_CHORALES)]
    return [
        *(VariedFile(name, content, content) for name, content in found),
        *_otherwise_wrapped(plain),
        *_damaged(plain),
    ]


def by_programs() -> list[tuple[str, bytes]]:
    spec = find_spec("music21")
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent
    files = sorted([*folder.glob("midi/testPrimitive/*.mid"), *folder.glob("omr/*.mid")])
    return [(file.stem, file.read_bytes()) for file in files if file.stem not in _MUCH_LIKE_OTHERS]


def by_music21() -> Iterator[tuple[str, bytes]]:
    from music21 import corpus, midi

    for name in _PIECES:
        yield name, midi.translate.streamToMidiFile(corpus.parse(name)).writestr()
    for name, number in _FOLK_TUNES:
        yield f"{name} {number}", midi.translate.streamToMidiFile(corpus.parse(name, number=number)).writestr()


def _otherwise_wrapped(plain: dict[str, bytes]) -> Iterator[VariedFile]:
    """Yield the same music in other file formats."""
    content = plain["test17"]
    data = b"data" + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
    yield VariedFile("RIFF", b"RIFF" + struct.pack("<I", 4 + len(data)) + b"RMID" + data, content)
    content = plain["test11"]
    yield VariedFile("SMPTE", content[:12] + struct.pack(">bB", -25, 40) + content[14:], content)
    content = plain["test14"]
    yield VariedFile("foreign chunk", content[:14] + _FOREIGN_CHUNK + content[14:], content)
    content = plain["test12"]
    yield VariedFile("long header", content[:7] + b"\x08" + content[8:14] + b"\1\2" + content[14:], content)


def _damaged(plain: dict[str, bytes]) -> Iterator[VariedFile]:
    """Yield damaged files that a DAW would still open."""
    content = plain["test02"]
    yield VariedFile("too many tracks announced", content[:11] + b"\x63" + content[12:], content)
    yield VariedFile("rubbish behind", content + b"\0\0rubbish", content)
    content = plain["test10"]
    assert content.endswith(_END_OF_TRACK)
    yield VariedFile("no end of track", content.removesuffix(_END_OF_TRACK), content)
    notes = [mido.Message(kind, note=60 + pitch, time=40) for pitch in range(40) for kind in ("note_on", "note_off")]
    kept = _saved(notes[:50])
    yield VariedFile("cut off", _saved(notes)[: len(kept) - len(_END_OF_TRACK)] + b"\x28\x90", kept)


def _saved(messages: list[mido.Message]) -> bytes:
    out = io.BytesIO()
    mido.MidiFile(type=0, tracks=[mido.MidiTrack(messages)]).save(file=out)
    return out.getvalue()
