"""The best ways through a lattice of chords: exact, by dynamic programming, and several of them that differ.

A lattice has one layer a span; in every layer each state has a score, and each pair of states has one. The second
option is the best path once the states of the first have been made a little worse, and so on, which gives options that
differ in many places. Where that brings nothing new, paths are taken in exact order of their score until one with other
chords is found, or there is none.
"""

import heapq
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import add

Path = tuple[int, ...]
"""A state for each layer."""
FORBIDDEN = float("-inf")
_MOST_TAKEN = 20_000
"""Paths and parts of paths that are looked at, in order, for one that differs."""


@dataclass(frozen=True)
class Lattice:
    layers: Sequence[Sequence[float]]
    """The score of each state in each layer; FORBIDDEN where it is none."""
    moves: Sequence[Sequence[float]]
    """`moves[to][from]`: the score of going from one state to another."""
    exceptions: Sequence[Mapping[int, Sequence[float]]]
    """For each layer the rows of `moves` that are different for getting there."""

    def row(self, layer: int, state: int) -> Sequence[float]:
        """The scores of getting to a state of a layer from each state before."""
        return self.exceptions[layer].get(state, self.moves[state])

    def score(self, path: Path) -> float:
        total = sum(layer[state] for layer, state in zip(self.layers, path, strict=True))
        return total + sum(self.row(at, after)[before] for at, (before, after) in enumerate(pairwise(path), 1))


def best_path(lattice: Lattice) -> Path:
    """The path with the highest score; of equals the one whose last states come first."""
    forward = _forward(lattice)
    state = _highest(forward[-1])
    path = [state]
    for layer in range(len(forward) - 1, 0, -1):
        state = _highest(list(map(add, forward[layer - 1], lattice.row(layer, state))))
        path.append(state)
    return tuple(reversed(path))


def differing_paths(
    lattice: Lattice,
    count: int,
    name: Callable[[Path], Hashable],
    alike: Sequence[tuple[Sequence[int], float]],
    lowest: float,
) -> tuple[list[Path], bool]:
    """Up to `count` paths, the best first, no two with the same `name`; and whether there are surely no more.

    `alike` says which states are alike, and how much worse those are made where an earlier path has been in one of
    them: for each state a number that it shares with the others of its chord, of its root. A path that is `lowest` or
    more below the best one is not an option.
    """
    best = best_path(lattice)
    floor = lattice.score(best) - lowest
    found, names = [best], {name(best)}
    worse = [list(layer) for layer in lattice.layers]
    while len(found) < count:
        for layer, state in zip(worse[: len(worse) - 1 or 1], found[-1], strict=False):  # the end may stay the same
            for groups, step in alike:
                for other, group in enumerate(groups):
                    if group == groups[state]:
                        layer[other] -= step
        path = best_path(Lattice(worse, lattice.moves, lattice.exceptions))
        if name(path) in names or lattice.score(path) < floor:
            more, exhausted = _in_order(lattice, count - len(found), name, names, floor)
            return found + more, exhausted
        found.append(path)
        names.add(name(path))
    return found, False


def _forward(lattice: Lattice) -> list[list[float]]:
    """The score of the best path up to each state of each layer."""
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


def _in_order(
    lattice: Lattice, count: int, name: Callable[[Path], Hashable], names: set[Hashable], floor: float
) -> tuple[list[Path], bool]:
    """Paths whose names are new, in exact order of score, down to the floor."""
    forward = _forward(lattice)
    last = len(forward) - 1
    heap: list[tuple[float, int, int, Path]] = [
        (-score, last, state, ()) for state, score in enumerate(forward[last]) if score >= floor
    ]
    heapq.heapify(heap)
    found: list[Path] = []
    for _ in range(_MOST_TAKEN):
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
        # What follows is the same for all ways to get here: the whole is as much worse as the way up to here is.
        best_here = forward[layer][state] - lattice.layers[layer][state]
        row = lattice.row(layer, state)
        for before, score in enumerate(forward[layer - 1]):
            total = -negative - best_here + score + row[before]
            if total >= floor:
                heapq.heappush(heap, (-total, layer - 1, before, path))
    return found, False
