"""Identify the values that a MIDI device remembers: programs, controllers, pitch bends and pressures.

A state key is a text: `B0.7` is the volume (controller 7) of the first channel, `C0` is its program.
"""

FIRST_CHANNEL_MODE = 120
"""Controllers from this number on are channel mode messages, which do not set a value that the device remembers."""


def state_key(message: bytes) -> str | None:
    """Return the state key of a channel message, or None if it does not set a value that the device remembers."""
    kind = message[0] & 0xF0
    if kind == 0xB0 and message[1] < FIRST_CHANNEL_MODE:
        return f"{message[0]:X}.{message[1]}"
    if kind in (0xC0, 0xD0, 0xE0):
        return f"{message[0]:X}"
    return None
