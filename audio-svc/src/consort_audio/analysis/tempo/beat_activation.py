"""How probable a beat is at each moment, 50 values a second: onset strength, mixed with the beat network if it is
installed."""

from typing import NamedTuple

import numpy as np

from consort_audio.analysis.tempo.beat_path import FRAMES_PER_SECOND
from consort_audio.neural.beat_network import beat_activations
from consort_audio.signals import onset_strength as strength
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.curves import moving
from consort_audio.signals.recording import Recording

NETWORK_SHARE = 0.2
"""The weight of the network in the mix."""
LEAST, MOST = 0.001, 0.995
_MEAN_OVER = FRAMES_PER_SECOND
_PEAK_OVER = 3 * FRAMES_PER_SECOND
_LEAST_PEAK = 0.15


class BeatActivation(NamedTuple):
    onsets: Numbers
    """Onset strength, scaled to 0..1 by its surroundings."""
    network_beats: Numbers | None
    """The network's probability of a beat of any kind."""
    network_downbeats: Numbers | None

    @property
    def mixed(self) -> Numbers:
        network = self.onsets if self.network_beats is None else self.network_beats
        return NETWORK_SHARE * network + (1 - NETWORK_SHARE) * self.onsets


def beat_activation(recording: Recording) -> BeatActivation:
    """Return the activation of a recording."""
    rise = strength.onset_strength(recording).rise
    step = strength.FRAMES_PER_SECOND // FRAMES_PER_SECOND
    onsets = _scaled(rise[::step].astype(float))
    network = beat_activations(recording)
    if network is None:
        return BeatActivation(onsets, None, None)
    count = min(len(onsets), len(network))
    return BeatActivation(
        onsets[:count], np.clip(network[:count].sum(axis=1, dtype=float), 0, 1), network[:count, 1].astype(float)
    )


def probability(curve: Numbers) -> Numbers:
    """Return a curve as probabilities that are neither 0 nor 1."""
    return np.clip(curve, LEAST, MOST)


def _scaled(rise: Numbers) -> Numbers:
    """Subtract the mean over a second, and divide by the peak within three seconds."""
    above = np.maximum(0, rise - moving(rise, _MEAN_OVER).mean(axis=1))
    if (strongest := above.max()) < 1e-6:
        return np.zeros_like(rise)
    peaks = np.maximum(moving(above, _PEAK_OVER).max(axis=1), _LEAST_PEAK * strongest)
    return np.asarray(np.clip(above / peaks, 0, 1))
