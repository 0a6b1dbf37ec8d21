"""Make a clean sound worse: noise, a room, another level. The direct sound of the room comes first and is not moved."""

import numpy as np
from numpy.typing import NDArray

from consort_audio.codecs.loudness import LoudnessMeter
from consort_audio.signals.recording import Mono
from evaluation.sounds.playing import RATE

_PEAK = 0.97


def in_room(samples: Mono, decay_s: float, numbers: np.random.Generator) -> Mono:
    """Convolve with a synthetic room whose sound falls by 60 dB in `decay_s` seconds."""
    times = np.arange(round(decay_s * RATE)) / RATE
    tail = numbers.standard_normal(len(times)) * 10 ** (-3 * times / decay_s)
    tail[: round(0.004 * RATE)] = 0  # the first reflection arrives after 4 ms
    tail *= 0.45 / np.sqrt(np.sum(tail**2))
    tail[0] = 1
    size = 1 << (len(samples) + len(tail)).bit_length()
    wet = np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(tail, size), size)[: len(samples)]
    return wet.astype(np.float32)


def with_noise(samples: Mono, snr_db: float, numbers: np.random.Generator) -> Mono:
    """Add noise whose power falls by 3 dB an octave, `snr_db` below the sound."""
    spectrum = np.fft.rfft(numbers.standard_normal(len(samples)))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 20))
    noise: NDArray[np.float64] = np.fft.irfft(spectrum, len(samples))
    scale = np.sqrt(np.mean(samples.astype(float) ** 2) / np.mean(noise**2)) * 10 ** (-snr_db / 20)
    noisy: Mono = (samples + scale * noise).astype(np.float32)
    return noisy


def at_loudness(samples: Mono, lufs: float) -> Mono:
    """Change the level to `lufs`, or to a peak just below full scale if that is less."""
    meter = LoudnessMeter(RATE, 1)
    meter.add(samples[:, None])
    measured = meter.loudness()
    peak = float(np.max(np.abs(samples), initial=1e-9))
    gain = 1.0 if measured is None else 10 ** ((lufs - measured) / 20)
    return (samples * min(gain, _PEAK / peak)).astype(np.float32)
