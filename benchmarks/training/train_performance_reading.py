"""Fit the weights of `consort_music.notation.performance_to_score` to the tune part of `consort bench notation`.

    python -m benchmarks.training.train_performance_reading DATA_FOLDER

It prints the weights of `salience` and `bar_tracking` (logistic regressions: is a moment on a beat, is a beat a
downbeat), and writes those of `note_lengths` (a conditional logit model over the candidates of each note). Real
performances count three times as much as played scores, which are also used with detached notes. The constants of
`beat_tracking` and `onset_grid` were found by random search on the same pieces.
"""

import random
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.performances import corpus_scores, real_performances
from benchmarks.performances.measures import Written, true_notes, true_places
from consort_music.midi.model import MidiFile
from consort_music.midi.notes import pair_notes
from consort_music.notation.performance_to_score.bars.bar_tracking import beat_evidence
from consort_music.notation.performance_to_score.beats.beat_map import BeatMap
from consort_music.notation.performance_to_score.beats.salience import moment_features
from consort_music.notation.performance_to_score.notes import note_length_weights
from consort_music.notation.performance_to_score.notes.hands import left_hand
from consort_music.notation.performance_to_score.notes.note_lengths import FEATURES, length_candidates, staff_note
from consort_music.notation.performance_to_score.notes.played_notes import (
    PerformedNote,
    moments_of,
    pedal_lifts,
    played_notes,
)

FloatRows = NDArray[np.float64]
REAL_WEIGHT = 3.0
SHORTENED, DETACHED_WEIGHT = (0.25, 0.8), 0.3
"""Played scores are used twice: also with all notes held only this part of their length."""
STEPS = 300
RIDGE = 2e-4


class TrainingPiece(NamedTuple):
    notes: list[PerformedNote]
    truth: list[Written]
    beats: list[float]
    quarters: list[Fraction]
    downbeats: set[int]
    weight: float
    lifts: list[float]
    """The seconds at which the sustain pedal is lifted."""


class LengthChoice(NamedTuple):
    cells: list[tuple[int, ...]]
    """The cells of each candidate."""
    right: int


def main(data: Path) -> None:
    pieces = list(_pieces(data))
    weights = [piece.weight for piece in pieces]
    print("salience:", _logistic([_on_beat(piece) for piece in pieces], weights))
    print("bar_tracking:", _logistic([_on_downbeat(piece) for piece in pieces], weights))
    _write(_conditional_logit([_lengths(piece) for piece in pieces], weights))


def _pieces(data: Path) -> Iterator[TrainingPiece]:
    for name in real_performances.names(data, "tune"):
        real = real_performances.load(data, name)
        if real.beat_quarters is not None:
            firsts = {real.beats.index(time) for time in real.downbeats}
            notes = _performed(real.file)
            yield TrainingPiece(
                notes, true_places(real), real.beats, real.beat_quarters, firsts, REAL_WEIGHT, pedal_lifts(real.file)
            )
    for name in corpus_scores.names("tune"):
        played = corpus_scores.performance(name)
        clock = corpus_scores.clock_of(played.name, played.score)
        quarters: list[Fraction] = []
        down: set[int] = set()
        for bar in played.score.bars[: corpus_scores.BARS]:
            for beat in bar.metre.beats:
                if beat >= bar.missing:
                    if beat == 0:
                        down.add(len(quarters))
                    quarters.append(bar.start + beat - bar.missing)
        beats = [clock(quarter) for quarter in quarters]
        notes = _performed(played.file)
        yield TrainingPiece(notes, true_notes(played), beats, quarters, down, 1.0, [])
        held = random.Random(name).uniform(*SHORTENED)
        detached = [note._replace(end=note.onset + held * (note.end - note.onset)) for note in notes]
        yield TrainingPiece(detached, true_notes(played), beats, quarters, down, DETACHED_WEIGHT, [])


def _performed(file: MidiFile) -> list[PerformedNote]:
    paired = [note for index, track in enumerate(file.tracks) for note in pair_notes(track, index).notes]
    parts = sorted({(note.track, note.channel) for note in paired})
    return played_notes(file, paired, [parts.index((note.track, note.channel)) for note in paired])


def _on_beat(piece: TrainingPiece) -> tuple[FloatRows, FloatRows]:
    moments = moments_of(piece.notes)
    rows, labels = [], []
    for moment, row in zip(moments, moment_features(piece.notes, moments), strict=True):
        starts = [true[0] for index in moment.notes if (true := piece.truth[index])]
        if starts:
            place = bisect_left(piece.quarters, starts[0])
            rows.append(row)
            labels.append(place < len(piece.quarters) and piece.quarters[place] == starts[0])
    return np.array(rows), np.array(labels, dtype=np.float64)


def _on_downbeat(piece: TrainingPiece) -> tuple[FloatRows, FloatRows]:
    evidence = beat_evidence(piece.notes, moments_of(piece.notes), piece.beats, piece.lifts)
    return np.array(evidence), np.array([beat in piece.downbeats for beat in range(len(evidence))], dtype=np.float64)


def _lengths(piece: TrainingPiece) -> list[LengthChoice]:
    """Return the candidates of each note that has the true length among them."""
    beats = BeatMap(piece.beats)
    is_left = left_hand(piece.notes, moments_of(piece.notes)) if piece.weight > 1 else [False] * len(piece.notes)
    staves: dict[tuple[int, bool], list[int]] = {}
    for index, note in enumerate(piece.notes):
        if piece.truth[index]:
            staves.setdefault((note.part, is_left[index]), []).append(index)

    def start_of(index: int) -> Fraction:
        true = piece.truth[index]
        assert true is not None
        return true[0]

    found = []
    for staff, members in staves.items():
        others = sorted({start_of(index) for other, rest in staves.items() if other != staff for index in rest})
        notes = [
            staff_note(piece.notes[index], start_of(index), _quarters_held(piece, beats, index)) for index in members
        ]
        for index, candidates in zip(members, length_candidates(notes, others), strict=True):
            true = piece.truth[index]
            right = [place for place, candidate in enumerate(candidates) if true and candidate.length == true[1]]
            if right:
                found.append(LengthChoice([candidate.features for candidate in candidates], right[0]))
    return found


def _quarters_held(piece: TrainingPiece, beats: BeatMap, index: int) -> float:
    note = piece.notes[index]
    begin, end = beats.position(note.onset), beats.position(note.end)
    place = min(max(bisect_right(piece.beats, note.onset) - 1, 0), len(piece.quarters) - 2)
    return max((end - begin) * float(piece.quarters[place + 1] - piece.quarters[place]), 0.01)


def _shares(sizes: Sequence[int], weights: Sequence[float]) -> FloatRows:
    """Return the share of each row in the total weight: the rows of a piece share the weight of the piece."""
    rows = [np.full(size, weight / size) for size, weight in zip(sizes, weights, strict=True)]
    return np.concatenate(rows) / sum(weights)


def _logistic(sets: Sequence[tuple[FloatRows, FloatRows]], weights: Sequence[float]) -> list[float]:
    """Return the weights of a logistic regression (Newton's method); the last one is the bias."""
    rows = np.concatenate([np.c_[features, np.ones(len(features))] for features, _ in sets])
    labels = np.concatenate([each for _, each in sets])
    shares = _shares([len(each) for _, each in sets], weights)
    shares *= len(shares)
    found = np.zeros(rows.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (shares * (chance - labels)) + 0.1 * found
        curve = (rows * (shares * chance * (1 - chance))[:, None]).T @ rows + 0.1 * np.eye(len(found))
        found -= np.linalg.solve(curve, slope)
    return [round(float(value), 2) for value in found]


def _conditional_logit(sets: Sequence[Sequence[LengthChoice]], weights: Sequence[float]) -> FloatRows:
    """Return the weights that make the true candidates most probable (Adam)."""
    choices = [choice for each in sets for choice in each]
    shares = _shares([len(each) for each in sets], weights)
    sizes = np.array([len(choice.cells) for choice in choices])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(choices)), sizes)
    most = max(len(cells) for choice in choices for cells in choice.cells)
    filled = [[*cells, *[FEATURES] * (most - len(cells))] for choice in choices for cells in choice.cells]
    rows = np.array(filled)
    target = np.zeros(len(rows))
    target[starts + np.array([choice.right for choice in choices])] = shares
    found, mean, square = (np.zeros(FEATURES + 1) for _ in range(3))
    for step in range(1, STEPS + 1):
        scores = found[rows].sum(1)
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        chance = odds / np.add.reduceat(odds, starts)[owner] * shares[owner]
        slope = np.bincount(rows.ravel(), np.repeat(chance - target, most), FEATURES + 1) + RIDGE * found
        slope[FEATURES] = 0.0
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope * slope
        rate = 0.1 if step < 0.7 * STEPS else 0.02
        found -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-7)
    return found[:FEATURES]


def _write(weights: FloatRows) -> None:
    lines = [", ".join(f"{value:.2f}" for value in weights[begin : begin + 14]) for begin in range(0, FEATURES, 14)]
    text = '"""The weights of `note_lengths`, fitted by `benchmarks/training/train_performance_reading.py`."""\n\n'
    cells = "".join(f"    *({line}),\n" for line in lines)
    Path(note_length_weights.__file__).write_text(f"{text}WEIGHTS = (\n{cells})\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
