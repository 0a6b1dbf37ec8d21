"""Counts the notes that sound on a port, in memory that the agent and the port process share.

The port process counts every note-on and note-off. If it dies or hangs, the agent reads here which notes must be
ended. The memory also contains the heartbeat of the port process: a number that changes as long as the process runs.
"""

import mmap
import os
import struct
from contextlib import suppress
from typing import Self

from consort_playback.protocol.midi_messages import CHANNELS, NOTE_KEYS, channels_off, note_offs

MAX_HELD = 255
_USED_CHANNELS = NOTE_KEYS
_HEARTBEAT = NOTE_KEYS + CHANNELS
_SIZE = _HEARTBEAT + 8


class SoundingNotes:
    """A memory-mapped file: a count for each note key, a flag for each channel, and the heartbeat."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)
        self.path = path
        self.counts = memoryview(self._map)[:NOTE_KEYS]
        """`counts[note_key]` is the number of note-ons of all sessions that have not ended yet, at most `MAX_HELD`."""
        self._heartbeat = 0

    @classmethod
    def create(cls) -> Self:
        """Create the file and map it. Only the agent calls this."""
        import tempfile  # imported here because the child programs do not need it

        handle, path = tempfile.mkstemp(prefix="consort-notes-")
        with os.fdopen(handle, "wb") as file:
            file.truncate(_SIZE)
        return cls(path)

    def unlink(self) -> None:
        """Delete the file. The memory exists as long as it is mapped. On Windows a mapped file cannot be deleted."""
        with suppress(OSError):
            os.unlink(self.path)

    def close(self) -> None:
        self.counts.release()
        self._map.close()
        self.unlink()

    def mark_used(self, channel: int) -> None:
        self._map[_USED_CHANNELS + channel] = 1

    def used_channels(self) -> list[int]:
        return [channel for channel in range(CHANNELS) if self._map[_USED_CHANNELS + channel]]

    def clear(self) -> None:
        """Record that no note is held and no channel is in use."""
        self._map[:_HEARTBEAT] = bytes(_HEARTBEAT)

    def beat(self) -> None:
        """Change the heartbeat, to show that the process is running."""
        self._heartbeat = (self._heartbeat + 1) & 0xFFFFFFFF
        struct.pack_into("=I", self._map, _HEARTBEAT, self._heartbeat)

    def last_heartbeat(self) -> int:
        heartbeat: int = struct.unpack_from("=I", self._map, _HEARTBEAT)[0]
        return heartbeat

    def sounding(self) -> list[int]:
        """Return the note keys that are held."""
        return [key for key, count in enumerate(self.counts) if count]

    def silencing_messages(self) -> list[bytes]:
        """Return note-offs for the held notes, and messages that silence every channel in use."""
        return [*note_offs(self.sounding()), *channels_off(self.used_channels())]
