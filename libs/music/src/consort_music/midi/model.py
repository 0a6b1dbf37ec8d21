"""The contents of a Standard MIDI File, complete and in a compact form that is fast to iterate.

An event is a tuple `(tick, status, data)`. A file can have millions of them, and tuples are the fastest objects to
create. `tick` is absolute. By status:

    0x80-0xEF  channel message: data is its one or two data bytes (running status is expanded)
    0xF0, 0xF7 system exclusive, continuation or escape: data is the payload as stored, including a closing F7
    0xF1-0xFE  other system messages, which do not belong in files but occur: data is their 0 to 2 data bytes
    0xFF       meta: data is the type byte followed by the payload

Note-on with velocity 0 stays as it is. The last event of every track that was read is an end-of-track event, and there
is no other one. The writer ensures the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self, TypeAlias

Event: TypeAlias = tuple[int, int, bytes]
Track: TypeAlias = Sequence[Event]
"""Events sorted by tick, in any sequence type. The reader returns `ReadTrack`s."""

META = 0xFF
META_TRACK_NAME = 0x03
META_MARKER = 0x06
META_END_OF_TRACK = 0x2F
META_TEMPO = 0x51
META_TIME_SIGNATURE = 0x58
META_KEY_SIGNATURE = 0x59
END_OF_TRACK = bytes((META_END_OF_TRACK,))
"""The data of an end-of-track event."""

SYSTEM_DATA_LENGTHS = {0xF1: 1, 0xF2: 2, 0xF3: 1, 0xF6: 0, 0xF8: 0, 0xFA: 0, 0xFB: 0, 0xFC: 0, 0xFE: 0}
"""The number of data bytes of each system message that does not belong in files."""

MAX_DELTA = 0x0FFFFFFF
"""The largest delta time and the longest payload: 28 bits, seven in each of four bytes."""

DRUM_CHANNEL = 9  # in the low four bits of a status byte; musicians call it channel 10


class ReadTrack(tuple[Event, ...]):
    """A track as it was read, with the bytes that it was read from (`chunk_body`).

    It is immutable, and anything derived from it (a list, a slice, a sum) has no `chunk_body`. So bytes and events
    always agree, and an unchanged track is written back byte for byte.
    """

    _chunk_body: bytes | None = None

    @property
    def chunk_body(self) -> bytes | None:
        """The body of the chunk, or None if the track was incomplete, so that it has to be encoded again."""
        return self._chunk_body

    @classmethod
    def of(cls, events: Iterable[Event], chunk_body: bytes | None) -> Self:
        """Return a track of these events with the bytes that they were read from. Only the reader uses this."""
        track = cls(events)
        track._chunk_body = chunk_body
        return track


@dataclass(frozen=True, slots=True)
class AlienChunk:
    """A chunk that is neither header nor track ("alien" in the standard), such as Yamaha's XF data. It is kept."""

    before_track: int
    tag: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class MidiFile:
    """A parsed file.

    `format` is the type: 0, 1 or 2. `division` has the 16 bits of the header that define the length of a tick.
    `header_extra` are the header bytes after the six defined ones. `warnings` describe the damage that was tolerated.
    """

    format: int
    division: int
    tracks: Sequence[Track]
    alien_chunks: Sequence[AlienChunk] = ()
    warnings: Sequence[str] = ()
    header_extra: bytes = b""

    @property
    def ppq(self) -> int | None:
        """Ticks per quarter note, or None if the file is timed by SMPTE frames."""
        return None if self.division & 0x8000 else self.division

    @property
    def smpte_ticks_per_second(self) -> Fraction | None:
        """Ticks per second if the file is timed by SMPTE frames, otherwise None.

        A rate of 29 means 30000/1001 frames per second, as in drop-frame video.
        """
        if not self.division & 0x8000:
            return None
        frames = 256 - (self.division >> 8)
        return (Fraction(30000, 1001) if frames == 29 else Fraction(frames)) * (self.division & 0xFF)
