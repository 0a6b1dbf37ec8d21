"""What a Standard MIDI File says, in a form that is compact, fast to walk and loses nothing.

An event is a plain tuple `(tick, status, data)`; a file has up to millions of them, and tuples are what Python
makes fastest. `tick` is absolute. By status:

    0x80-0xEF  channel message: data is its one or two data bytes (running status is written out)
    0xF0, 0xF7 system exclusive, continuation or escape: data is the payload as stored, a closing F7 included
    0xF1-0xFE  other system messages, which do not belong in files but occur: data is their 0 to 2 data bytes
    0xFF       meta: data is the type byte followed by the payload

Note-on with velocity 0 is left as it is in the file. End-of-track is an event like any other; the reader gives every
track exactly one, as its last event, and the writer sees to it that this stays so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self, TypeAlias

Event: TypeAlias = tuple[int, int, bytes]
Track: TypeAlias = Sequence[Event]
"""In the order of time. Any sequence will do; those that were read are `ReadTrack`s."""

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
"""How many data bytes the system messages have that do not belong in files."""

MAX_DELTA = 0x0FFFFFFF
"""The longest time from one event to the next, and the longest payload: what four bytes of seven bits hold."""

DRUM_CHANNEL = 9  # as in the low four bits of a status byte; musicians call it channel 10


class ReadTrack(tuple[Event, ...]):
    """A track as it was read, which also knows the bytes it was read from.

    It cannot be changed, and whatever is made of it (a list, a slice, a sum) is without `original`: so the bytes can
    never say anything else than the events, and an untouched track is written back exactly as it was.
    """

    _original: bytes | None = None

    @property
    def original(self) -> bytes | None:
        """The body of the chunk, or None if the track was incomplete and must be written anew."""
        return self._original

    @classmethod
    def of(cls, events: Iterable[Event], original: bytes | None) -> Self:
        """For the reader: events and the bytes that say the same."""
        track = cls(events)
        track._original = original
        return track


@dataclass(frozen=True, slots=True)
class AlienChunk:
    """A chunk that is neither header nor track (Yamaha's XF data, say), kept so that writing can put it back."""

    before_track: int
    tag: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class MidiFile:
    """A parsed file: `format` 0, 1 or 2; `division` as the 16 bits in the header; tracks; what had to be tolerated.

    `header_extra` is what a header has beyond the six bytes that are defined.
    """

    format: int
    division: int
    tracks: Sequence[Track]
    alien_chunks: Sequence[AlienChunk] = ()
    warnings: Sequence[str] = ()
    header_extra: bytes = b""

    @property
    def ppq(self) -> int | None:
        """Ticks per quarter note, or None where ticks divide SMPTE frames instead."""
        return None if self.division & 0x8000 else self.division

    @property
    def smpte_ticks_per_second(self) -> Fraction | None:
        """Ticks per second of a SMPTE division, or None; 29 frames stand for the 30000/1001 of drop-frame video."""
        if not self.division & 0x8000:
            return None
        frames = 256 - (self.division >> 8)
        return (Fraction(30000, 1001) if frames == 29 else Fraction(frames)) * (self.division & 0xFF)
