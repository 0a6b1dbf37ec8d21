"""MIDI messages that both processes build or classify.

A note key is `channel << 7 | pitch`, with channels from 0.
"""

from collections.abc import Iterable, Iterator

CHANNELS = 16
PITCHES = 128
NOTE_KEYS = CHANNELS * PITCHES

SUSTAIN, ALL_SOUND_OFF, ALL_NOTES_OFF = 64, 120, 123


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
