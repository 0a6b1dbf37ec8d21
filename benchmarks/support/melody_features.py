"""Features by which melodies are compared. Each feature is a function that returns a histogram of a tune.

The histogram of a set of tunes is the mean of the tunes' histograms. The overlap of two histograms is the sum, over all
bins, of the smaller height; it is 1 if they are equal. If a feature is one number per tune, its histogram has one bar,
in a bin of fixed width. Times are in beats (dotted in 6/8 and similar metres). Pitches are relative to the tonic. A
step is a move by one or two semitones.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from evaluation.corpora.folk_tunes import FolkTune, TuneNote

Histogram = Mapping[Any, float]
Feature = Callable[[FolkTune], Histogram]


def overlap(left: Histogram, right: Histogram) -> float:
    return sum(min(height, right.get(label, 0.0)) for label, height in left.items())


def of_set(feature: Feature, tunes: Sequence[FolkTune]) -> Histogram:
    total: Counter[Any] = Counter()
    counted = [histogram for tune in tunes if (histogram := feature(tune))]
    for histogram in counted:
        total.update(histogram)
    return {label: height / len(counted) for label, height in total.items()}


def _shares(labels: Iterable[Any]) -> Histogram:
    counts = Counter(labels)
    total = sum(counts.values())
    return {label: count / total for label, count in counts.items()}


def _bin(value: float, width: float) -> Histogram:
    return {math.floor(value / width + 1e-9): 1.0}


def _intervals(tune: FolkTune) -> list[int]:
    return [after.midi - before.midi for before, after in pairwise(tune.notes)]


def _kind(interval: int) -> int:
    """Return -2 for a leap down, -1 for a step down, 0 for a repeat, 1 for a step up, 2 for a leap up."""
    return (interval > 0) - (interval < 0) if abs(interval) <= 2 else (2 if interval > 0 else -2)


def _degree(tune: FolkTune, note: TuneNote) -> int:
    return (note.midi - tune.tonic) % 12


def _share(tune: FolkTune, is_counted: Callable[[int], bool]) -> Histogram:
    intervals = _intervals(tune)
    return _bin(sum(map(is_counted, intervals)) / len(intervals), 0.1)


def interval(tune: FolkTune) -> Histogram:
    return _shares(max(-12, min(12, size)) for size in _intervals(tune))


def motion_pairs(tune: FolkTune) -> Histogram:
    return _shares(pairwise(map(_kind, _intervals(tune))))


def motion_triples(tune: FolkTune) -> Histogram:
    kinds = list(map(_kind, _intervals(tune)))
    return _shares(zip(kinds, kinds[1:], kinds[2:], strict=False))


def step_share(tune: FolkTune) -> Histogram:
    return _share(tune, lambda size: 1 <= abs(size) <= 2)


def leap_share(tune: FolkTune) -> Histogram:
    return _share(tune, lambda size: abs(size) > 2)


def repeat_share(tune: FolkTune) -> Histogram:
    return _share(tune, lambda size: size == 0)


def leap_recovery(tune: FolkTune) -> Histogram:
    """The move after a leap of a fourth or more: back, onward or a repeat, and whether it is a leap."""
    pairs = [(a, b) for a, b in pairwise(_intervals(tune)) if abs(a) >= 5]
    return _shares((0 if b == 0 else -1 if a * b < 0 else 1, abs(b) > 2) for a, b in pairs) if pairs else {}


def direction_changes(tune: FolkTune) -> Histogram:
    """Changes of direction as a share of the moves."""
    moves = [size for size in _intervals(tune) if size]
    return _bin(sum(a * b < 0 for a, b in pairwise(moves)) / len(moves), 0.1) if moves else {}


def run_length(tune: FolkTune) -> Histogram:
    """The number of moves in one direction before the direction changes, at most 6."""
    runs, length = [], 0
    moves = [size for size in _intervals(tune) if size]
    for index, size in enumerate(moves):
        length += 1
        if index + 1 == len(moves) or size * moves[index + 1] < 0:
            runs.append(min(length, 6))
            length = 0
    return _shares(runs) if runs else {}


def pitch_range(tune: FolkTune) -> Histogram:
    pitches = [note.midi for note in tune.notes]
    return _bin(max(pitches) - min(pitches), 2)


def degree(tune: FolkTune) -> Histogram:
    return _shares(_degree(tune, note) for note in tune.notes)


def downbeat_degree(tune: FolkTune) -> Histogram:
    degrees = [_degree(tune, note) for note in tune.notes if note.onset % tune.bar == 0]
    return _shares(degrees) if degrees else {}


def long_note_degree(tune: FolkTune) -> Histogram:
    """Degrees of the longest notes of the tune, which mostly end phrases."""
    longest = max(note.duration for note in tune.notes)
    return _shares(_degree(tune, note) for note in tune.notes if note.duration >= longest)


def pitch_class_entropy(tune: FolkTune) -> Histogram:
    return _bin(-sum(share * math.log2(share) for share in degree(tune).values()), 0.2)


def pitch_pair_entropy(tune: FolkTune) -> Histogram:
    pairs = _shares(pairwise(note.midi for note in tune.notes))
    return _bin(-sum(share * math.log2(share) for share in pairs.values()), 0.4)


def final_degree(tune: FolkTune) -> Histogram:
    return {_degree(tune, tune.notes[-1]): 1.0}


def final_approach(tune: FolkTune) -> Histogram:
    return {max(-8, min(8, tune.notes[-1].midi - tune.notes[-2].midi)): 1.0}


def final_duration(tune: FolkTune) -> Histogram:
    """The last note's share of a bar."""
    return _bin(float(tune.notes[-1].duration / tune.bar), 0.25)


def final_height(tune: FolkTune) -> Histogram:
    """The height of the last note between the lowest and the highest note, in quarters of the range."""
    pitches = [note.midi for note in tune.notes]
    low, high = min(pitches), max(pitches)
    return _bin((pitches[-1] - low) / (high - low), 0.25) if high > low else {}


def note_value(tune: FolkTune) -> Histogram:
    return _shares(note.duration / tune.beat for note in tune.notes)


def note_value_pairs(tune: FolkTune) -> Histogram:
    return _shares(pairwise(note.duration / tune.beat for note in tune.notes))


def place_in_bar(tune: FolkTune) -> Histogram:
    """Onsets within the bar, in sixths and quarters of a beat, up to six beats."""
    return _shares((tune.bar / tune.beat, note.onset % tune.bar / tune.beat) for note in tune.notes)


def notes_per_bar(tune: FolkTune) -> Histogram:
    counts = Counter(note.onset // tune.bar for note in tune.notes)
    return _shares(counts[index] / (tune.bar / tune.beat) for index in range(tune.measures))


def syncopation(tune: FolkTune) -> Histogram:
    """Share of notes that begin between two beats and sound beyond the next beat."""
    beat = tune.beat
    off = sum(note.onset % beat != 0 and note.onset % beat + note.duration > beat for note in tune.notes)
    return _bin(off / len(tune.notes), 0.05)


def _bars(tune: FolkTune) -> list[list[TuneNote]]:
    bars: dict[int, list[TuneNote]] = {index: [] for index in range(tune.measures)}
    for note in tune.notes:
        if note.onset >= 0:
            bars[int(note.onset // tune.bar)].append(note)
    return [bar for bar in bars.values() if bar]


def _rhythm(bar: list[TuneNote], length: Fraction) -> tuple[Any, ...]:
    return tuple((note.onset % length, note.duration) for note in bar)


def _seen_before(labels: Sequence[Any]) -> Histogram:
    seen: set[Any] = set()
    repeated = 0
    for label in labels:
        repeated += label in seen
        seen.add(label)
    return _bin(repeated / len(labels), 0.1)


def rhythm_repetition(tune: FolkTune) -> Histogram:
    """Share of bars with the rhythm of an earlier bar."""
    return _seen_before([_rhythm(bar, tune.bar) for bar in _bars(tune)])


def exact_repetition(tune: FolkTune) -> Histogram:
    """Share of bars with the rhythm and the pitches of an earlier bar."""
    return _seen_before([(_rhythm(bar, tune.bar), tuple(note.midi for note in bar)) for bar in _bars(tune)])


def shape_repetition(tune: FolkTune) -> Histogram:
    """Share of bars with the rhythm and the steps, leaps and repeats of an earlier bar, at any pitch."""
    return _seen_before(
        [(_rhythm(bar, tune.bar), tuple(_kind(b.midi - a.midi) for a, b in pairwise(bar))) for bar in _bars(tune)]
    )


def motif_repetition(tune: FolkTune) -> Histogram:
    """Share of four-note motifs (diatonic intervals and ratios of durations) that occurred before in the tune."""
    moves = [(_diatonic(b.midi - a.midi), b.duration / a.duration) for a, b in pairwise(tune.notes)]
    motifs = list(zip(moves, moves[1:], moves[2:], strict=False))
    return _seen_before(motifs) if motifs else {}


def _diatonic(size: int) -> int:
    return int(math.copysign(round(abs(size) * 7 / 12 + 0.2), size)) if size else 0


def distance_of_repeats(tune: FolkTune) -> Histogram:
    """The distance in bars to the last bar with the same rhythm and shape: 1, 2, 3, 4, 8, other (9) or none (0)."""
    last: dict[Any, int] = {}
    found = []
    for index, bar in enumerate(_bars(tune)):
        label = (_rhythm(bar, tune.bar), tuple(_kind(b.midi - a.midi) for a, b in pairwise(bar)))
        back = index - last[label] if label in last else 0
        found.append(back if back in (0, 1, 2, 3, 4, 8) else 9)
        last[label] = index
    return _shares(found)


def peak_place(tune: FolkTune) -> Histogram:
    """The position of the first highest note, in fifths of the tune."""
    peak = max(tune.notes, key=lambda note: note.midi)
    return _bin(min(0.99, max(0.0, float(peak.onset / (tune.bar * tune.measures)))), 0.2)


def contour(tune: FolkTune) -> Histogram:
    """For each quarter of the tune, whether its mean pitch is more than a semitone above or below that of the tune."""
    quarter = tune.bar * tune.measures / 4
    mean = sum(note.midi for note in tune.notes) / len(tune.notes)
    shape = []
    for index in range(4):
        part = [note.midi for note in tune.notes if index * quarter <= note.onset < (index + 1) * quarter]
        height = sum(part) / len(part) - mean if part else 0.0
        shape.append((height > 1) - (height < -1))
    return {tuple(shape): 1.0}


FEATURES: dict[str, tuple[Feature, ...]] = {
    "intervals": (interval, motion_pairs, motion_triples, step_share, leap_share, repeat_share),
    "line": (leap_recovery, direction_changes, run_length, pitch_range, peak_place, contour),
    "key": (degree, downbeat_degree, long_note_degree, pitch_class_entropy, pitch_pair_entropy),
    "end": (final_degree, final_approach, final_duration, final_height),
    "rhythm": (note_value, note_value_pairs, place_in_bar, notes_per_bar, syncopation),
    "repetition": (rhythm_repetition, exact_repetition, shape_repetition, motif_repetition, distance_of_repeats),
}
