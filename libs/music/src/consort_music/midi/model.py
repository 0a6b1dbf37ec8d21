"""What a Standard MIDI File says, in a form that is compact, fast to walk and loses nothing.

An event is a plain tuple `(tick, status, data)`; a file has up to millions of them, and tuples are what Python
makes fastest. `tick` is absolute. By status:

    0x80-0xEF  channel message: data is its one or two data bytes (running status is written out)
    0xF0, 0xF7 system exclusive, continuation or escape: data is the payload as stored, a closing F7 included
    0xF1-0xFE  other system messages, which do not belong in files but occur: data is their 0 to 2 data bytes
    0xFF       meta: data is the type byte followed by the payload

Note-on with velocity 0 is left as it is in the file, and end-of-track is an event like any other.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

Event: TypeAlias = tuple[int, int, bytes]
Track: TypeAlias = list[Event]

META = 0xFF
META_TRACK_NAME = 0x03
META_END_OF_TRACK = 0x2F
META_TEMPO = 0x51
META_TIME_SIGNATURE = 0x58
META_KEY_SIGNATURE = 0x59

DRUM_CHANNEL = 9  # as in the low four bits of a status byte; musicians call it channel 10


@dataclass(frozen=True, slots=True)
class AlienChunk:
    """A chunk that is neither header nor track (Yamaha's XF data, say), kept so that writing can put it back."""

    before_track: int
    tag: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class MidiFile:
    """A parsed file: `format` 0, 1 or 2; `division` as the 16 bits in the header; tracks; what had to be tolerated."""

    format: int
    division: int
    tracks: list[Track]
    alien_chunks: list[AlienChunk] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

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
