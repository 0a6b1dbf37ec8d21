"""Find the cheapest path through layers of choices (Viterbi). Choices and the steps between them have costs."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")
StepCost = Callable[[T, T, float], float]
"""Returns the cost, at least 0, of the step from the first choice to the second.

The third argument is a limit: if the cost reaches it, any value of at least the limit may be returned.
"""


def cheapest_path(
    layers: Sequence[Sequence[T]], choice_cost: Callable[[T], float], step_costs: Iterable[StepCost[T]]
) -> tuple[list[T], float]:
    """Return one choice per layer with the least total cost, and that cost.

    `step_costs` has a function for each step from one layer to the next. The result is exact. For each choice, the
    predecessors are tried from the cheapest up, until a predecessor alone costs at least as much as the best path
    found.
    """
    costs = [choice_cost(choice) for choice in layers[0]]
    parents: list[list[int]] = []
    for (before, layer), step_cost in zip(pairwise(layers), step_costs, strict=False):
        order = sorted(range(len(costs)), key=costs.__getitem__)
        row, new_costs = [], []
        for choice in layer:
            best, parent = float("inf"), 0
            for index in order:
                cost = costs[index]
                if cost >= best:
                    break
                cost += step_cost(before[index], choice, best - cost)
                if cost < best:
                    best, parent = cost, index
            row.append(parent)
            new_costs.append(best + choice_cost(choice))
        parents.append(row)
        costs = new_costs
    at = min(range(len(costs)), key=costs.__getitem__)
    total = costs[at]
    path = [layers[-1][at]]
    for layer, row in zip(layers[-2::-1], reversed(parents), strict=True):
        at = row[at]
        path.append(layer[at])
    return path[::-1], total
