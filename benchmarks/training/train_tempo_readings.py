"""Train the choice between readings of the beat, and write `reading_networks.json` beside `tempo/readings.py`.

    python -m benchmarks.training.train_tempo_readings --data DIR [--check]

It learns from the tune part of the truth set, and of the expressive performances and pop songs in DIR (see
`evaluation.sounds.data_folder`), of which several clips are used; of pop songs also some slower and faster than they
are, because the few songs have similar tempos. Each group counts as much as the square root of its size, times
`WEIGHTS`. The right readings are those with the true tempo (within 6%) whose beats are nearest to the true ones;
training maximises their probability with Adam, dropout on features and a penalty on large weights. With --check, eight
folds (of pieces, for those in DIR) are left out in turn; the figures of the left-out ones and a table for
`tempo/confidence.py` are printed, and nothing is written. Made songs (see `made_songs`) are in no fold: they are never
learned from, because that did not help, and show how the choice does in songs with drums and at all tempos.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import mir_eval
import numpy as np

from benchmarks.training.confidence_tables import confidence_table
from benchmarks.training.made_songs import MadeSong
from consort_audio.analysis.tempo import readings
from consort_audio.analysis.tempo.beat_activation import BeatActivation, beat_activation
from consort_audio.analysis.tempo.beat_path import FRAMES_PER_SECOND
from consort_audio.analysis.tempo.reading_features import sound_of
from consort_audio.analysis.tempo.readings import Reading, ReadingNetwork, find_readings
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import RATE, recording_from_samples
from evaluation.sounds import SoundItem
from evaluation.sounds.data_folder import DataItem, data_items
from evaluation.sounds.truth import Truth

ITEMS = {"tempo": 250, "steadiness": 200, "key": 80, "chords": 48, "plucked": 48, "melody": 60}
"""How many sounds of each task. There are more of the tasks tempo and steadiness here than are measured."""
CLIPS = {"pop": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), "expressive": (0.2, 0.5)}
"""Where in a piece clips begin."""
SPEEDS = {"slow": (0.7, 0.82), "fast": (1.2, 1.4)}
SPEED_CLIPS = (0.0, 0.2, 0.5)
"""How many times as fast pop songs are played besides, and where these clips begin."""
WEIGHTS = {"pop": 3.0, "expressive": 2.0, "tempo": 1.5, "fast": 1.5, "plucked": 0.8, "key": 0.7, "melody": 0.5}
"""Others have 1. Tunes alone often have no certain tempo; too many of them make the choice in pop songs worse."""
NETWORKS, HIDDEN = 5, 12
STEPS, DROPOUT, PENALTY = 300, 0.2, 3.0
FOLDS = 8
MADE_SONGS, NO_FOLD = 160, FOLDS
_RIGHT_WITHIN = 0.04
_BINS = (0.0, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.93, 0.97, 1.0001)


class ReadSound(NamedTuple):
    group: str
    fold: int
    is_steady: bool
    beats: Numbers
    readings: list[Reading]

    @property
    def bpm(self) -> float:
        return float(60 / np.median(np.diff(self.beats)))

    def f_measures(self) -> Numbers:
        return np.array([f_measure(self.beats, each.frames / FRAMES_PER_SECOND) for each in self.readings])

    def right(self) -> Numbers:
        """Return the share of each reading in being right."""
        scores = self.f_measures()
        same_tempo = np.array([abs(each.bpm / self.bpm - 1) < 0.06 for each in self.readings])
        right = same_tempo & (scores > 0.3)
        if right.any():
            right &= scores >= scores[right].max() - 0.05
        else:
            right = scores >= scores.max() - 0.02
        return np.asarray(right / right.sum())


def f_measure(beats: Numbers, found: Numbers) -> float:
    trim = mir_eval.beat.trim_beats
    return float(mir_eval.beat.f_measure(trim(beats, 2.0), trim(found, 2.0))) if len(found) > 1 else 0.0


def sounds(data: Path, with_made_songs: bool) -> Iterator[tuple[ReadSound, ReadSound]]:
    """Yield each sound as it is read with the network and without."""
    for group, fold, item in (*_items(data), *(_made_songs() if with_made_songs else ())):
        samples, truth = item.load()
        recording = recording_from_samples(samples, RATE)
        activation = beat_activation(recording)
        known = (group, fold, truth.is_steady is not False, beats_of(truth))
        both = []
        for each in (activation, BeatActivation(activation.onsets, None, None)):
            both.append(ReadSound(*known, find_readings(sound_of(recording, each))))
        yield both[0], both[1]


def _items(data: Path) -> Iterator[tuple[str, int, SoundItem | DataItem]]:
    for task, count in ITEMS.items():
        for number in range(count):
            yield task, number % FOLDS, SoundItem(task, "tune", number)
    for task, shares in CLIPS.items():
        for place, item in enumerate(data_items(data, task, "tune")):
            for share in shares:
                yield task, place % FOLDS, replace(item, skipped_share=share)
    for place, item in enumerate(data_items(data, "pop", "tune")):
        for group, speeds in SPEEDS.items():
            for speed, share in product(speeds, SPEED_CLIPS):
                yield group, place % FOLDS, replace(item, skipped_share=share, speed=speed)


def _made_songs() -> Iterator[tuple[str, int, MadeSong]]:
    for number in range(MADE_SONGS):
        yield "made", NO_FOLD, MadeSong(number)


def beats_of(truth: Truth) -> Numbers:
    """Return the true beats; of the task chords, those that its tempo and its first chord make."""
    if truth.beats or truth.bpm is None:
        return np.array(truth.beats)
    sounding = [chord for chord in truth.chords if chord.label != "N"]
    return np.arange(sounding[0].start, sounding[-1].end, 60 / truth.bpm)


def train(examples: list[ReadSound]) -> list[ReadingNetwork]:
    return [train_one(examples, seed) for seed in range(NETWORKS)]


def train_one(examples: list[ReadSound], seed: int) -> ReadingNetwork:
    numbers = np.random.default_rng(seed)
    features = np.concatenate([[each.features for each in sound.readings] for sound in examples])
    counts = [len(sound.readings) for sound in examples]
    begins = np.concatenate([[0], np.cumsum(counts)])[:-1]
    sound_of_row = np.repeat(np.arange(len(examples)), counts)
    right = np.concatenate([sound.right() for sound in examples])
    sizes = Counter(sound.group for sound in examples)
    share = np.array([WEIGHTS.get(sound.group, 1.0) * sizes[sound.group] ** -0.5 for sound in examples])
    share = np.repeat(share / share.sum(), counts)
    mean, deviation = features.mean(axis=0), features.std(axis=0) + 1e-6
    scaled = np.clip((features - mean) / deviation, -readings.MOST_DEVIATIONS, readings.MOST_DEVIATIONS)
    width = features.shape[1]
    parts = [
        np.zeros(width),
        numbers.normal(0, 0.5 * width**-0.5, (width, HIDDEN)),
        np.zeros(HIDDEN),
        numbers.normal(0, 0.3, HIDDEN),
    ]
    first, second = [np.zeros_like(part) for part in parts], [np.zeros_like(part) for part in parts]
    for step in range(1, STEPS + 1):
        rows = scaled * (numbers.random(width) > DROPOUT) / (1 - DROPOUT)
        hidden = np.tanh(rows @ parts[1] + parts[2])
        scores = rows @ parts[0] + hidden @ parts[3]
        odds = np.exp(scores - np.maximum.reduceat(scores, begins)[sound_of_row])
        slope = share * (odds / np.add.reduceat(odds, begins)[sound_of_row] - right)
        back = slope[:, None] * parts[3] * (1 - hidden**2)
        slopes = [rows.T @ slope, rows.T @ back, back.sum(axis=0), hidden.T @ slope]
        for index, each in enumerate(slopes):
            if index != 2:
                each = each + PENALTY / len(examples) * parts[index]
            first[index] = 0.9 * first[index] + 0.1 * each
            second[index] = 0.99 * second[index] + 0.01 * each**2
            unbiased = first[index] / (1 - 0.9**step), second[index] / (1 - 0.99**step)
            parts[index] = parts[index] - 0.02 * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
    return ReadingNetwork(mean, deviation, *parts)


def check(examples: list[ReadSound]) -> None:
    figures: dict[str, list[tuple[float, ...]]] = {}
    judged = []
    for fold in (*range(FOLDS), NO_FOLD):
        networks = train([each for each in examples if each.fold not in (fold, NO_FOLD)])
        for sound in (each for each in examples if each.fold == fold):
            chances = np.mean([network(sound.readings) for network in networks], axis=0)
            best = int(np.argmax(chances))
            ratio = sound.readings[best].bpm / sound.bpm
            is_right = abs(ratio - 1) < _RIGHT_WITHIN
            octaves = any(abs(ratio / factor - 1) < _RIGHT_WITHIN for factor in (1, 2, 0.5, 3, 1 / 3))
            scores = sound.f_measures()
            figures.setdefault(sound.group, []).append((scores[best], is_right, octaves, scores.max(), chances[best]))
            if sound.is_steady and sound.group != "expressive":
                judged.append((float(chances[best]), is_right))
    for group, rows in figures.items():
        figure = np.mean(rows, axis=0)
        print(
            f"{group} ({len(rows)}): beats F {figure[0]:.3f} (best reading {figure[3]:.3f}), ACC1 {figure[1]:.3f}, "
            f"ACC2 {figure[2]:.3f}, mean probability {figure[4]:.3f}"
        )
    print("confidence", confidence_table(judged, _BINS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    both = [pair for pair in sounds(options.data, options.check) if all(len(each.readings) > 1 for each in pair)]
    table = {}
    for name, examples in zip(("with network", "plain"), zip(*both, strict=True), strict=True):
        if options.check:
            print(name)
            check(list(examples))
        else:
            table[name] = [
                {field: np.round(values, 4).tolist() for field, values in network._asdict().items()}
                for network in train(list(examples))
            ]
    if table:
        Path(readings.__file__).with_name("reading_networks.json").write_text(json.dumps(table) + "\n")


if __name__ == "__main__":
    main()
