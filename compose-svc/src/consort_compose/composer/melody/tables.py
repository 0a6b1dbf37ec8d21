"""What was learned from folk tunes, read once when the first melody is asked for."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

FAR = 7
"""Moves of more lines than this are weighed as this one."""
NO_MOVE = 2 * FAR + 1
"""In place of the last move, at the first note."""
GRID = 24
"""Rhythms are in parts of a quarter that thirty-seconds and triplets fit."""
_LEARNED_GRID = 12


@dataclass(frozen=True)
class BarRhythm:
    lengths: tuple[int, ...]
    counts: tuple[int, int, int]
    """How many bars had it inside of a phrase, at the end of one, at the end of the tune."""


@dataclass(frozen=True)
class Tables:
    """See `benchmarks/train/melody.py` for how each was counted."""

    moves: dict[str, list[list[list[int]]]]
    places: dict[str, list[list[int]]]
    kinds: list[list[int]]
    rest_degrees: dict[str, list[int]]
    starts: dict[str, dict[int, int]]
    finals: dict[str, dict[int, int]]
    reaches: Sequence[tuple[int, int, int]]
    shapes: list[list[int]]
    rhythms: dict[str, list[BarRhythm]]
    forms: dict[int, list[str]]
    shifts: dict[int, int]


@cache
def tables() -> Tables:
    raw = json.loads(files(__package__).joinpath("tables.json").read_text(encoding="utf-8"))
    return Tables(
        moves=raw["moves"],
        places=raw["places"],
        kinds=raw["kinds"],
        rest_degrees=raw["rest_degrees"],
        starts={mode: _by_number(counts) for mode, counts in raw["starts"].items()},
        finals={mode: _by_number(counts) for mode, counts in raw["finals"].items()},
        reaches=[(low, high, count) for low, high, count in raw["reaches"]],
        shapes=raw["shapes"],
        rhythms={
            metre: [BarRhythm(_lengths(text), (inside, phrase, end)) for text, inside, phrase, end in rows]
            for metre, rows in raw["rhythms"].items()
        },
        forms={int(count): forms for count, forms in raw["forms"].items()},
        shifts=_by_number(raw["shifts"]),
    )


def _by_number(counts: dict[str, int]) -> dict[int, int]:
    return {int(label): count for label, count in counts.items()}


def _lengths(text: str) -> tuple[int, ...]:
    return tuple(int(length) * GRID // _LEARNED_GRID for length in text.split())
