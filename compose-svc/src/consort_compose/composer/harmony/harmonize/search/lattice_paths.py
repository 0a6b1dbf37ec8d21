"""Find the best paths through a lattice: Viterbi for the best, penalties and exact k-best enumeration for others.

A lattice has layers of states. Each state has a score in each layer, and each move between states has a score. Before
each further search, the states of the last path get a penalty, so that the paths differ in many places. If that yields
nothing new, paths are enumerated in exact order of score until enough paths with new names are found or none is left.
"""

import heapq
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import add

LatticePath = tuple[int, ...]
"""One state per layer."""
FORBIDDEN = float("-inf")
_MOST_EXPANDED = 20_000
"""The largest number of partial paths that the enumeration expands."""


@dataclass(frozen=True)
class Lattice:
    layers: Sequence[Sequence[float]]
    """`layers[layer][state]` is the score of a state; FORBIDDEN if it may not be used in this layer."""
    moves: Sequence[Sequence[float]]
    """`moves[to][from]` is the score of moving from one state to another."""
    exceptions: Sequence[Mapping[int, Sequence[float]]]
    """`exceptions[layer][to]` replaces the row `moves[to]` for moves into this layer."""

    def row(self, layer: int, state: int) -> Sequence[float]:
        """Return the scores of the moves into a state of a layer, one for each state of the previous layer."""
        return self.exceptions[layer].get(state, self.moves[state])

    def score(self, path: LatticePath) -> float:
        total = sum(layer[state] for layer, state in zip(self.layers, path, strict=True))
        return total + sum(self.row(at, after)[before] for at, (before, after) in enumerate(pairwise(path), 1))


def best_path(lattice: Lattice) -> LatticePath:
    """Return the path with the highest score (Viterbi).

    If several are equal, the state with the lowest index is chosen, from the last layer back.
    """
    forward = _forward(lattice)
    state = _highest(forward[-1])
    path = [state]
    for layer in range(len(forward) - 1, 0, -1):
        state = _highest(list(map(add, forward[layer - 1], lattice.row(layer, state))))
        path.append(state)
    return tuple(reversed(path))


def differing_paths(
    lattice: Lattice,
    earlier: Sequence[LatticePath],
    count: int,
    name: Callable[[LatticePath], Hashable],
    alike: Sequence[tuple[Sequence[int], float]],
    lowest: float,
) -> tuple[list[LatticePath], bool]:
    """Return up to `count` further paths, and whether it is certain that there are no more.

    `earlier` has the best path and perhaps others. No two paths have the same `name`. Each entry of `alike` has a group
    number for every state, and a penalty. If an earlier path uses a state of a group in a layer, the penalty is
    subtracted from all states of that group in that layer. Paths that score more than `lowest` below the best path are
    left out.
    """
    floor = lattice.score(earlier[0]) - lowest
    found: list[LatticePath] = []
    names = set(map(name, earlier))
    worse = [list(layer) for layer in lattice.layers]
    for path in earlier:
        _penalize(worse, path, alike)
    while len(found) < count:
        path = best_path(Lattice(worse, lattice.moves, lattice.exceptions))
        if name(path) in names or lattice.score(path) < floor:
            more, exhausted = _enumerate_paths(lattice, count - len(found), name, names, floor)
            return found + more, exhausted
        found.append(path)
        names.add(name(path))
        _penalize(worse, path, alike)
    return found, False


def _penalize(layers: Sequence[list[float]], path: LatticePath, alike: Sequence[tuple[Sequence[int], float]]) -> None:
    """Subtract the penalties of a path. The last chord may stay the same."""
    for layer, state in zip(layers[: len(layers) - 1 or 1], path, strict=False):
        for groups, step in alike:
            for other, group in enumerate(groups):
                if group == groups[state]:
                    layer[other] -= step


def _forward(lattice: Lattice) -> list[list[float]]:
    """Return the score of the best path to each state of each layer (the forward pass of Viterbi)."""
    scores = list(lattice.layers[0])
    forward = [scores]
    for at, layer in enumerate(lattice.layers[1:], 1):
        scores = [
            FORBIDDEN if own == FORBIDDEN else own + max(map(add, scores, lattice.row(at, state)))
            for state, own in enumerate(layer)
        ]
        forward.append(scores)
    return forward


def _highest(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=scores.__getitem__)


def _enumerate_paths(
    lattice: Lattice, count: int, name: Callable[[LatticePath], Hashable], names: set[Hashable], floor: float
) -> tuple[list[LatticePath], bool]:
    """Return up to `count` paths with new names in exact order of score, and whether there are no more.

    This is a best-first search from the last layer back. The bound of a partial path is its score plus the Viterbi
    score of the best path to its first state, so the bound is exact. Paths that score below `floor` are left out.
    """
    forward = _forward(lattice)
    last = len(forward) - 1
    heap: list[tuple[float, int, int, LatticePath]] = [
        (-score, last, state, ()) for state, score in enumerate(forward[last]) if score >= floor
    ]
    heapq.heapify(heap)
    found: list[LatticePath] = []
    for _ in range(_MOST_EXPANDED):
        if not heap:
            return found, True
        negative, layer, state, rest = heapq.heappop(heap)
        path = (state, *rest)
        if layer == 0:
            if name(path) not in names:
                found.append(path)
                names.add(name(path))
                if len(found) == count:
                    return found, False
            continue
        # The rest of the path is the same for all predecessors. So only the score up to this state is replaced.
        best_here = forward[layer][state] - lattice.layers[layer][state]
        row = lattice.row(layer, state)
        for before, score in enumerate(forward[layer - 1]):
            total = -negative - best_here + score + row[before]
            if total >= floor:
                heapq.heappush(heap, (-total, layer - 1, before, path))
    return found, False
