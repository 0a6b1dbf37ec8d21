"""Tones that begin at known times, plucked or with a soft attack, for tests of tempo and rhythm."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.recording import RATE, Recording

SCALE_HZ = (261.6, 293.7, 329.6, 349.2, 392.0, 440.0, 493.9, 523.3)


def timed_tones(
    times: Sequence[float] | NDArray[np.floating[Any]],
    *,
    held: float = 0.4,
    attack: float = 0.003,
    decay: float = 0.3,
    strong_every: int = 0,
) -> Recording:
    """Return tones that go up and down a scale and begin at `times`. Every `strong_every`th has a bass note."""
    sound = np.zeros(round((float(times[-1]) + held + 0.6) * RATE))
    for index, time in enumerate(times):
        hertz = [SCALE_HZ[3 * index % 8], *([98.0, 49.0] if strong_every and index % strong_every == 0 else [])]
        for each in hertz:
            tone = _tone(each, held, attack, decay)
            begin = round(float(time) * RATE)
            sound[begin : begin + len(tone)] += tone
    return Recording(sound.astype(np.float32))


def _tone(hertz: float, held: float, attack: float, decay: float) -> NDArray[np.float64]:
    times = np.arange(round(held * RATE)) / RATE
    wave = np.sum([np.sin(2 * np.pi * hertz * part * times) / part**1.5 for part in range(1, 7)], axis=0)
    envelope = np.minimum(1, times / attack) * np.exp(-times / decay) * np.minimum(1, (held - times) / 0.03)
    return np.asarray(0.2 * wave * envelope)
