"""Mel spectra of a segment, with six windows: a Hann window and five Gaussian windows whose place was learned."""

import numpy as np

from consort_audio.neural.arrays import NetworkArray

RATE_HZ = 44_100
HOP = 1024
WINDOW = 4096
SEGMENT = 16 * RATE_HZ
"""Samples of a segment."""
FRAMES = -(-SEGMENT // HOP) + 1
_FLOOR = 1e-5
_FRAMES_AT_ONCE = 64


def windows(weights: dict[str, NetworkArray]) -> NetworkArray:
    """Return the six windows as rows."""
    position = np.arange(WINDOW, dtype=np.float32)
    widths, centres = _sigmoid(weights["window_widths"]), _sigmoid(weights["window_centres"])
    distance = (position - WINDOW * centres[:, None]) / (widths[:, None] * WINDOW / 2)
    return np.vstack([weights["hann_window"], np.exp(-0.5 * distance**2)]).astype(np.float32)


def segment_features(segment: NetworkArray, weights: dict[str, NetworkArray]) -> NetworkArray:
    """Return the features (frames, mels, windows) of a segment (channels, SEGMENT). Its level does not matter."""
    padded = np.pad(segment, ((0, 0), (WINDOW // 2, (FRAMES - 1) * HOP + WINDOW // 2 - SEGMENT)))
    frames = np.lib.stride_tricks.sliding_window_view(padded, WINDOW, axis=1)[:, ::HOP]
    mean, deviation = _moments(padded)
    shapes = windows(weights)
    mel = np.empty((FRAMES, weights["mel_bands"].shape[1], len(shapes)), np.float32)
    for first in range(0, FRAMES, _FRAMES_AT_ONCE):
        part = (frames[:, first : first + _FRAMES_AT_ONCE] - mean) / (deviation + 1e-8)
        for index, shape in enumerate(shapes):
            spectrum = np.fft.rfft(part * shape, axis=-1)
            power = (spectrum.real**2 + spectrum.imag**2).mean(axis=0) / WINDOW
            mel[first : first + _FRAMES_AT_ONCE, :, index] = power.astype(np.float32) @ weights["mel_bands"]
    np.log(mel + _FLOOR, out=mel)
    mel /= -np.log(_FLOOR)
    mel += 1
    return mel


def _moments(padded: NetworkArray) -> tuple[np.float32, np.float32]:
    """Return the mean and the standard deviation of all frames. A sample counts as often as frames contain it."""
    counts = np.zeros(padded.shape[1])
    for frame in range(FRAMES):
        counts[frame * HOP : frame * HOP + WINDOW] += 1
    total = counts.sum() * len(padded)
    mean = float((padded.astype(np.float64) @ counts).sum() / total)
    variance = float((((padded - mean) ** 2) @ counts).sum() / (total - 1))
    return np.float32(mean), np.float32(np.sqrt(variance))


def _sigmoid(x: NetworkArray) -> NetworkArray:
    return (1 / (1 + np.exp(-x))).astype(np.float32)
