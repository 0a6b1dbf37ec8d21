"""Sample whole melodies by forward filtering, backward sampling (FFBS) with the time direction reversed.

Messages run backward, sampling runs forward. The weight of a melody is the product of the weight of each note's pitch,
the weight of each move given the previous move, and the weight of each move's kind. The message of (previous pitch,
current pitch) is the total weight of all continuations. With these messages, a melody is drawn with a probability
proportional to its weight, and no draw runs into a dead end. Forbidden pitches and moves have weight 0. Pitches are
indices into the register.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

WeightRow = list[float]


@dataclass(frozen=True)
class MoveWeights:
    """Weights of moves between pitches; 0 for a move that is not allowed."""

    near: Sequence[tuple[int, int]]
    """`near[b]` is the range of pitches (end exclusive) that may come before or after pitch b."""
    first: Sequence[WeightRow]
    """`first[b][q]` is the weight of the first move, from b to q."""
    later: Sequence[Sequence[WeightRow]]
    """`later[b][a][q]` is the weight of the move from b to q if the previous move was from a to b."""


def kind_of(move: int) -> int:
    """Return the kind of a move, given in scale notes.

    0 is a wide leap down, 1 a third down, 2 a step down, 3 a repeat, 4 a step up, 5 a third up, 6 a wide leap up.
    """
    return max(-3, min(3, move)) + 3


class NoMelody(Exception):
    """All melodies have weight 0. `generate` catches this and tries again with weights that forbid less."""


class PitchSampler:
    """Draws melodies.

    `pitch_weights[i][q]` is the weight of pitch q at note i. `kind_weights[i]` has the weights of the seven kinds of
    move to note i (see `kind_of`). Raise NoMelody if all melodies have weight 0.
    """

    def __init__(
        self, moves: MoveWeights, pitch_weights: Sequence[Sequence[float]], kind_weights: Sequence[Sequence[float]]
    ) -> None:
        self._moves, self._pitch_weights = moves, pitch_weights
        self._move_size_weights = [_weights_by_size(row, len(moves.near)) for row in kind_weights]
        self._messages: list[Sequence[Sequence[float]]] = self._backward_messages()

    def draw(self, rng: random.Random) -> list[int]:
        """Draw one melody. Return the pitch index of each note."""
        moves, pitch_weights = self._moves, self._pitch_weights
        before, here = 0, pick(list(map(mul, pitch_weights[0], self._messages[0][0])), rng)
        drawn = [here]
        for note in range(1, len(pitch_weights)):
            row = moves.first[here] if note == 1 else moves.later[here][before]
            before, here = here, pick(list(map(mul, row, self._weights_ahead(note, here, self._messages[note]))), rng)
            drawn.append(here)
        return drawn

    def _weights_ahead(self, note: int, here: int, messages: Sequence[Sequence[float]]) -> WeightRow:
        """Return, for each pitch of `note`, pitch weight * kind weight * message, without the move weight.

        `here` is the pitch of the note before.
        """
        width = len(messages)
        move_size_weights = self._move_size_weights[note][width - here : 2 * width - here]
        return list(map(mul, map(mul, self._pitch_weights[note], move_size_weights), messages[here]))

    def _backward_messages(self) -> list[Sequence[Sequence[float]]]:
        """Return `[i][a][b]`: the total weight of all continuations after note i, if note i is b and note i-1 is a.

        The first note has no note before it, so only `[0][0][b]` is used. All messages of
        a note are scaled by the same factor.
        """
        moves, pitch_weights = self._moves, self._pitch_weights
        count, width = len(pitch_weights), len(moves.near)
        messages: list[Sequence[Sequence[float]]] = [[[1.0] * width] * width] * count
        zeros = [0.0] * width
        for note in range(count - 2, -1, -1):
            after = messages[note + 1]
            rows: list[WeightRow] = []
            for here, pitch_weight in enumerate(pitch_weights[note]):
                if not pitch_weight:
                    rows.append(zeros)
                    continue
                ahead = self._weights_ahead(note + 1, here, after)
                row_set = moves.later[here] if note else [moves.first[here]]
                rows.append([sum(map(mul, row, ahead)) for row in row_set])
            messages[note] = list(zip(*_normalized(rows), strict=False))
        if not any(map(mul, pitch_weights[0], messages[0][0])):
            raise NoMelody
        return messages


def _weights_by_size(kind_weights: Sequence[float], width: int) -> WeightRow:
    """Return the weight of each move of -width to +width scale notes, as a row that starts with -width."""
    return [kind_weights[kind_of(size)] for size in range(-width, width + 1)]


def _normalized(rows: list[WeightRow]) -> list[WeightRow]:
    """Return the rows divided by their largest value, because products over long melodies would underflow.

    Raise NoMelody if all values are 0.
    """
    largest = max(map(max, rows))
    if largest <= 0:
        raise NoMelody
    return [[value / largest for value in row] for row in rows]


def pick(weights: WeightRow, rng: random.Random) -> int:
    """Draw an index with a probability proportional to its weight. An index of weight 0 is never drawn."""
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
