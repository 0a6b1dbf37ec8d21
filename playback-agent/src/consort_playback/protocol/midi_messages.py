"""MIDI messages that both processes build or classify.

A note key is `channel << 7 | pitch`, with channels from 0. A state key is a text that identifies one value that a
device remembers: `B0.7` is the volume (controller 7) of the first channel, `C0` is its program.
"""

from collections.abc import Iterable, Iterator

CHANNELS = 16
PITCHES = 128
NOTE_KEYS = CHANNELS * PITCHES

SUSTAIN, ALL_SOUND_OFF, ALL_NOTES_OFF = 64, 120, 123
FIRST_CHANNEL_MODE = 120
"""Controllers from this number on are channel mode messages, which do not set a value that the device remembers."""


def note_key(message: bytes) -> int:
    """Return the note key of a note-on, a note-off or key pressure."""
    return (message[0] & 15) << 7 | message[1]


def note_off(key: int) -> bytes:
    return bytes((0x80 | key >> 7, key & 127, 64))


def note_offs(keys: Iterable[int]) -> Iterator[bytes]:
    return map(note_off, keys)


def channels_off(channels: Iterable[int]) -> Iterator[bytes]:
    """Yield pedal up, all notes off and all sound off for each channel. A device may support only some of them."""
    for channel in channels:
        for controller in (SUSTAIN, ALL_NOTES_OFF, ALL_SOUND_OFF):
            yield bytes((0xB0 | channel, controller, 0))


def state_key(message: bytes) -> str | None:
    """Return the state key of a channel message, or None if it does not set a value that the device remembers."""
    kind = message[0] & 0xF0
    if kind == 0xB0 and message[1] < FIRST_CHANNEL_MODE:
        return f"{message[0]:X}.{message[1]}"
    if kind in (0xC0, 0xD0, 0xE0):
        return f"{message[0]:X}"
    return None
