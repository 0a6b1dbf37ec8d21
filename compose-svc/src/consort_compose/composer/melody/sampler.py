"""Melodies drawn from weights, exactly: backward messages over (previous, current) pitch, then drawing forward.

A melody's weight is the product of a start weight, a weight for each note in its place, and a weight for each move
given the one before. Messages are the sums over all that can still follow; drawing with them gives every melody with
a probability in proportion to its weight, and never runs into a dead end. What is forbidden has weight 0.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

Row = list[float]


@dataclass(frozen=True)
class Moves:
    """Weights of moves between pitches by their index. From `b`, the pitches `near[b][0]` up to `near[b][1]` may
    follow, and may have come before."""

    near: Sequence[tuple[int, int]]
    first: Sequence[Row]
    """`first[b][q]`: from the first note b to q. Here and below, indices of neighbours count from near[b][0]."""
    later: Sequence[Sequence[Row]]
    """`later[b][a][q]`: from b, which was reached from a, to q."""
    kinds: Sequence[Sequence[int]]
    """`kinds[b][q]`: 0 leap down, 1 step down, 2 repeat, 3 step up, 4 leap up."""


class NoMelody(Exception):
    """All melodies have weight 0."""


class Sampler:
    """`places[i][q]`: the weight of pitch q at note i; `into[i]`: the weights of the five kinds of move to note i."""

    def __init__(self, moves: Moves, places: Sequence[Sequence[float]], into: Sequence[Sequence[float]]) -> None:
        self._moves, self._places, self._into = moves, places, into
        self._messages = self._backward()

    def draw(self, rng: random.Random) -> list[int]:
        """The indices of one melody."""
        moves, places = self._moves, self._places
        here = pick([place * row[0] for place, row in zip(places[0], self._messages[0], strict=True)], rng)
        drawn = [here]
        row: Row | None = None
        for note in range(1, len(places)):
            low, _ = moves.near[here]
            ahead = self._ahead(note, here)
            row = moves.first[here] if note == 1 else moves.later[here][drawn[-2] - low]
            drawn.append(low + pick(list(map(mul, row, ahead)), rng))
            here = drawn[-1]
        return drawn

    def _ahead(self, note: int, here: int) -> Row:
        """For each neighbour at `note`: its weight there times all that can follow, without the move's own weight."""
        low, high = self._moves.near[here]
        near, into = self._moves.near, self._into[note]
        place, message = self._places[note], self._messages[note]
        return [
            place[after] * into[kind] * message[after][here - near[after][0]] if place[after] else 0.0
            for after, kind in zip(range(low, high), self._moves.kinds[here], strict=True)
        ]

    def _backward(self) -> list[list[Row]]:
        """`[i][b][a]`: the sum over everything after note i, when it is b and a was before; at 0 only `[0][b][0]`."""
        moves, places = self._moves, self._places
        count = len(places)
        width = len(moves.near)
        self._messages = [[] for _ in range(count)]
        self._messages[-1] = [[1.0] * (high - low) for low, high in moves.near]
        for note in range(count - 2, -1, -1):
            rows: list[Row] = []
            for here in range(width):
                if not places[note][here]:
                    rows.append([])
                    continue
                ahead = self._ahead(note + 1, here)
                if note == 0:
                    rows.append([sum(map(mul, moves.first[here], ahead))])
                else:
                    rows.append([sum(map(mul, row, ahead)) for row in moves.later[here]])
            self._messages[note] = _scaled(rows)
        if count == 1:
            self._messages[0] = [[1.0] for _ in range(width)]
        messages = self._messages
        messages[0] = [row or [0.0] for row in messages[0]]
        if not any(place * row[0] for place, row in zip(places[0], messages[0], strict=True)):
            raise NoMelody
        return messages


def _scaled(rows: list[Row]) -> list[Row]:
    """Divided by the largest, so that long melodies do not run out of floating point."""
    largest = max((max(row) for row in rows if row), default=0.0)
    if largest <= 0:
        raise NoMelody
    return [[value / largest for value in row] for row in rows]


def pick(weights: Row, rng: random.Random) -> int:
    total = sum(weights)
    left = rng.random() * total
    last = 0
    for index, weight in enumerate(weights):
        if weight > 0:
            last = index
            left -= weight
            if left < 0:
                break
    return last
