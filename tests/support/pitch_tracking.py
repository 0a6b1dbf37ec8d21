"""Find the notes of a melody, and the onsets of clicks, in sound. Independent of the code under test.

Pitch: the difference function of YIN (de Cheveigné and Kawahara, 2002) by FFT, one estimate per 10 ms. A note is a run
of estimates of the same semitone. Onsets: peaks of the rise of energy in 5 ms frames.
"""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import soundfile
from numpy.typing import NDArray

MonoSound = NDArray[np.float64]

_WINDOW_S, _HOP_S = 0.046, 0.01
_LOWEST_HZ = 55.0
_DIP = 0.2
"""The normalised difference below which a period counts as found."""
_SHORTEST_NOTE = 6
"""Estimates in a row that make a note."""


class HeardNote(NamedTuple):
    onset_s: float
    pitch: int


def read_mono(path: Path) -> tuple[MonoSound, int]:
    samples, sample_rate = soundfile.read(path, always_2d=True)
    return samples.mean(axis=1), sample_rate


def heard_notes(sound: MonoSound, sample_rate: int, quiet_db: float = -45.0) -> list[HeardNote]:
    """Return the notes of a melody of one voice. Sound below `quiet_db`, relative to the loudest frame, is ignored."""
    window, hop = round(_WINDOW_S * sample_rate), round(_HOP_S * sample_rate)
    starts = range(0, len(sound) - 2 * window, hop)
    energies = np.array([np.sqrt(np.mean(np.square(sound[start : start + window]))) for start in starts])
    loudest = energies.max()
    notes: list[HeardNote] = []
    run: list[int] = []
    for place, start in enumerate(starts):
        is_loud = energies[place] > loudest * 10 ** (quiet_db / 20)
        pitch = _pitch(sound[start : start + 2 * window], window, sample_rate) if is_loud else None
        if pitch is None or (run and pitch != run[-1]):
            run = []
        if pitch is not None:
            run.append(pitch)
        if len(run) == _SHORTEST_NOTE and (not notes or notes[-1].pitch != pitch):
            # a window finds a note when about half of it is filled
            middle = (place - _SHORTEST_NOTE + 1) * hop + window / 2
            notes.append(HeardNote(middle / sample_rate, run[-1]))
    return notes


def onsets(sound: MonoSound, sample_rate: int, share: float = 0.2) -> list[float]:
    """Return when sounds begin, in seconds: where the energy rises by at least `share` of the largest rise."""
    hop = round(0.005 * sample_rate)
    energy = np.sqrt(np.mean(np.square(sound[: len(sound) // hop * hop].reshape(-1, hop)), axis=1))
    rise = np.diff(energy, prepend=0.0)
    found: list[float] = []
    for place in np.flatnonzero(rise > share * rise.max()):
        time = float(place * hop / sample_rate)
        if not found or time - found[-1] > 0.08:
            found.append(time)
    return found


def _pitch(frame: MonoSound, window: int, sample_rate: int) -> int | None:
    """Return the MIDI number of a frame of two windows, or None if it has no clear pitch."""
    longest = min(window, round(sample_rate / _LOWEST_HZ))
    size = 1 << (len(frame) + window - 1).bit_length()
    first = np.fft.rfft(frame[:window], size)
    correlation = np.fft.irfft(np.fft.rfft(frame, size) * first.conj(), size)[:longest]
    sums = np.concatenate(([0.0], np.cumsum(np.square(frame))))
    powers = sums[window : window + longest] - sums[:longest]
    difference = powers[0] + powers - 2 * correlation
    lags = np.arange(1, longest)
    normalised = difference[1:] * lags / np.maximum(np.cumsum(difference[1:]), 1e-12)
    below = np.flatnonzero(normalised < _DIP)
    if not len(below):
        return None
    dip = int(below[0])
    while dip + 1 < len(normalised) and normalised[dip + 1] < normalised[dip]:
        dip += 1
    lag = dip + 1.0
    if 0 < dip < len(normalised) - 1:
        left, middle, right = normalised[dip - 1 : dip + 2]
        bend = left - 2 * middle + right
        lag += 0.5 * (left - right) / bend if bend > 0 else 0.0
    return round(69 + 12 * math.log2(sample_rate / lag / 440))
