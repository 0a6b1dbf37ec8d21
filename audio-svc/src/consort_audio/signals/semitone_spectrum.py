"""The strength of each semitone from C2 to C7 over time, 25 times a second: for changes of pitch and harmony.

A Hann window of 4,096 samples (186 ms) moves by 882 samples (40 ms); frame t is centred on t / 25 s. A semitone is the
sum of the magnitudes of its frequencies, as log(1 + 100 · sum), after the recording was scaled as in `onset_strength`.
"""

from functools import cache

import numpy as np

from consort_audio.signals.arrays import Floats
from consort_audio.signals.onset_strength import LOUD_LEVEL, QUIETEST, framed, loud_level
from consort_audio.signals.recording import RATE, Recording

HOP = 882
FRAMES_PER_SECOND = RATE // HOP
LOWEST, HIGHEST = 36, 96
"""MIDI numbers: C2 and C7."""
_WINDOW = 4096
_CHUNK = 256


def semitone_spectrum(recording: Recording) -> Floats:
    """Return one row of semitones for each frame, computed once."""
    return recording.feature("semitone spectrum", _compute)


def chroma(recording: Recording) -> Floats:
    """Return one row of 12 pitch classes from C for each frame: the means of the semitones."""
    semitones = semitone_spectrum(recording)
    return np.stack([semitones[:, pitch_class::12].mean(axis=1) for pitch_class in range(12)], axis=1)


def _compute(recording: Recording) -> Floats:
    window, bands = _bands()
    samples = recording.samples
    gain = LOUD_LEVEL / max(loud_level(samples), QUIETEST)
    rows: list[Floats] = []
    for frames in framed(samples, _WINDOW, HOP, _CHUNK):
        spectrum = np.fft.rfft(frames * window, axis=1)[:, : len(bands)]
        rows.append(np.log1p(100 * gain * (np.abs(spectrum) @ bands)).astype(np.float32))
    return np.concatenate(rows)


@cache
def _bands() -> tuple[Floats, Floats]:
    """Return the window, and which frequencies belong to which semitone: triangles that reach to the next ones."""
    frequencies = np.fft.rfftfreq(_WINDOW, 1 / RATE)
    pitches = 69 + 12 * np.log2(np.maximum(frequencies, 1) / 440)
    used = int(np.searchsorted(pitches, HIGHEST + 1))
    semitones = np.arange(LOWEST, HIGHEST + 1)
    bands = np.maximum(0, 1 - np.abs(pitches[:used, None] - semitones))
    window = np.hanning(_WINDOW) / (_WINDOW / 4)
    return window.astype(np.float32), bands.astype(np.float32)
