"""List the ways in which the beat of a recording can be heard (half, double, a third …), and weigh them.

A first search over all tempos gives one tempo, the beat network alone another. They and their multiples and fractions
are searched again, each in a narrow range of tempo; what comes out are the readings. Features describe a reading:
its tempo; how strong onsets and network are on the beat and between beats; how its beats resemble each other at a
distance of one to four beats (kick and snare, bass and chord); how much the harmony changes on and between them.
A small network with one hidden layer gives each reading a score; the probability of a reading is the softmax of the
scores (a conditional logit model), averaged over three networks. Their weights are in `reading_networks.json`, for use
with the beat network and without, and come from `benchmarks/training/train_tempo_readings.py`.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.tempo.beat_activation import BeatActivation, probability
from consort_audio.analysis.tempo.beat_path import FRAMES_PER_SECOND, PERIODS, TEMPOS, beat_path
from consort_audio.analysis.tempo.tempo_prior import periodicity, preference
from consort_audio.signals import semitone_spectrum as semitones
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND as STRENGTH_RATE
from consort_audio.signals.onset_strength import onset_strength
from consort_audio.signals.recording import Recording

Frames = NDArray[np.int64]

RIGIDITY, NETWORK_RIGIDITY = 40.0, 100.0
PRIOR_WEIGHT = 15.0
MULTIPLES = (1.0, 2.0, 0.5, 3.0, 1 / 3, 1.5, 2 / 3)
SLOWEST, FASTEST = 36.0, 235.0
SAME_TEMPO = 0.1
"""In octaves: two tempos so near are one reading."""
NARROW, NARROW_REACH = 0.15, 0.4
"""In octaves: how far a reading's tempo may be from its first guess (standard deviation, limit)."""
LEAST_BEATS = 3
SURE_NETWORK = 0.92
"""The mean probability of the network at its beats above which the beats are searched in its output alone."""
MOST_DEVIATIONS = 4.0
"""Features are cut off so many standard deviations from the mean."""
_CENTRE = 110.0
_FILE = Path(__file__).with_name("reading_networks.json")


class Reading(NamedTuple):
    frames: Frames
    """Beats, 50 frames a second."""
    bpm: float
    features: Numbers


class ReadingNetwork(NamedTuple):
    mean: Numbers
    deviation: Numbers
    """Of each feature."""
    direct_weights: Numbers
    hidden_weights: Numbers
    hidden_bias: Numbers
    output_weights: Numbers

    def __call__(self, readings: list[Reading]) -> Numbers:
        """Return the probability of each reading."""
        rows = np.stack([each.features for each in readings])
        scaled = np.clip((rows - self.mean) / self.deviation, -MOST_DEVIATIONS, MOST_DEVIATIONS)
        scores = scaled @ self.direct_weights
        scores = scores + np.tanh(scaled @ self.hidden_weights + self.hidden_bias) @ self.output_weights
        odds = np.exp(scores - scores.max())
        return np.asarray(odds / odds.sum())


class ReadingEvidence(NamedTuple):
    """What the readings of a recording are judged by."""

    activation: BeatActivation
    groups: Numbers
    """Onset strength in eight groups of bands, 150 rows a second."""
    chroma: Numbers
    """25 rows a second."""


def sound_of(recording: Recording, activation: BeatActivation) -> ReadingEvidence:
    return ReadingEvidence(
        activation, onset_strength(recording).groups.astype(float), semitones.chroma(recording).astype(float)
    )


def find_readings(sound: ReadingEvidence, bpm_hint: float | None = None) -> list[Reading]:
    """Return the readings, in no order. With a hint, the only one is near it."""
    activation = sound.activation
    network = activation.network_beats
    searched = probability(activation.mixed)
    guesses: list[float] = []
    from_network = 0.0
    if network is not None:
        alone = beat_path(probability(network), 0.01 * preference(None), NETWORK_RIGIDITY).frames
        from_network = tempo_of(alone)
        if len(alone) >= LEAST_BEATS and largest_near(network, alone).mean() > SURE_NETWORK:
            searched = probability(network)
    both = _standard(activation.onsets) + (_standard(network) if network is not None else 0)
    first = tempo_of(
        beat_path(searched, PRIOR_WEIGHT * (np.log(periodicity(both)) + preference(None)), RIGIDITY).frames
    )
    for tempo in (first, from_network):
        for multiple in MULTIPLES:
            guess = tempo * multiple
            if SLOWEST < guess < FASTEST and all(abs(np.log2(guess / other)) >= SAME_TEMPO for other in guesses):
                guesses.append(guess)
    if bpm_hint is not None:
        guesses = [bpm_hint]
    found = []
    periods = (periodicity(activation.onsets), periodicity(network) if network is not None else None)
    for guess in guesses:
        frames, log_probability = _search_near(searched, guess)
        if len(frames) >= LEAST_BEATS:
            tempo = tempo_of(frames)
            agrees = [float(abs(np.log2(tempo / max(other, 1))) < 0.08) for other in (first, from_network)]
            columns = [*_tempo_columns(tempo), *_activation_columns(activation, frames), log_probability]
            columns += [_at_tempo(periods[0], tempo), _onsets_per_beat(activation.onsets, tempo), agrees[0]]
            columns += [_at_tempo(periods[1], tempo), agrees[1]] if periods[1] is not None else []
            columns += [*_pattern_columns(sound.groups, frames), *_harmony_columns(sound.chroma, frames)]
            found.append(Reading(frames, tempo, np.nan_to_num(np.array(columns, dtype=np.float64))))
    return found


def probabilities(readings: list[Reading], with_network: bool) -> Numbers:
    """Return the probability of each reading, the mean over the networks."""
    return np.asarray(np.mean([network(readings) for network in reading_networks(with_network)], axis=0))


@cache
def reading_networks(with_network: bool) -> list[ReadingNetwork]:
    table = json.loads(_FILE.read_text())["with network" if with_network else "plain"]
    return [ReadingNetwork(**{name: np.array(values) for name, values in each.items()}) for each in table]


def tempo_of(frames: Frames) -> float:
    """Return the tempo of beats in beats per minute, 0 if there are too few."""
    if len(frames) < LEAST_BEATS:
        return 0.0
    intervals = np.diff(frames)
    usual = np.median(intervals)
    return float(60 * FRAMES_PER_SECOND / intervals[np.abs(intervals - usual) <= 0.15 * usual].mean())


def _search_near(searched: Numbers, tempo: float) -> tuple[Frames, float]:
    distance = np.log2(TEMPOS / tempo)
    near = np.abs(distance) < NARROW_REACH
    path = beat_path(searched, -0.5 * (distance[near] / NARROW) ** 2, RIGIDITY, PERIODS[near])
    return path.frames, path.log_probability


def _standard(curve: Numbers) -> Numbers:
    return np.asarray(curve / (curve.std() + 1e-9))


def largest_near(curve: Numbers, frames: NDArray[np.number], reach: int = 2) -> Numbers:
    """Return the largest value within `reach` frames of each frame; of each column, if the curve has several."""
    centres = np.clip(np.round(frames).astype(int), 0, len(curve) - 1)
    padding = [(reach, reach)] + [(0, 0)] * (curve.ndim - 1)
    padded = np.pad(curve, padding, mode="edge")
    return np.asarray(padded[centres[:, None] + np.arange(2 * reach + 1)].max(axis=1))


def _tempo_columns(tempo: float) -> list[float]:
    octaves = float(np.log2(tempo / _CENTRE))
    return [octaves, octaves**2, max(0.0, octaves - 0.6), max(0.0, -octaves - 0.6)]


def _activation_columns(activation: BeatActivation, frames: Frames) -> list[float]:
    """Return how strong onsets, and the network, are on the beats and on fractions between them."""
    length = np.diff(frames)
    between = [
        frames[:-1] + length / 2,
        np.concatenate([frames[:-1] + length / 3, frames[:-1] + length * 2 / 3]),
        np.concatenate([frames[:-1] + length / 4, frames[:-1] + length * 3 / 4]),
    ]
    columns = []
    for curve in (activation.onsets, activation.network_beats):
        if curve is None:
            continue
        near = np.zeros(len(curve))
        for shift in range(-2, 3):
            near[np.clip(frames + shift, 0, len(curve) - 1)] = 1
        on_beat = largest_near(curve, frames)
        columns += [on_beat.mean(), *(largest_near(curve, places).mean() for places in between)]
        columns += [(curve * near).sum() / (curve.sum() + 1e-9), (on_beat > 0.3).mean()]
        columns += [abs(on_beat[::2].mean() - on_beat[1::2].mean())]
    return [float(value) for value in columns]


def _at_tempo(periodicities: Numbers, tempo: float) -> float:
    return float(np.log(np.interp(np.log(tempo), np.log(TEMPOS[::-1]), periodicities[::-1])))


def _onsets_per_beat(onsets: Numbers, tempo: float) -> float:
    middle = onsets[1:-1]
    count = np.count_nonzero((middle >= onsets[:-2]) & (middle > onsets[2:]) & (middle > 0.2))
    return float(np.log(count / (len(onsets) / FRAMES_PER_SECOND) * 60 / tempo + 0.1))


def _pattern_columns(groups: Numbers, frames: Frames) -> list[float]:
    """Return how beats resemble each other at a distance of 1 to 4 beats, and how they differ from what is between."""
    step = STRENGTH_RATE // FRAMES_PER_SECOND
    beats = np.log(largest_near(groups, frames * step, 7) + 0.02)
    middles = np.log(largest_near(groups, (frames[:-1] + frames[1:]) * step / 2, 7) + 0.02)
    alike = _resemblance(beats)
    bass, bass_between = beats[:, 0], middles[:, 0]
    return [
        *alike, max(alike[1:]) - alike[0], float(beats.std(axis=0).mean()),
        float((beats.mean(axis=0) - middles.mean(axis=0)).mean()), float(middles.std(axis=0).mean()),
        _resemblance(middles)[0], float(bass.mean() - bass_between.mean()),
        float(abs(bass[::2].mean() - bass[1::2].mean())),
    ]  # fmt: skip


def _resemblance(rows: Numbers) -> list[float]:
    """Return the correlation of rows with those 1, 2, 3 and 4 rows later, after the mean row was subtracted."""
    centred = rows - rows.mean(axis=0)
    found = []
    for lag in range(1, 5):
        first, second = centred[:-lag], centred[lag:]
        scale = float(np.sqrt((first**2).sum() * (second**2).sum()))
        found.append(float((first * second).sum()) / (scale + 1e-6) if len(rows) > lag + 2 else 0.0)
    return found


def _harmony_columns(chroma: Numbers, frames: Frames) -> list[float]:
    """Return how much the pitch classes change on the beats and between them, over a beat and over 0.4 s."""
    beats = frames / FRAMES_PER_SECOND
    middles = (beats[:-1] + beats[1:]) / 2
    period = float(np.median(np.diff(beats)))
    sums = np.concatenate([np.zeros((1, 12)), np.cumsum(chroma, axis=0)])

    def mean(start: Numbers, end: Numbers) -> Numbers:
        first = np.clip(np.round(start * semitones.FRAMES_PER_SECOND).astype(int), 0, len(chroma) - 1)
        last = np.maximum(first + 1, np.clip(np.round(end * semitones.FRAMES_PER_SECOND).astype(int), 0, len(chroma)))
        return np.asarray((sums[last] - sums[first]) / (last - first)[:, None])

    def change(times: Numbers, reach: float) -> Numbers:
        before, after = mean(times - reach, times - 0.02), mean(times + 0.06, times + reach)
        lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
        return np.asarray(1 - (before * after).sum(axis=1) / (lengths + 1e-6))

    on_beat, between = change(beats, period), change(middles, period)
    alike = _resemblance(on_beat[:, None])
    logs = [
        float(np.log(values.mean() + 0.01)) for values in (on_beat, between, change(beats, 0.4), change(middles, 0.4))
    ]
    return [logs[0], logs[1], logs[0] - logs[1], *alike[:3], max(alike[1:]) - alike[0], logs[2], logs[3]]
