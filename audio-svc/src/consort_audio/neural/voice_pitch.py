"""The pitch of one voice or instrument, by the network swift-f0 (SwiftF0).

A frame is 256 samples at 16 kHz (16 ms) and its time is its start. The pitch lies between 46.875 and 2,093.75 Hz; above
or below, another method is needed. A frame with a confidence of at least 0.5 is voiced. The network invents voiced
frames in digital silence, so that frames whose peak is below -60 dB of full scale get confidence 0.

A frame depends on 11 frames before and 10 after it, so that parts of 5 s with these margins give what the whole gives.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.sessions import session
from consort_audio.signals.recording import Recording

RATE_HZ = 16_000
HOP = 256
FRAMES_PER_SECOND = RATE_HZ / HOP
LOWEST_HZ = 46.875
HIGHEST_HZ = 2093.75
_FRAMES_AT_ONCE = 312
_FRAMES_BEFORE = 11
_FRAMES_AFTER = 10
_SILENCE_PEAK = 1e-3


class VoicePitch(NamedTuple):
    times: NDArray[np.float64]
    """In seconds, one per frame."""
    hz: NDArray[np.float32]
    confidence: NDArray[np.float32]


def voice_pitch(
    recording: Recording, lowest_hz: float = LOWEST_HZ, highest_hz: float = HIGHEST_HZ
) -> VoicePitch | None:
    """Return the pitch of every frame, or None if the model is not installed."""
    network = session("swift-f0")
    if network is None:
        return None
    samples = recording.at_rate(RATE_HZ)
    count = len(samples) // HOP
    limits = {"fmin": np.float32(max(lowest_hz, LOWEST_HZ)), "fmax": np.float32(min(highest_hz, HIGHEST_HZ))}
    hz, confidence = np.zeros(count, np.float32), np.zeros(count, np.float32)
    for first in range(0, count, _FRAMES_AT_ONCE):
        last = min(first + _FRAMES_AT_ONCE, count)
        begin = max(0, first - _FRAMES_BEFORE)
        part = samples[begin * HOP : (last + _FRAMES_AFTER) * HOP]
        inputs = {"audio": part[None], **{name: np.asarray(value) for name, value in limits.items()}}
        pitches, confidences = network.run(["pitch", "confidence"], inputs)
        hz[first:last] = pitches[0][first - begin : last - begin]
        confidence[first:last] = confidences[0][first - begin : last - begin]
    hops = samples[: count * HOP].reshape(count, HOP)
    peaks = np.maximum(hops.max(axis=1, initial=0), -hops.min(axis=1, initial=0))
    confidence[peaks < _SILENCE_PEAK] = 0
    return VoicePitch(np.arange(count) / FRAMES_PER_SECOND, hz, confidence)
