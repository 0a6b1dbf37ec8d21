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
    """Weights of moves between pitches by their index, 0 where a move is not allowed."""

    near: Sequence[tuple[int, int]]
    """From `b`, the pitches `near[b][0]` up to `near[b][1]` may follow, and may have come before."""
    first: Sequence[Row]
    """`first[b][q]`: from the first note b to q."""
    later: Sequence[Sequence[Row]]
    """`later[b][a][q]`: from b, which was reached from a, to q."""


def kind_of(move: int) -> int:
    """Of a move in places of the scale: 0 leap down, 1 step down, 2 repeat, 3 step up, 4 leap up."""
    return max(-2, min(2, move)) + 2


class NoMelody(Exception):
    """All melodies have weight 0."""


class Sampler:
    """`places[i][q]`: the weight of pitch q at note i; `into[i]`: the weights of the five kinds of move to note i."""

    def __init__(self, moves: Moves, places: Sequence[Sequence[float]], into: Sequence[Sequence[float]]) -> None:
        self._moves, self._places = moves, places
        self._kinds = [_by_move(row, len(moves.near)) for row in into]
        self._messages: list[Sequence[Sequence[float]]] = self._backward()

    def draw(self, rng: random.Random) -> list[int]:
        """The indices of one melody."""
        moves, places = self._moves, self._places
        before, here = 0, pick(list(map(mul, places[0], self._messages[0][0])), rng)
        drawn = [here]
        for note in range(1, len(places)):
            row = moves.first[here] if note == 1 else moves.later[here][before]
            before, here = here, pick(list(map(mul, row, self._ahead(note, here, self._messages[note]))), rng)
            drawn.append(here)
        return drawn

    def _ahead(self, note: int, here: int, messages: Sequence[Sequence[float]]) -> Row:
        """For each pitch at `note` after `here`: its weight there times all that can follow, without the move's own
        weight."""
        width = len(messages)
        kinds = self._kinds[note][width - here : 2 * width - here]
        return list(map(mul, map(mul, self._places[note], kinds), messages[here]))

    def _backward(self) -> list[Sequence[Sequence[float]]]:
        """`[i][a][b]`: the sum over everything after note i, when it is b and a was before; at 0 only `[0][0][b]`."""
        moves, places = self._moves, self._places
        count, width = len(places), len(moves.near)
        messages: list[Sequence[Sequence[float]]] = [[[1.0] * width] * width] * count
        nothing = [0.0] * width
        for note in range(count - 2, -1, -1):
            after = messages[note + 1]
            rows: list[Row] = []
            for here, place in enumerate(places[note]):
                if not place:
                    rows.append(nothing)
                    continue
                ahead = self._ahead(note + 1, here, after)
                row_set = moves.later[here] if note else [moves.first[here]]
                rows.append([sum(map(mul, row, ahead)) for row in row_set])
            messages[note] = list(zip(*_scaled(rows), strict=False))
        if not any(map(mul, places[0], messages[0][0])):
            raise NoMelody
        return messages


def _by_move(into: Sequence[float], width: int) -> Row:
    """The weight of each move by its size, from `width` places down to as many up."""
    return [into[0]] * (width - 1) + [into[1], into[2], into[3]] + [into[4]] * (width - 1)


def _scaled(rows: list[Row]) -> list[Row]:
    """Divided by the largest, so that long melodies do not run out of floating point."""
    largest = max(map(max, rows))
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
