"""What a device must be set to where playing goes on: programs, controllers, pitch bend and pressure.

After a jump it must sound as if the music had been played up to there. What the music sets later, but has not set
by then, goes back to its default; what it sets at that very tick needs nothing.
"""

from consort_playback.music.piece import Piece
from consort_playback.player.desk import state_key

_RESET = {1: 0, 2: 0, 4: 0, 5: 0, 7: 100, 8: 64, 10: 64, 11: 127, 64: 0, 65: 0, 66: 0, 67: 0, 68: 0, 69: 0}
"""Controllers with a default that every device knows; others are left alone."""
_BANK_SELECT = (0, 32)


def state_at(piece: Piece, tick: int) -> list[tuple[str, bytes]]:
    """By state key the messages that set the device; bank selects come before programs, as devices need it."""
    here = piece.index(tick)
    wanted: dict[str, bytes] = {}
    later: dict[str, bytes] = {}
    offsets, messages = piece.offsets, piece.messages
    for index in range(piece.count):
        start = offsets[index]
        if not 0xB0 <= messages[start] < 0xF0:
            continue
        message = messages[start : offsets[index + 1]]
        key = state_key(message)
        if key is None:
            continue
        if index < here:
            wanted.pop(key, None)  # so that it comes at the place of its last setting
            wanted[key] = message
        elif piece.ticks[index] == tick:
            wanted.pop(key, None)
            later.pop(key, None)
            later[key] = b""
        elif key not in wanted:
            later.setdefault(key, message)
    for key, message in later.items():
        if message and (reset := _default(message)) is not None:
            wanted.setdefault(key, reset)
    return sorted(wanted.items(), key=lambda item: _order(item[1]))


def _default(message: bytes) -> bytes | None:
    status = message[0]
    kind = status & 0xF0
    if kind == 0xB0:
        value = _RESET.get(message[1])
        return None if value is None else bytes((status, message[1], value))
    if kind == 0xC0:
        return None  # which program a device begins with is its own affair
    return bytes((status, 0)) if kind == 0xD0 else bytes((status, 0, 64))


def _order(message: bytes) -> int:
    kind = message[0] & 0xF0
    if kind == 0xB0:
        return 0 if message[1] in _BANK_SELECT else 2
    return 1 if kind == 0xC0 else 3
