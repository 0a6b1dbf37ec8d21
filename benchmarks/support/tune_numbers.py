"""Describe a tune by numbers, for a classifier that tells generated tunes from real ones.

Most numbers are shares, so that long and short tunes can be compared. Times are in beats, pitches relative to the
tonic. A rest counts as part of the note before it, because generated tunes have no rests.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from statistics import fmean, pstdev

import numpy as np
from numpy.typing import NDArray

from evaluation.corpora.folk_tunes import FolkTune, TuneNote

Named = Iterator[tuple[str, float]]
_DURATIONS = tuple(Fraction(text) for text in ["1/4", "1/3", "1/2", "2/3", "3/4", "1", "4/3", "3/2", "2", "3", "4"])
_KINDS = (-2, -1, 0, 1, 2)


def tune_numbers(tune: FolkTune) -> Mapping[str, float]:
    tune = without_rests(tune)
    found: dict[str, float] = {}
    for part in (_intervals, _degrees, _durations, _places, _repetition, _line, _ends):
        found.update(part(tune))
    return found


def without_rests(tune: FolkTune) -> FolkTune:
    """Return the tune with each note prolonged to the next note, and the last one to the end of its bar."""
    ends = [*(note.onset for note in tune.notes[1:]), tune.bar * tune.measures]
    notes = (TuneNote(note.onset, end - note.onset, note.midi) for note, end in zip(tune.notes, ends, strict=True))
    return replace(tune, notes=tuple(notes))


def number_table(tunes: Sequence[FolkTune]) -> tuple[list[str], NDArray[np.float64]]:
    """Return the names of the numbers, and one row for each tune."""
    rows = [tune_numbers(tune) for tune in tunes]
    return list(rows[0]), np.array([list(row.values()) for row in rows])


def _share(labels: Sequence[Hashable], is_counted: Callable[[object], bool]) -> float:
    return sum(map(is_counted, labels)) / len(labels) if labels else 0.0


def _entropy(labels: Sequence[Hashable]) -> float:
    return -sum(count / len(labels) * math.log2(count / len(labels)) for count in Counter(labels).values())


def _kind(interval: int) -> int:
    direction = (interval > 0) - (interval < 0)
    return direction if abs(interval) <= 2 else 2 * direction


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def _moves(tune: FolkTune) -> list[int]:
    return [after.midi - before.midi for before, after in pairwise(tune.notes)]


def _intervals(tune: FolkTune) -> Named:
    moves = _moves(tune)
    for size in range(-9, 10):
        yield f"interval {size}", moves.count(size) / len(moves)
    yield "intervals above a sixth", sum(abs(size) > 9 for size in moves) / len(moves)
    kinds = list(map(_kind, moves))
    pairs = Counter(pairwise(kinds))
    for first in _KINDS:
        for second in _KINDS:
            yield f"motion {first} {second}", pairs[first, second] / max(1, len(kinds) - 1)
    turns = [(a, b) for a, b in pairwise(moves) if abs(a) > 4]
    yield "leaps turned back", sum(a * b < 0 for a, b in turns) / max(1, len(turns))
    downbeats = [b.midi - a.midi for a, b in pairwise(tune.notes) if b.onset % tune.bar == 0]
    weak = [b.midi - a.midi for a, b in pairwise(tune.notes) if b.onset % tune.beat != 0]
    for name, inside in (("to downbeats", downbeats), ("to weak notes", weak)):
        yield f"leaps {name}", sum(abs(size) > 2 for size in inside) / max(1, len(inside))
        yield f"repeats {name}", inside.count(0) / max(1, len(inside))


def _degrees(tune: FolkTune) -> Named:
    degrees = [(note.midi - tune.tonic) % 12 for note in tune.notes]
    on_downbeats = [(note.midi - tune.tonic) % 12 for note in tune.notes if note.onset % tune.bar == 0]
    for degree in range(12):
        yield f"degree {degree}", degrees.count(degree) / len(degrees)
        yield f"degree {degree} on downbeats", on_downbeats.count(degree) / max(1, len(on_downbeats))
    yield "entropy of pitches", _entropy([note.midi for note in tune.notes])
    yield "entropy of moves", _entropy(_moves(tune))
    yield "entropy of pairs", _entropy(list(pairwise(note.midi for note in tune.notes)))


def _durations(tune: FolkTune) -> Named:
    values = [note.duration / tune.beat for note in tune.notes]
    for value in _DURATIONS:
        yield f"duration {value}", values.count(value) / len(values)
    yield "number of durations", len(set(values))
    yield "entropy of durations", _entropy(values)
    yield "entropy of pairs of durations", _entropy(list(pairwise(values)))
    ratios = [after / before for before, after in pairwise(values)]
    yield "equal durations", ratios.count(Fraction(1)) / len(ratios)
    for ratio in (Fraction(1, 3), Fraction(1, 2), Fraction(2), Fraction(3)):
        yield f"ratio {ratio}", ratios.count(ratio) / len(ratios)


def _bars(tune: FolkTune) -> list[list[TuneNote]]:
    bars: list[list[TuneNote]] = [[] for _ in range(tune.measures)]
    for note in tune.notes:
        if note.onset >= 0:
            bars[int(note.onset // tune.bar)].append(note)
    return bars


def _places(tune: FolkTune) -> Named:
    onsets = [note.onset % tune.bar / tune.beat for note in tune.notes]
    yield "on downbeats", onsets.count(Fraction(0)) / len(onsets)
    yield "on beats", _share([onset.denominator for onset in onsets], lambda part: part == 1)
    counts = [len(bar) for bar in _bars(tune)]
    beats = int(tune.bar // tune.beat)
    yield "notes in a beat", fmean(counts) / beats
    yield "variation of notes in a bar", pstdev(counts) / beats
    visible = [{note.onset % tune.bar / tune.beat for note in bar} for bar in _bars(tune)]
    yield "bars with all beats", fmean(set(map(Fraction, range(beats))) <= inside for inside in visible)
    every_fourth = [bar for index, bar in enumerate(_bars(tune)) if index % 4 == 3 and bar]
    others = [bar for index, bar in enumerate(_bars(tune)) if index % 4 != 3 and bar]
    for name, bars in (("fourth bars", every_fourth), ("other bars", others)):
        yield f"notes in {name}", _mean([len(bar) / beats for bar in bars])
        yield f"longest in {name}", _mean([float(max(note.duration for note in bar) / tune.bar) for bar in bars])


def _repetition(tune: FolkTune) -> Named:
    bars = [bar for bar in _bars(tune) if bar]
    rhythms = [tuple((note.onset % tune.bar, note.duration) for note in bar) for bar in bars]
    shapes = [
        (rhythm, tuple(b.midi - a.midi for a, b in pairwise(bar))) for rhythm, bar in zip(rhythms, bars, strict=True)
    ]
    pitches = [(rhythm, tuple(note.midi for note in bar)) for rhythm, bar in zip(rhythms, bars, strict=True)]
    labels: Mapping[str, Sequence[Hashable]] = {"rhythms": rhythms, "shapes": shapes, "bars": pitches}
    for name, found in labels.items():
        yield f"repeated {name}", 1 - len(set(found)) / len(found)
        for distance in (1, 2, 4, 8):
            pairs = list(zip(found, found[distance:], strict=False))
            yield f"{name} repeated after {distance}", sum(a == b for a, b in pairs) / max(1, len(pairs))
    values = [note.duration / tune.beat for note in tune.notes]
    for length in (3, 4, 6):
        for name, moves in (("moves", _moves(tune)), ("signs", list(map(_kind, _moves(tune)))), ("durations", values)):
            motifs = [tuple(moves[at : at + length]) for at in range(len(moves) - length + 1)]
            yield f"repeated {length} {name}", 1 - len(set(motifs)) / max(1, len(motifs))
    half = tune.bar * tune.measures / 2
    onsets = {note.onset: note.midi for note in tune.notes}
    second = [onset for onset in onsets if onset >= half]
    same = [onsets.get(onset - half) == onsets[onset] for onset in second]
    yield "second half as the first", sum(same) / max(1, len(same))


def _line(tune: FolkTune) -> Named:
    pitches = [note.midi for note in tune.notes]
    moves = [size for size in _moves(tune) if size]
    yield "range", max(pitches) - min(pitches)
    yield "deviation", pstdev(pitches)
    yield "mean move", _mean([abs(size) for size in moves])
    yield "changes of direction", sum(a * b < 0 for a, b in pairwise(moves)) / max(1, len(moves))
    mean = fmean(pitches)
    quarter = tune.bar * tune.measures / 4
    for index in range(4):
        inside = [note.midi for note in tune.notes if index * quarter <= note.onset < (index + 1) * quarter]
        yield f"height of quarter {index + 1}", _mean(inside) - mean if inside else 0.0
    peak = max(tune.notes, key=lambda note: note.midi)
    yield "place of the peak", float(peak.onset / (tune.bar * tune.measures))
    heights = [_mean([note.midi for note in bar]) for bar in _bars(tune) if bar]
    yield "mean change between bars", _mean([abs(b - a) for a, b in pairwise(heights)])
    ranges = [max(note.midi for note in bar) - min(note.midi for note in bar) for bar in _bars(tune) if bar]
    yield "mean range of a bar", _mean(ranges)
    yield "lowest above the last note", pitches[-1] - min(pitches)
    yield "highest above the last note", max(pitches) - pitches[-1]


def _ends(tune: FolkTune) -> Named:
    first, last = tune.notes[0], tune.notes[-1]
    yield "first degree", (first.midi - tune.tonic) % 12
    yield "first height", first.midi - last.midi
    yield "last degree", (last.midi - tune.tonic) % 12
    yield "last length", float(last.duration / tune.bar)
    yield "last onset", float(last.onset % tune.bar / tune.bar)
    for back in (1, 2, 3):
        yield f"move {back} before the end", tune.notes[-back].midi - tune.notes[-back - 1].midi
    yield "pickup", float(max(Fraction(0), -first.onset) / tune.bar)
