"""The cheapest way through layers of choices, where each choice costs something and so does going on to the next."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")
Join = Callable[[T, T, float], float]
"""What it costs to go from one choice to the next, never less than nothing. From the limit on only that it is more."""


def cheapest_path(
    layers: Sequence[Sequence[T]], price: Callable[[T], float], joins: Iterable[Join[T]]
) -> tuple[list[T], float]:
    """One choice of each layer with the least cost in all, and that cost; `joins` lead from each layer to the next.

    Exact: predecessors are tried from the cheapest on, until they alone cost more than what was found.
    """
    costs = [price(choice) for choice in layers[0]]
    parents: list[list[int]] = []
    for (before, layer), join in zip(pairwise(layers), joins, strict=False):
        order = sorted(range(len(costs)), key=costs.__getitem__)
        row, new_costs = [], []
        for choice in layer:
            best, parent = float("inf"), 0
            for index in order:
                cost = costs[index]
                if cost >= best:
                    break
                cost += join(before[index], choice, best - cost)
                if cost < best:
                    best, parent = cost, index
            row.append(parent)
            new_costs.append(best + price(choice))
        parents.append(row)
        costs = new_costs
    at = min(range(len(costs)), key=costs.__getitem__)
    total = costs[at]
    path = [layers[-1][at]]
    for layer, row in zip(layers[-2::-1], reversed(parents), strict=True):
        at = row[at]
        path.append(layer[at])
    return path[::-1], total
