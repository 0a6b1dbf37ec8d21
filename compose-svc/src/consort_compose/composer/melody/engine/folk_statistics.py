"""Load the counts of folk tunes from `folk_statistics.json`. They are loaded once, when the first melody is written.

Songs and dances are counted apart: a song has a smaller range, more repeated notes and a longer last note than a dance.
Pitches are counted in staff steps (letters of the scale, seven to the octave) above a tonic. Degrees are 0 to 6.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from consort_music.keys import Key

Style = Literal["song", "dance"]

WIDEST_MOVE = 7
"""In staff steps. Wider moves use the counts of moves of this size."""
NO_MOVE = 2 * WIDEST_MOVE + 1
"""The index that stands for the previous move at the first note, which has none."""
GRID = 24
"""Note lengths are integers in this fraction of a quarter, so that thirty-seconds and triplets can be expressed."""
_DENSITY_WIDTH = 0.35
"""Densities that differ by this factor, as a logarithm, have a likeness of 1 / e."""
_LEARNED_GRID = 12
"""The fraction of a quarter that the file uses."""


@dataclass(frozen=True)
class BarRhythm:
    lengths: tuple[int, ...]
    """Note lengths in parts of the grid."""
    counts: tuple[int, ...]
    """Number of bars with this rhythm among the first, second, third and last bars of phrases, and at ends of tunes."""


@dataclass(frozen=True)
class TuneProfile:
    """Numbers that describe one tune."""

    style: Style
    is_minor: bool
    has_pickup: bool
    measures: int
    density: float
    """Notes per quarter."""
    wide: float
    """The share of fourths and wider leaps among the moves."""
    third: float
    repeat: float
    turn: float
    """The share of changes of direction among the moves that are no repeats."""


@dataclass(frozen=True)
class FolkStatistics:
    """Tables of one style, made by `benchmarks/training/count_folk_statistics.py`. Modes are `major` and `minor`."""

    style: Style
    moves: dict[str, list[list[list[int]]]]
    """`[mode][degree][previous move][next move]`: how often the next move follows, in per mille.

    A move of -7 to 7 staff steps has the index 0 to 14."""
    places: dict[str, list[list[int]]]
    """`[mode][3 * metrical strength + length class][degree]`: frequency of the degree, in percent of its mean."""
    kinds: list[list[int]]
    """`[3 * metrical strength + length change][kind of move]`: frequency of the kind, in percent of its mean.

    The length change is 0 if the note is shorter than the note before, 1 if it is as long, 2 if it is longer."""
    endings: list[list[int]]
    """`[kind of move]` for the move before the last and for the last: its frequency, in percent of the expected one."""
    rest_degrees: dict[str, list[int]]
    """`[mode][degree]`: how many of a tune's longest notes, except the last note, have this degree, in per mille."""
    starts: dict[str, dict[int, int]]
    """`[mode][staff step]`: the number of tunes that begin with it."""
    finals: dict[str, dict[int, int]]
    """`[mode][degree]`: the number of tunes that end with it."""
    reaches: Sequence[tuple[int, int, float]]
    """For single tunes: lowest staff step, highest staff step, and notes per quarter."""
    shapes: list[list[int]]
    """For single tunes: the mean pitch of each quarter of the tune above its mean pitch, in half staff steps."""
    rhythms: dict[str, list[BarRhythm]]
    """`[time signature]`: the rhythms of bars."""
    forms: dict[int, list[tuple[str, float]]]
    """`[number of bars]`: which bar repeats which, in the notation of `musical_form.parse_form`, and notes per
    quarter."""
    shifts: dict[int, int]
    """`[staff steps]`: how often a repeated bar is transposed by this many steps."""


@cache
def folk_statistics(style: Style) -> FolkStatistics:
    raw = _tables()[style]
    return FolkStatistics(
        style=style,
        moves=raw["moves"],
        places=raw["places"],
        kinds=raw["kinds"],
        endings=raw["endings"],
        rest_degrees=raw["rest_degrees"],
        starts={mode: _with_integer_keys(counts) for mode, counts in raw["starts"].items()},
        finals={mode: _with_integer_keys(counts) for mode, counts in raw["finals"].items()},
        reaches=[(low, high, percent / 100) for low, high, percent in raw["reaches"]],
        shapes=raw["shapes"],
        rhythms={
            metre: [BarRhythm(_lengths(text), tuple(counts)) for text, *counts in rows]
            for metre, rows in raw["rhythms"].items()
        },
        forms={int(count): [(form, percent / 100) for form, percent in forms] for count, forms in raw["forms"].items()},
        shifts=_with_integer_keys(raw["shifts"]),
    )


@cache
def tune_profiles() -> dict[str, list[TuneProfile]]:
    """Return `[time signature]`: profiles of single tunes of both styles."""
    return {
        metre: [
            TuneProfile(
                "dance" if dance else "song",
                bool(minor),
                bool(pickup),
                measures,
                density / 100,
                *(share / 1000 for share in shares),
            )
            for dance, minor, pickup, measures, density, *shares in rows
        ]
        for metre, rows in _tables()["profiles"].items()
    }


@cache
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(files(__package__).joinpath("folk_statistics.json").read_text(encoding="utf-8"))
    return tables


@cache
def density_likeness(left: float, right: float) -> float:
    """Return a weight that is 1 for equal densities. Dances have more notes, repetition and range than songs."""
    return math.exp(-((math.log(left / right) / _DENSITY_WIDTH) ** 2))


def mode_in_statistics(key: Key) -> str:
    """Return the mode whose tables are used for a key: `major` or `minor`."""
    return "minor" if key.is_minor else "major"


def _with_integer_keys(counts: dict[str, int]) -> dict[int, int]:
    return {int(label): count for label, count in counts.items()}


def _lengths(text: str) -> tuple[int, ...]:
    return tuple(int(length) * GRID // _LEARNED_GRID for length in text.split())
