"""Synthetic voices: a person who sings notes, and one who speaks. Partials are shaped by the formants of vowels."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.recording import RATE, Mono

_VOWELS = ((700, 1100, 2500), (400, 2000, 2600), (300, 2300, 3000), (500, 900, 2500), (350, 800, 2400))
"""The formants in Hz."""
_FORMANT_LEVELS = (1.0, 0.6, 0.3)
_PARTIALS = 24
_TAIL_S = 0.5


class SungNote(NamedTuple):
    start: float
    end: float
    pitch: float


class SingingStyle(NamedTuple):
    vibrato: float = 0.3
    """In semitones."""
    scoop: float = 0.8
    """From how many semitones below a note after a rest begins."""
    slide_s: float = 0.05
    """The time constant of the slide between notes."""
    drift: float = 0.0
    """By how many semitones the singer rises from the start to the end."""
    wander: float = 0.05
    """The standard deviation of a note's own error, in semitones."""


def sung(notes: Sequence[SungNote], numbers: np.random.Generator, style: SingingStyle | None = None) -> Mono:
    """Return the sound of a singer, at `RATE`."""
    style = style or SingingStyle()
    count = round((notes[-1].end + _TAIL_S) * RATE)
    pitch, loudness = np.full(count, np.nan), np.zeros(count)
    vowel = np.zeros(count, np.intp)
    for index, note in enumerate(notes):
        part = slice(round(note.start * RATE), round(note.end * RATE))
        times = np.arange(part.stop - part.start) / RATE
        is_slur = index > 0 and note.start - notes[index - 1].end < 0.05
        away = notes[index - 1].pitch - note.pitch if is_slur else -style.scoop
        curve = note.pitch + numbers.normal(0, style.wander) + away * np.exp(-times / style.slide_s)
        swing = np.clip((times - 0.2) / 0.2, 0, 1) * np.sin(2 * np.pi * numbers.uniform(5, 6.3) * times)
        pitch[part] = curve + style.vibrato * swing
        attack = np.minimum(0.5 + times / 0.12, 1) if is_slur else np.minimum(times / 0.05, 1)
        loudness[part] = attack * np.clip((times[-1] - times) / 0.05, 0.2 if is_slur else 0.0, 1)
        vowel[part] = numbers.integers(0, len(_VOWELS))
    drift = style.drift * np.linspace(0, 1, count)
    return _voice(_filled(pitch) + drift, loudness, np.array(_VOWELS, float)[vowel], numbers)


def spoken(seconds: float, numbers: np.random.Generator, pitch: float = 50.0) -> Mono:
    """Return the sound of a speaker around a pitch: syllables on a melody that never rests, hissed consonants."""
    count = round(seconds * RATE)
    times = np.arange(count) / RATE
    points = np.arange(0, seconds + 0.4, 0.13)
    melody = numbers.normal(0, 2.2, len(points)) - 4 * ((points / 2.3) % 1)
    curve = pitch + 2 + np.interp(times, points, melody)
    loudness, hiss = np.zeros(count), np.zeros(count)
    formants = np.zeros((count, 3))
    vowels = np.array([_VOWELS[each] for each in numbers.integers(0, len(_VOWELS), len(points))], float)
    for column in range(3):
        formants[:, column] = np.interp(times, points, vowels[:, column])
    begin = 0.1
    while begin < seconds - 0.3:
        end = begin + numbers.uniform(0.1, 0.24)
        inside = (times >= begin) & (times < end)
        loudness[inside] = np.sin(np.pi * (times[inside] - begin) / (end - begin)) ** 0.5
        gap = numbers.uniform(0.02, 0.08) if numbers.random() < 0.8 else numbers.uniform(0.2, 0.4)
        hiss[(times >= end) & (times < end + min(gap, 0.07))] = 0.05
        begin = end + gap
    return (_voice(curve, loudness, formants, numbers) + hiss * numbers.standard_normal(count)).astype(np.float32)


def _filled(pitch: NDArray[np.float64]) -> NDArray[np.float64]:
    known = np.flatnonzero(~np.isnan(pitch))
    return np.interp(np.arange(len(pitch)), known, pitch[known])


def _voice(
    pitch: NDArray[np.float64],
    loudness: NDArray[np.float64],
    formants: NDArray[np.float64],
    numbers: np.random.Generator,
) -> Mono:
    hertz = 440 * 2 ** ((pitch - 69) / 12)
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    sound = np.zeros(len(pitch))
    for number in range(1, _PARTIALS + 1):
        partial = number * hertz
        level = np.full(len(pitch), 0.05)
        for column, strength in enumerate(_FORMANT_LEVELS):
            centre = formants[:, column]
            level += strength * np.exp(-0.5 * np.square((partial - centre) / (90 + 0.05 * centre)))
        sound += np.where(partial < RATE / 2.2, level / number**0.5, 0) * np.sin(number * phase)
    sound *= loudness
    sound *= 0.4 / max(float(np.abs(sound).max()), 1e-9)
    return (sound + 0.001 * numbers.standard_normal(len(sound))).astype(np.float32)
