"""Say which of several drafts is most like a folk tune: a weighted sum of numbers that are quick to count, and of
their squares, which say how usual a number is.

The weights are those of logistic models, for each style one for rhythms and one for pitches. They were fitted to tell
folk tunes from drafts of this generator (`benchmarks/training/fit_folk_likeness.py`), so a draft with a larger sum is
harder to tell from a folk tune. Times are in parts of the grid (`folk_statistics.GRID`).
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate, pairwise
from math import log
from operator import mul, sub

from consort_compose.composer.melody.engine.folk_statistics import GRID, Style
from consort_compose.composer.melody.engine.request_and_result import NoteTiming
from consort_music.metre import Metre

BarOnsets = tuple[int, ...]
"""The onsets in a bar."""

_BEAT_SHARES = ((1, 4), (1, 3), (1, 2), (2, 3), (3, 4), (1, 1), (4, 3), (3, 2), (2, 1), (3, 1))
"""Note lengths that are counted, in beats: numerator and denominator."""
_RATIOS = ((1, 3), (1, 2), (1, 1), (2, 1), (3, 1))
"""Ratios of a note length to the one before that are counted."""
_DISTANCES = (1, 2, 4, 8)
"""Distances between bars that may be equal."""
_SIZES = range(-9, 10)
_KINDS = range(-2, 3)

RHYTHM_NUMBERS = (
    *(f"length {top}/{bottom}" for top, bottom in _BEAT_SHARES),
    *(f"ratio {top}/{bottom}" for top, bottom in _RATIOS),
    "different lengths",
    "entropy of lengths",
    "entropy of pairs of lengths",
    "on beats",
    "variation of notes in a bar",
    "bars with all beats",
    "repeated bars",
    *(f"repeated after {distance}" for distance in _DISTANCES),
    "repeated 6 lengths",
    "longest in fourth bars",
    "longest in other bars",
)
PITCH_NUMBERS = (
    *(f"interval {size}" for size in _SIZES),
    "wider intervals",
    *(f"motion {first} {second}" for first in _KINDS for second in _KINDS),
    *(f"degree {degree}" for degree in range(12)),
    *(f"degree {degree} on downbeats" for degree in range(12)),
    "leaps to downbeats",
    "repeats to downbeats",
    "leaps to weak notes",
    "repeats to weak notes",
    "leaps turned back",
    "different pitches",
    "entropy of pitches",
    "entropy of moves",
    "entropy of pairs",
    "repeated 3 moves",
    "repeated 6 moves",
    "repeated 3 kinds",
    "repeated 6 kinds",
    *(f"bars repeated after {distance}" for distance in _DISTANCES),
    "second half as the first",
    "range",
    "deviation",
    "mean move",
    "changes of direction",
    "place of the peak",
    "lowest above the last note",
    "highest above the last note",
    "first above the last note",
    "last move",
    "move before the last",
    "mean range of a bar",
    "mean change between bars",
)


@dataclass(frozen=True)
class NotePlaces:
    """What the pitch numbers need to know about the rhythm of a melody. Notes are indices."""

    count: int
    downbeats: Sequence[int]
    """The notes at the beginning of a bar."""
    weak: Sequence[int]
    """The notes between beats."""
    bars: Sequence[slice]
    """The notes of each bar that has some."""
    equal_bars: Sequence[Sequence[tuple[slice, slice]]]
    """For each of `_DISTANCES`: pairs of bars at this distance with the same rhythm."""
    half: Sequence[tuple[int, int]]
    """Notes of the first and the second half at the same place."""


def rhythm_likeness(style: Style, metre: Metre, bars: Sequence[Sequence[int]]) -> float:
    """Return how much a rhythm is like those of folk tunes. `bars` has the note lengths of each bar."""
    onsets = [tuple(accumulate(lengths[:-1], initial=0)) for lengths in bars]
    return _weighted(style, "rhythm", rhythm_numbers(metre, onsets))


def pitch_likeness(style: Style, places: NotePlaces, tonic: int, pitches: Sequence[int]) -> float:
    """Return how much the pitches of a melody are like those of folk tunes."""
    return _weighted(style, "pitches", pitch_numbers(places, tonic, pitches))


def _weighted(style: Style, model: str, numbers: Sequence[float]) -> float:
    plain, squared = _weights(style, model)
    total: float = sum(map(mul, plain, numbers)) + sum(map(mul, squared, map(mul, numbers, numbers)))
    return total


@cache
def _weights(style: Style, model: str) -> tuple[list[float], list[float]]:
    """Return the weights of the numbers of a model, and those of their squares."""
    table = json.loads(files(__package__).joinpath("folk_likeness.json").read_text(encoding="utf-8"))[style][model]
    rows = [table[name] for name in (RHYTHM_NUMBERS if model == "rhythm" else PITCH_NUMBERS)]
    return [plain for plain, _ in rows], [squared for _, squared in rows]


def rhythm_numbers(metre: Metre, bars: Sequence[BarOnsets]) -> list[float]:
    """Return the values of RHYTHM_NUMBERS. `bars` has the onsets in each full bar; there are no rests."""
    bar, beats = int(metre.bar * GRID), {int(beat * GRID) for beat in metre.beats}
    beat = min((start for start in beats if start), default=bar)
    starts = [index * bar + onset for index, onsets in enumerate(bars) for onset in onsets]
    lengths = [after - before for before, after in pairwise([*starts, bar * len(bars)])]
    count, pairs = len(lengths), list(pairwise(lengths))
    by_length = Counter(lengths)
    found = [by_length[top * beat // bottom] / count for top, bottom in _BEAT_SHARES]
    by_pair = Counter(pairs)
    ratios = [0] * len(_RATIOS)
    for (before, after), times in by_pair.items():
        for index, (top, bottom) in enumerate(_RATIOS):
            ratios[index] += times * (after * bottom == before * top)
    found += [number / max(1, count - 1) for number in ratios]
    found += [float(len(by_length)), _entropy(by_length, count), _entropy(by_pair, len(pairs))]
    found.append(sum(onset in beats for onsets in bars for onset in onsets) / count)
    mean = count / len(bars)
    found.append((sum((len(onsets) - mean) ** 2 for onsets in bars) / len(bars)) ** 0.5 / len(beats))
    found.append(sum(beats <= set(onsets) for onsets in bars) / len(bars))
    found.append(1 - len(set(bars)) / len(bars))
    for distance in _DISTANCES:
        far = bars[distance:]
        found.append(sum(map(tuple.__eq__, bars, far)) / max(1, len(far)))
    found.append(_repeated(lengths, 6))
    longest = [max(map(sub, [*onsets[1:], bar], onsets), default=bar) / bar for onsets in bars]
    for group in (longest[3::4], [length for index, length in enumerate(longest) if index % 4 != 3]):
        found.append(sum(group) / max(1, len(group)))
    return found


def note_places(metre: Metre, timings: Sequence[NoteTiming]) -> NotePlaces:
    beats = set(metre.beats)
    measures = timings[-1].measure
    onsets = [timing.onset % metre.bar for timing in timings]
    bars: dict[int, list[int]] = {}
    for index, timing in enumerate(timings):
        if timing.measure:
            bars.setdefault(timing.measure, []).append(index)
    slices = {measure: slice(notes[0], notes[-1] + 1) for measure, notes in bars.items()}
    rhythms = {measure: onsets[part] for measure, part in slices.items()}
    equal_bars = [
        [
            (slices[measure], slices[measure + distance])
            for measure in slices
            if rhythms.get(measure + distance) == rhythms[measure]
        ]
        for distance in _DISTANCES
    ]
    half = measures // 2
    first = {(timing.measure, onset): index for index, (timing, onset) in enumerate(zip(timings, onsets, strict=True))}
    pairs = [
        (first.get((timing.measure - half, onset), -1), index)
        for index, (timing, onset) in enumerate(zip(timings, onsets, strict=True))
        if timing.measure > half
    ]
    return NotePlaces(
        len(timings),
        [index for index, onset in enumerate(onsets) if index and not onset],
        [index for index, onset in enumerate(onsets) if index and onset not in beats],
        list(slices.values()),
        equal_bars,
        pairs,
    )


def pitch_numbers(places: NotePlaces, tonic: int, pitches: Sequence[int]) -> list[float]:
    """Return the values of PITCH_NUMBERS."""
    moves = list(map(sub, pitches[1:], pitches))
    count = max(1, len(moves))
    by_size = Counter(moves)
    found = [by_size[size] / count for size in _SIZES]
    found.append(sum(times for size, times in by_size.items() if abs(size) > 9) / count)
    kind = {size: _kind(size) for size in by_size}
    kinds = [kind[size] for size in moves]
    by_pair = Counter(pairwise(kinds))
    found += [by_pair[first, second] / count for first in _KINDS for second in _KINDS]
    degrees = [(midi - tonic) % 12 for midi in pitches]
    by_degree, on_downbeats = Counter(degrees), Counter([degrees[note] for note in places.downbeats])
    found += [by_degree[degree] / places.count for degree in range(12)]
    found += [on_downbeats[degree] / max(1, len(places.downbeats)) for degree in range(12)]
    for group in (places.downbeats, places.weak):
        inside = [kinds[note - 1] for note in group]
        found.append((inside.count(2) + inside.count(-2)) / max(1, len(inside)))
        found.append(inside.count(0) / max(1, len(inside)))
    turns = [before * after < 0 for before, after in pairwise(moves) if abs(before) > 4]
    found.append(sum(turns) / max(1, len(turns)))
    by_pitch = Counter(pitches)
    by_step = Counter(pairwise(pitches))
    found += [
        float(len(by_pitch)),
        _entropy(by_pitch, places.count),
        _entropy(by_size, count),
        _entropy(by_step, count),
    ]
    found += [_repeated(moves, 3), _repeated(moves, 6), _repeated(kinds, 3), _repeated(kinds, 6)]
    for distance, pairs in zip(_DISTANCES, places.equal_bars, strict=True):
        equal = sum(pitches[one] == pitches[other] for one, other in pairs)
        found.append(equal / max(1, len(places.bars) - distance))
    same = sum(first >= 0 and pitches[first] == pitches[second] for first, second in places.half)
    found.append(same / max(1, len(places.half)))
    mean = sum(pitches) / places.count
    low, high, last = min(pitches), max(pitches), pitches[-1]
    moving = [size for size in moves if size]
    turned = sum(before * after < 0 for before, after in pairwise(moving))
    found += [
        float(high - low),
        (sum((pitch - mean) ** 2 for pitch in pitches) / places.count) ** 0.5,
        sum(map(abs, moving)) / max(1, len(moving)),
        turned / max(1, len(moving)),
        pitches.index(high) / places.count,
        float(last - low),
        float(high - last),
        float(pitches[0] - last),
        float(sum(moves[-1:])),
        float(sum(moves[-2:-1])),
    ]
    bars = [pitches[part] for part in places.bars]
    heights = [sum(bar) / len(bar) for bar in bars]
    found.append(sum(max(bar) - min(bar) for bar in bars) / len(bars))
    found.append(sum(map(abs, map(sub, heights[1:], heights))) / max(1, len(bars) - 1))
    return found


def _kind(size: int) -> int:
    direction = (size > 0) - (size < 0)
    return direction if abs(size) <= 2 else 2 * direction


def _entropy(counts: Counter[int] | Counter[tuple[int, int]], total: int) -> float:
    return log(max(1, total)) - sum(times * log(times) for times in counts.values()) / max(1, total)


def _repeated(values: Sequence[int], length: int) -> float:
    """Return the share of runs of `length` values that occurred before."""
    runs = list(_runs(values, length))
    return 1 - len(set(runs)) / len(runs) if runs else 0.0


def _runs(values: Sequence[int], length: int) -> Iterator[tuple[int, ...]]:
    return zip(*(values[start:] for start in range(length)), strict=False)
