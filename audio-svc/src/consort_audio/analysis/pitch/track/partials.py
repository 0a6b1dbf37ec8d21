"""Check octaves in the spectrum, and find tones that are too high for the other methods.

A frequency f that the model reports is too high if there is a strong partial at f / 2 or f / 3, which f cannot have;
it is an octave too low if its odd partials are missing. A tone of over 2,050 Hz is found as the strongest partial of
a spectrum with nothing below it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.track.yin import HOP, PITCH_RATE
from consort_audio.signals.arrays import Floats
from consort_audio.signals.onset_strength import framed

LOWEST_HIGH_HZ = 2050.0
_SIZE = 2048
_FRAMES_AT_ONCE = 512
_STRONG = 0.2
"""A partial is strong if it has this share of the amplitude of the strongest of the reported ones."""
_MISSING = 0.03
_LEAST_HZ = 50.0
_NOTHING_BELOW = 0.97
_TINY = 1e-9


class Partials(NamedTuple):
    frequency: Floats
    """The given frequencies in Hz, in the right octave."""
    high_frames: NDArray[np.intp]
    """Frames with a single tone of over LOWEST_HIGH_HZ."""
    high_frequency: Floats
    """The frequency of these frames in Hz."""


def look_at_partials(samples: Floats, sounding: NDArray[np.bool_], given: Floats, offset: float = 0.0) -> Partials:
    """Check the frequencies given for all frames in the sounding ones. `offset` is the mean of the samples."""
    frequency = given.copy()
    window = np.hanning(_SIZE)
    high_frames, high_frequency = [np.zeros(0, np.intp)], [np.zeros(0, np.float32)]
    for number, frames in enumerate(framed(samples, _SIZE, HOP, _FRAMES_AT_ONCE, offset)):
        first = number * _FRAMES_AT_ONCE
        chosen = np.flatnonzero(sounding[first : first + len(frames)])
        part = first + chosen
        spectrum = np.fft.rfft(frames[chosen] * window)  # double precision, which numpy transforms faster
        amplitude = np.abs(spectrum.astype(np.complex64))
        frequency[part] = _right_octave(amplitude, given[part])
        found, tone = _high_tones(amplitude)
        high_frames.append(part[found])
        high_frequency.append(tone)
    return Partials(frequency, np.concatenate(high_frames), np.concatenate(high_frequency))


def _right_octave(amplitude: Floats, given: Floats) -> Floats:
    frequency: NDArray[np.floating] = given
    for divisor in (2, 3, 2):
        lower = frequency / divisor
        reported = np.maximum(_at(amplitude, frequency), _at(amplitude, 2 * frequency))
        is_lower = (_at(amplitude, lower) > _STRONG * reported) & (lower > _LEAST_HZ)
        if divisor == 3:  # a real tone a twelfth below has more partials
            is_lower &= _at(amplitude, 5 * lower) > _MISSING * reported
        frequency = np.where(is_lower, lower, frequency)
    even = np.maximum(_at(amplitude, 2 * frequency), _TINY)
    odd = np.maximum(_at(amplitude, frequency), _at(amplitude, 3 * frequency))
    corrected: Floats = np.where(odd < _MISSING * even, 2 * frequency, frequency).astype(np.float32)
    return corrected


def _at(amplitude: Floats, frequency: NDArray[np.floating]) -> Floats:
    """Return the amplitude of the partial at a frequency: the highest of three bins."""
    place = np.clip(np.round(frequency * (_SIZE / PITCH_RATE)).astype(int), 1, _SIZE // 2 - 2)
    rows = np.arange(len(amplitude))
    highest: Floats = np.maximum.reduce([amplitude[rows, place + step] for step in (-1, 0, 1)])
    return highest


def _high_tones(amplitude: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Return which frames have a single high tone, and its frequency in Hz by a parabola through three bins."""
    power = np.square(amplitude)
    peak = np.clip(power.argmax(axis=1), 1, _SIZE // 2 - 1)
    rows = np.arange(len(peak))
    left, middle, right = (np.log(amplitude[rows, peak + step].astype(np.float64) + _TINY) for step in (-1, 0, 1))
    bend = np.minimum(left - 2 * middle + right, -_TINY)
    frequency = (peak + np.clip(0.5 * (left - right) / bend, -0.5, 0.5)) * (PITCH_RATE / _SIZE)
    below = np.cumsum(power, axis=1)[rows, (0.9 * peak).astype(int)]
    is_high = (frequency > LOWEST_HIGH_HZ) & (below < (1 - _NOTHING_BELOW) * np.maximum(power.sum(axis=1), _TINY))
    is_high &= _at(amplitude, 0.5 * frequency.astype(np.float32)) < _MISSING * amplitude[rows, peak]
    return is_high, frequency[is_high].astype(np.float32)
