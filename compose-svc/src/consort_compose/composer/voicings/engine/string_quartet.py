"""Share out the notes of a chord among the players of a string quartet, with double stops if needed."""

from collections.abc import Sequence
from typing import NamedTuple


class StringPlayer(NamedTuple):
    name: str
    strings: tuple[int, ...]
    """The MIDI notes of the open strings, from the lowest up."""
    highest: int
    """The highest MIDI note."""


PLAYERS = (
    StringPlayer("cello", (36, 43, 50, 57), 76),
    StringPlayer("viola", (48, 55, 62, 69), 81),
    StringPlayer("violin 2", (55, 62, 69, 76), 88),
    StringPlayer("violin 1", (55, 62, 69, 76), 88),
)
_HAND = 5
"""The largest distance in semitones between two fingers on neighbouring strings."""
_HIGHEST_DOUBLE_STOP = 12
"""In a double stop, a finger is at most this many semitones above the open string."""


def share_out(notes: Sequence[int]) -> dict[str, tuple[int, ...]] | None:
    """Return the notes of each player, or None if the quartet cannot play them.

    Players are assigned from the cello up, without crossing, and with as few double stops as possible.
    """
    best: tuple[int, list[tuple[int, ...]]] | None = None

    def share(player: int, at: int, stops: int, shared: list[tuple[int, ...]]) -> None:
        nonlocal best
        if at == len(ordered):
            rest: list[tuple[int, ...]] = [()] * (len(PLAYERS) - player)
            if best is None or stops < best[0]:
                best = (stops, shared + rest)
            return
        if player == len(PLAYERS):
            return
        for count in (1, 2, 0):
            taken = tuple(ordered[at : at + count])
            if len(taken) == count and can_play(PLAYERS[player], taken):
                share(player + 1, at + count, stops + (count == 2), [*shared, taken])

    ordered = sorted(notes)
    share(0, 0, 0, [])
    if best is None:
        return None
    return {player.name: taken for player, taken in zip(PLAYERS, best[1], strict=True) if taken}


def can_play(player: StringPlayer, notes: Sequence[int]) -> bool:
    """Return whether a player can play these notes at once: at most two, from the lowest up."""
    if any(not player.strings[0] <= note <= player.highest for note in notes):
        return False
    if len(notes) < 2:
        return True
    low, high = notes
    for string, next_string in zip(player.strings, player.strings[1:], strict=False):
        finger, next_finger = low - string, high - next_string
        if 0 <= finger <= _HIGHEST_DOUBLE_STOP and 0 <= next_finger <= _HIGHEST_DOUBLE_STOP:
            is_open = finger == 0 or next_finger == 0
            if is_open or abs(finger - next_finger) <= _HAND:
                return True
    return False
