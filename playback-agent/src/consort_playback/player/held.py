"""Which notes sound on a port: a table in memory that player and agent share.

The player counts every note-on and note-off in it; when the player dies or hangs, the agent reads there what must be
silenced. It also holds the player's heartbeat, a number that changes as long as it lives.
"""

import mmap
import os
import struct
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

CHANNELS = 16
PITCHES = 128
KEYS = CHANNELS * PITCHES
_USED = KEYS
_BEAT = KEYS + CHANNELS
_SIZE = _BEAT + 8
MOST = 255

SUSTAIN, ALL_SOUND_OFF, ALL_NOTES_OFF = 64, 120, 123


class NoteTable:
    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)
        self.path = path
        self.counts = memoryview(self._map)[:KEYS]
        """By `channel << 7 | pitch`: how often the note is held, by all sessions together."""
        self._beat = 0

    @classmethod
    def create(cls) -> Self:
        handle, name = tempfile.mkstemp(prefix="consort-notes-")
        with os.fdopen(handle, "wb") as file:
            file.truncate(_SIZE)
        return cls(Path(name))

    def unlink(self) -> None:
        """Take the name away; the memory stays while it is used. Windows lets it go only when nobody uses it."""
        with suppress(OSError):
            self.path.unlink()

    def close(self) -> None:
        self.counts.release()
        self._map.close()
        self.unlink()

    def mark_used(self, channel: int) -> None:
        self._map[_USED + channel] = 1

    def forget(self) -> None:
        """Nothing is held any more, and no channel is in use."""
        self._map[:_BEAT] = bytes(_BEAT)

    def used_channels(self) -> list[int]:
        return [channel for channel in range(CHANNELS) if self._map[_USED + channel]]

    def beat(self) -> None:
        self._beat = (self._beat + 1) & 0xFFFFFFFF
        struct.pack_into("=I", self._map, _BEAT, self._beat)

    def last_beat(self) -> int:
        beat: int = struct.unpack_from("=I", self._map, _BEAT)[0]
        return beat

    def sounding(self) -> list[int]:
        return [key for key, count in enumerate(self.counts) if count]

    def silence(self) -> list[bytes]:
        """The messages that end everything that may still sound."""
        return [*note_offs(self.sounding()), *channels_off(self.used_channels())]


def note_offs(keys: list[int]) -> Iterator[bytes]:
    return (bytes((0x80 | key >> 7, key & 127, 64)) for key in keys)


def channels_off(channels: list[int]) -> Iterator[bytes]:
    """Pedal up, all notes off, all sound off; a device may know only some of them."""
    for channel in channels:
        for controller in (SUSTAIN, ALL_NOTES_OFF, ALL_SOUND_OFF):
            yield bytes((0xB0 | channel, controller, 0))
