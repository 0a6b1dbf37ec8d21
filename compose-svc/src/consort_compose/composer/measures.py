"""Measures put into words."""

from collections.abc import Iterable

MOST_LISTED = 12


def in_words(measures: Iterable[int]) -> str:
    """`measure 3`, or `measures 3, 5-8`; of very many the first."""
    runs: list[list[int]] = []
    for measure in sorted(set(measures)):
        if runs and measure == runs[-1][-1] + 1:
            runs[-1].append(measure)
        else:
            runs.append([measure])
    several = "s" if len(runs) > 1 or len(runs[0]) > 1 else ""
    return f"measure{several} {listed(_run_in_words(run) for run in runs)}"


def _run_in_words(run: list[int]) -> str:
    return f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0])


def listed(items: Iterable[object]) -> str:
    """The first items, and whether there are more."""
    texts = [str(item) for item in items]
    return ", ".join(texts[:MOST_LISTED]) + (" and more" if len(texts) > MOST_LISTED else "")
