"""Choose the windows of a spectrogram: their lengths and places, and the rows of the picture that each one fills."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consort_audio.pictures.measuring.columns import Columns
from consort_audio.pictures.measuring.octaves import highest_level, octave_gain

_CYCLES = 34.0  # periods of a row's frequency in its window: neighbouring semitones are just separated
_SHORTEST_S, _LONGEST_S = 0.020, 0.36
_LINEAR_S = 0.045
_MOST_PER_COLUMN = 8
_COLUMN_SHARE, _LONGEST_FOR_COLUMN_S = 0.25, 0.4  # a window has at least this share of a column, up to this length
_SHORTEST = 64  # samples
_MOST_PADDING = 4  # times the length of a window, for a finer grid of frequencies


@dataclass(slots=True, eq=False)
class WindowPlan:
    """Windows of one length, in samples of an octave level. They fill `rows` of the picture.

    `per_column` windows are placed in each column; window k starts at sample `starts[k]`. Before its transform, a
    window is padded with zeros to `padded` samples. A row lies at the fraction `between` from its `lower_bin` to the
    next bin. If it is wider than a bin, it is also in `wide` (as an index within `rows`), and `ranges` has its first
    and last bin (not included). `gains` are factors for the power of each row.
    """

    level: int
    length: int
    padded: int
    per_column: int
    starts: NDArray[np.int64]
    rows: NDArray[np.intp]
    gains: NDArray[np.float32]
    lower_bins: NDArray[np.intp]
    between: NDArray[np.float32]
    wide: NDArray[np.intp]
    ranges: NDArray[np.intp]


def plan_windows(columns: Columns, edges_hz: NDArray[np.float64], *, is_log: bool) -> list[WindowPlan]:
    """Return the windows for rows with these edges, from the highest frequency to the lowest."""
    middles = (edges_hz[:-1] + edges_hz[1:]) / 2
    levels = highest_level(edges_hz[:-1], columns.sample_rate) if is_log else np.zeros(len(middles), dtype=np.intp)
    seconds = np.clip(_CYCLES / middles, _SHORTEST_S, _LONGEST_S) if is_log else np.full(len(middles), _LINEAR_S)
    for_columns = min(columns.seconds_per_column * _COLUMN_SHARE, _LONGEST_FOR_COLUMN_S)
    rates: NDArray[np.float64] = columns.sample_rate / 2.0**levels
    exponents: NDArray[np.float64] = np.log2(seconds * rates)
    if not is_log:
        exponents = np.round(exponents)
    exponents = np.maximum(exponents, np.floor(np.log2(for_columns * rates)))
    exponents = np.maximum(exponents, math.log2(_SHORTEST))
    return list(_plans(columns, edges_hz, levels, exponents))


def _plans(
    columns: Columns, edges_hz: NDArray[np.float64], levels: NDArray[np.intp], exponents: NDArray[np.float64]
) -> Iterator[WindowPlan]:
    """Yield a plan for each level and length. A row whose exponent is not whole is blended from two lengths."""
    lower = np.floor(exponents).astype(int)
    audible = edges_hz[:-1] <= columns.sample_rate / 2
    for level in np.unique(levels):
        for exponent in range(int(lower.min()), int(lower.max()) + 2):
            upper_share = exponents - lower
            shares = np.where(lower == exponent, 1 - upper_share, np.where(lower == exponent - 1, upper_share, 0))
            shares = np.where((levels == level) & audible, shares, 0)
            if shares.any():
                yield _plan(columns, edges_hz, shares, int(level), 2**exponent)


def _plan(
    columns: Columns, edges_hz: NDArray[np.float64], shares: NDArray[np.float64], level: int, length: int
) -> WindowPlan:
    rows = np.flatnonzero(shares)
    rate = columns.sample_rate / 2**level
    upper, lower = edges_hz[:-1][rows], edges_hz[1:][rows]
    finest = float((upper - lower).min()) * length / rate
    padded = length * min(_MOST_PADDING, 2 ** max(0, math.ceil(-math.log2(finest))))
    last_bin = padded // 2
    middles = np.minimum((upper + lower) / 2 * padded / rate, last_bin)
    lower_bins = np.minimum(middles.astype(np.intp), last_bin - 1)
    first, last = (np.minimum(np.ceil(edge * padded / rate), last_bin).astype(np.intp) for edge in (lower, upper))
    wide = np.flatnonzero(last > first)
    column = columns.frames_per_column / 2**level
    per_column = min(_MOST_PER_COLUMN, max(1, math.ceil(column / (length / 2))))
    return WindowPlan(
        level=level,
        length=length,
        padded=padded,
        per_column=per_column,
        starts=columns.centres(per_column) // 2**level - length // 2,
        rows=rows,
        gains=(shares[rows] / octave_gain((upper + lower) / 2, columns.sample_rate, level)).astype(np.float32),
        lower_bins=lower_bins,
        between=(middles - lower_bins).astype(np.float32),
        wide=wide,
        ranges=np.stack([first[wide], last[wide]], axis=1).ravel(),
    )
