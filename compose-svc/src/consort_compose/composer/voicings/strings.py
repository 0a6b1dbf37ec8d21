"""Four string players: who plays which note, and which two notes one player can play at once."""

from collections.abc import Sequence
from typing import NamedTuple


class Player(NamedTuple):
    name: str
    strings: tuple[int, ...]
    highest: int


PLAYERS = (
    Player("cello", (36, 43, 50, 57), 76),
    Player("viola", (48, 55, 62, 69), 81),
    Player("violin 2", (55, 62, 69, 76), 88),
    Player("violin 1", (55, 62, 69, 76), 88),
)
_HAND = 5
"""Semitones between the fingers on two neighbouring strings: a fourth finger's reach."""
_HIGHEST_DOUBLE_STOP = 12


def share_out(notes: Sequence[int]) -> dict[str, tuple[int, ...]] | None:
    """The notes of each player, lowest first and nobody crossing; a note each where that is possible, double stops
    where not. None where they cannot be played at all."""
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


def can_play(player: Player, notes: Sequence[int]) -> bool:
    """Nothing, one note of the range, or a double stop on neighbouring strings."""
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
