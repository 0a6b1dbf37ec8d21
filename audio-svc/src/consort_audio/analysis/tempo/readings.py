"""List the ways in which the beat of a recording can be heard (half, double, a third …), and weigh them.

A first search over all tempos gives one tempo, the beat network alone another. They and their multiples and fractions
are searched again, each in a narrow range of tempo; what comes out are the readings. Features describe a reading (see
`reading_features`). A small network with one hidden layer gives each reading a score; the probability of a reading is
the softmax of the scores (a conditional logit model), averaged over five networks. Their weights are in
`reading_networks.json`, for use with the beat network and without, and come from
`benchmarks/training/train_tempo_readings.py`. They learn from sounds whose tempos are spread evenly, but most music is
not fast: readings above `FAST` beats per minute are less probable than the networks say.
"""

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from consort_audio.analysis.tempo.beat_activation import probability
from consort_audio.analysis.tempo.beat_path import FRAMES_PER_SECOND, PERIODS, TEMPOS, beat_path
from consort_audio.analysis.tempo.reading_features import Frames, ReadingEvidence, largest_near, reading_columns
from consort_audio.analysis.tempo.tempo_prior import periodicity, preference
from consort_audio.signals.arrays import Numbers

RIGIDITY, NETWORK_RIGIDITY = 40.0, 100.0
PRIOR_WEIGHT = 15.0
MULTIPLES = (1.0, 2.0, 0.5, 3.0, 1 / 3, 1.5, 2 / 3)
SLOWEST, FASTEST = 36.0, 235.0
SAME_TEMPO = 0.1
"""In octaves: two tempos so near are one reading."""
SAME_LEVEL = 0.2
"""In octaves: two readings so near are of one level of the beat, for example with and without a change of tempo."""
NARROW, NARROW_REACH = 0.15, 0.4
"""In octaves: how far a reading's tempo may be from its first guess (standard deviation, limit)."""
LEAST_BEATS = 3
SURE_NETWORK = 0.92
"""The mean probability of the network at its beats above which the beats are searched in its output alone."""
MOST_DEVIATIONS = 4.0
"""Features are cut off so many standard deviations from the mean."""
FAST, FAST_COST = 140.0, 3.0
"""The tempo above which a reading becomes less probable, and the cost in its log odds for each octave."""
_CENTRE = 110.0
_FILE = Path(__file__).with_name("reading_networks.json")


class Reading(NamedTuple):
    frames: Frames
    """Beats, 50 frames a second."""
    bpm: float
    log_probability: float
    """Of its path through the beats, per frame."""
    features: Numbers


class RankedReading(NamedTuple):
    reading: Reading
    probability: float


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
            columns = [*_tempo_columns(tempo), log_probability, _at_tempo(periods[0], tempo), agrees[0]]
            columns += [_at_tempo(periods[1], tempo), agrees[1]] if periods[1] is not None else []
            columns += [_log_onsets_per_beat(sound, tempo), *reading_columns(sound, frames)]
            found.append(Reading(frames, tempo, log_probability, np.nan_to_num(np.array(columns, dtype=np.float64))))
    return found


def rank_readings(readings: list[Reading], with_network: bool) -> list[RankedReading]:
    """Return one reading of each level of the beat, the most probable level first.

    Readings with almost the same tempo are of one level, which is as probable as the most probable of them. Of these,
    the one with the most probable path is taken: it follows a change of tempo where another one may keep the tempo of
    one side.
    """
    chances = probabilities(readings, with_network)
    order = [int(index) for index in np.argsort(-chances)]
    found = []
    while order:
        level = [index for index in order if abs(np.log2(readings[index].bpm / readings[order[0]].bpm)) < SAME_LEVEL]
        best = max(level, key=lambda index: readings[index].log_probability)
        found.append(RankedReading(readings[best], float(chances[order[0]])))
        order = [index for index in order if index not in level]
    return found


def probabilities(readings: list[Reading], with_network: bool) -> Numbers:
    """Return the probability of each reading: the mean over the networks, lower for fast readings."""
    likely = np.mean([network(readings) for network in reading_networks(with_network)], axis=0)
    too_fast = np.maximum(0.0, np.log2(np.array([each.bpm for each in readings]) / FAST))
    likely = likely * np.exp(-FAST_COST * too_fast)
    return np.asarray(likely / likely.sum())


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
    alike = intervals[np.abs(intervals - usual) <= 0.15 * usual]
    return float(60 * FRAMES_PER_SECOND / (alike.mean() if len(alike) else usual))


def _search_near(searched: Numbers, tempo: float) -> tuple[Frames, float]:
    distance = np.log2(TEMPOS / tempo)
    near = np.abs(distance) < NARROW_REACH
    path = beat_path(searched, -0.5 * (distance[near] / NARROW) ** 2, RIGIDITY, PERIODS[near])
    return path.frames, path.log_probability


def _standard(curve: Numbers) -> Numbers:
    return np.asarray(curve / (curve.std() + 1e-9))


def _tempo_columns(tempo: float) -> list[float]:
    octaves = float(np.log2(tempo / _CENTRE))
    return [octaves, octaves**2, max(0.0, octaves - 0.6), max(0.0, -octaves - 0.6)]


def _at_tempo(periodicities: Numbers, tempo: float) -> float:
    return float(np.log(np.interp(np.log(tempo), np.log(TEMPOS[::-1]), periodicities[::-1])))


def _log_onsets_per_beat(sound: ReadingEvidence, tempo: float) -> float:
    seconds = len(sound.activation.onsets) / FRAMES_PER_SECOND
    return float(np.log(len(sound.onset_times) / seconds * 60 / tempo + 0.1))
