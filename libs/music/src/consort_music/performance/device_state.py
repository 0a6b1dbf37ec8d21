"""Event chasing: finds the programs, controllers, pitch bends and pressures that a device must have at a position.

After a jump, the music must sound as if it had been played up to that position. A state that the music changes only
later is reset to its default. A state that the music sets exactly at the position needs no message.
"""

from consort_music.midi.state_keys import state_key
from consort_music.performance.compiled_music import CompiledMusic

_DEFAULTS = {1: 0, 2: 0, 4: 0, 5: 0, 7: 100, 8: 64, 10: 64, 11: 127, 64: 0, 65: 0, 66: 0, 67: 0, 68: 0, 69: 0}
"""The default values of the controllers that have the same default on every device. Other controllers are not reset."""
_BANK_SELECT = (0, 32)


def state_at(music: CompiledMusic, tick: int) -> list[tuple[str, bytes]]:
    """Return pairs of state key and message that set the device for a start at `tick`.

    Bank selects come before program changes, because a device applies the bank at the next program change.
    """
    here = music.index(tick)
    wanted: dict[str, bytes] = {}
    later: dict[str, bytes] = {}
    offsets, messages = music.offsets, music.messages
    for index in range(music.count):
        start = offsets[index]
        if not 0xB0 <= messages[start] < 0xF0:
            continue
        message = messages[start : offsets[index + 1]]
        key = state_key(message)
        if key is None:
            continue
        if index < here:
            wanted.pop(key, None)  # keeps the keys in the order of their last messages
            wanted[key] = message
        elif music.ticks[index] == tick:
            wanted.pop(key, None)
            later.pop(key, None)
            later[key] = b""
        elif key not in wanted:
            later.setdefault(key, message)
    for key, message in later.items():
        if message and (default := _default(message)) is not None:
            wanted.setdefault(key, default)
    return sorted(wanted.items(), key=lambda item: _order(item[1]))


def _default(message: bytes) -> bytes | None:
    """Return the message that resets the state that `message` sets, or None if it has no common default."""
    status = message[0]
    kind = status & 0xF0
    if kind == 0xB0:
        value = _DEFAULTS.get(message[1])
        return None if value is None else bytes((status, message[1], value))
    if kind == 0xC0:
        return None  # the first program differs between devices
    return bytes((status, 0)) if kind == 0xD0 else bytes((status, 0, 64))


def _order(message: bytes) -> int:
    kind = message[0] & 0xF0
    if kind == 0xB0:
        return 0 if message[1] in _BANK_SELECT else 2
    return 1 if kind == 0xC0 else 3
