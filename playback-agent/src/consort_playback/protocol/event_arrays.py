"""The layout of compiled music in the raw bytes of a frame: arrays of times, offsets and tracks, then the MIDI bytes.

The arrays have the byte order of this machine, because sender and receiver run on the same machine.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from consort_music.performance.compiled_music import CompiledMusic


class EventArrays:
    """Views into the received bytes of compiled music. Nothing is copied."""

    def __init__(self, count: int, end: int, payload: bytes | bytearray) -> None:
        """Split a payload of `count` events; `end` is the length of the music in nanoseconds."""
        view = memoryview(payload)
        times, offsets, tracks = 8 * count, 4 * (count + 1), 2 * count
        self.count = count
        self.end = end
        self.times: Sequence[int] = view[:times].cast("q")
        """When each event is due, in nanoseconds from the first tick."""
        self.offsets: Sequence[int] = view[times : times + offsets].cast("I")
        """Message i is `messages[offsets[i]:offsets[i + 1]]`."""
        self.tracks: Sequence[int] = view[times + offsets : times + offsets + tracks].cast("H")
        self.messages = view[times + offsets + tracks :]


def pack_music(music: "CompiledMusic") -> bytes:
    """Return the payload that `EventArrays` splits."""
    return music.times.tobytes() + music.offsets.tobytes() + music.tracks.tobytes() + music.messages
