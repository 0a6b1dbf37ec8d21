"""Compute the wavetables of the library: single cycles that `wt` moves through, made of sine waves by formula.

note("c2").s("wt_pulse").wt(sine.range(0, 1))
"""

import wave
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FOLDER = "wavetables"
ORIGIN = {"name": "Consort wavetables", "origin": "computed by Consort", "licence": "CC0-1.0"}

_FRAME = 2048
"""Samples of one cycle, which is what the sound engine expects."""
_FRAMES = 32
_RATE = 44_100
_PEAK = 0.9
_HARMONICS = np.arange(1, _FRAME // 8 + 1)

HarmonicLevels = NDArray[np.float64]
"""The levels of the harmonics from the fundamental up."""

_SINE: HarmonicLevels = (_HARMONICS == 1) * 1.0
_TRIANGLE: HarmonicLevels = np.where(_HARMONICS % 2 == 1, (-1.0) ** (_HARMONICS // 2) / _HARMONICS**2, 0)
_SAWTOOTH: HarmonicLevels = 1 / _HARMONICS
_SQUARE: HarmonicLevels = np.where(_HARMONICS % 2 == 1, 1 / _HARMONICS, 0)
_VOWELS = ((730, 1090, 2440), (530, 1840, 2480), (270, 2290, 3010), (570, 840, 2410), (300, 870, 2240))
"""Formants of a, e, i, o, u in hertz (Peterson and Barney, 1952)."""
_SUNG_HZ = 110.0
_FORMANT_WIDTH_HZ = 120.0


def _between(shapes: list[HarmonicLevels], place: float) -> HarmonicLevels:
    """Return the mixture at a place from 0, the first shape, to 1, the last."""
    index = min(int(place * (len(shapes) - 1)), len(shapes) - 2)
    share = place * (len(shapes) - 1) - index
    return shapes[index] * (1 - share) + shapes[index + 1] * share


def _pulse(place: float) -> HarmonicLevels:
    width = 0.5 - 0.46 * place
    levels: HarmonicLevels = np.sin(np.pi * _HARMONICS * width) / _HARMONICS
    return levels


def _vowel(formants: tuple[int, ...]) -> HarmonicLevels:
    frequencies = _HARMONICS * _SUNG_HZ
    peaks = [
        strength / (1 + ((frequencies - formant) / _FORMANT_WIDTH_HZ) ** 2)
        for formant, strength in zip(formants, (1, 0.5, 0.25), strict=True)
    ]
    levels: HarmonicLevels = np.sum(peaks, axis=0) / np.sqrt(_HARMONICS)
    return levels


def _organ(place: float) -> HarmonicLevels:
    """Add one drawbar after the other: harmonics 1, 2, 3, 4, 6, 8, 10, 12, 16."""
    drawbars = np.array([1, 2, 3, 4, 6, 8, 10, 12, 16])
    pulled = np.clip(place * len(drawbars) + 1 - np.arange(len(drawbars)), 0, 1)
    levels = np.zeros(len(_HARMONICS))
    levels[drawbars - 1] = pulled / np.sqrt(drawbars)
    return levels


def _comb(place: float) -> HarmonicLevels:
    """Let a notch wander through a sawtooth, as a phaser does."""
    levels: HarmonicLevels = np.cos(np.pi * _HARMONICS * (0.02 + 0.3 * place)) / _HARMONICS
    return levels


TABLES: dict[str, Callable[[float], HarmonicLevels]] = {
    "wt_basic": lambda place: _between([_SINE, _TRIANGLE, _SAWTOOTH, _SQUARE], place),
    "wt_pulse": _pulse,
    "wt_vowel": lambda place: _between([_vowel(each) for each in _VOWELS], place),
    "wt_organ": _organ,
    "wt_comb": _comb,
}


def write_tables(folder: Path) -> Iterator[tuple[str, str]]:
    """Write all tables into the library's folder. Yield each name and its file."""
    (folder / FOLDER).mkdir()
    for name, levels_at in TABLES.items():
        file = f"{FOLDER}/{name}.wav"
        cycles = [_cycle(levels_at(number / (_FRAMES - 1))) for number in range(_FRAMES)]
        with wave.open(str(folder / file), "wb") as target:
            target.setnchannels(1)
            target.setsampwidth(2)
            target.setframerate(_RATE)
            target.writeframes((np.concatenate(cycles) * 32767).astype("<i2").tobytes())
        yield name, file


def _cycle(levels: HarmonicLevels) -> HarmonicLevels:
    spectrum = np.zeros(_FRAME // 2 + 1, complex)
    spectrum[1 : len(levels) + 1] = -0.5j * levels
    cycle: HarmonicLevels = np.fft.irfft(spectrum)
    cycle *= _PEAK / np.abs(cycle).max()
    return cycle
