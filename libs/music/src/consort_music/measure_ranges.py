"""Read measure ranges such as `5-8`, and write the measures 3, 5, 6 and 7 as `measures 3, 5-7`."""

import re
from collections.abc import Iterable
from itertools import pairwise

MOST_LISTED = 12
_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:(?:-|\u2013|to|\.\.)\s*([0-9]{1,9})\s*)?")


def parse_measure_range(text: str) -> tuple[int, int] | None:
    """Return the first and last measure of `5-8`, `5 to 8`, `5..8` or `5`, or None for any other text."""
    match = _RANGE.fullmatch(text)
    return (int(match[1]), int(match[2] or match[1])) if match else None


def format_measure_range(first: int, last: int) -> str:
    """Return `5-8`, or `5` if it is one measure."""
    return f"{first}-{last}" if last > first else str(first)


def measures_in_words(measures: Iterable[int]) -> str:
    """Return `measure 3`, or `measures 3, 5-8`, with at most the first 12 ranges. `measures` must not be empty."""
    numbers = sorted(set(measures))
    several = "s" if len(numbers) > 1 else ""
    return f"measure{several} {list_first(measure_ranges(numbers))}"


def measure_ranges(measures: Iterable[int]) -> list[str]:
    """Return `3` and `5-8` for the measures 3, 5, 6, 7 and 8. They may be in any order."""
    numbers = sorted(set(measures))
    if not numbers:
        return []
    breaks = [place for place, (before, after) in enumerate(pairwise(numbers), 1) if after > before + 1]
    runs = pairwise([0, *breaks, len(numbers)])
    return [format_measure_range(numbers[begin], numbers[end - 1]) for begin, end in runs]


def list_first(items: Iterable[object]) -> str:
    """Return the first 12 items separated by commas, followed by `and more` if there are more."""
    texts = [str(item) for item in items]
    return ", ".join(texts[:MOST_LISTED]) + (" and more" if len(texts) > MOST_LISTED else "")
