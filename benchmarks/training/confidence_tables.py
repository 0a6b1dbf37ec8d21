"""Fit a table that turns a score into a confidence (see `consort_audio.analysis.calibration`) on known answers."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np


def confidence_table(judged: Sequence[tuple[float, bool]], bins: Sequence[float]) -> list[tuple[float, float]]:
    """Return the mean score and the share of right answers in each bin. Shares never fall: bins are joined where they
    would (pool adjacent violators)."""
    scores, right = np.array([pair[0] for pair in judged]), np.array([pair[1] for pair in judged])
    pools: list[tuple[float, float, float]] = []
    for low, high in pairwise(bins):
        inside = (scores >= low) & (scores < high)
        if count := int(inside.sum()):
            pools.append((count, float(scores[inside].sum()), float(right[inside].sum())))
        while len(pools) > 1 and pools[-1][2] / pools[-1][0] < pools[-2][2] / pools[-2][0]:
            last = pools.pop()
            pools[-1] = (pools[-1][0] + last[0], pools[-1][1] + last[1], pools[-1][2] + last[2])
    return [(round(score / count, 2), round(hits / count, 2)) for count, score, hits in pools]
