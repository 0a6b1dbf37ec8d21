"""Synthetic notes with known pitch, time, vibrato, level and length."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.recording import RATE, Recording


class Tone(NamedTuple):
    start: float
    """In seconds."""
    seconds: float
    pitch: float
    """A MIDI number with a fraction."""
    amplitude: float = 0.2
    vibrato_cents: float = 0.0
    glide: float = 0.0
    """By how many semitones the pitch rises from start to end."""
    attack_s: float = 0.01
    release_s: float = 0.03
    decay: float = 0.0
    """How fast a plucked tone dies away, per second."""


def recording_of(tones: Iterable[Tone], seconds: float, noise: float = 0.0003) -> Recording:
    """Return a recording of tones with eight harmonics, and soft noise as every microphone has."""
    samples = noise * np.random.default_rng(1).standard_normal(round(seconds * RATE))
    for tone in tones:
        sound = _sound(tone)
        first = round(tone.start * RATE)
        sound = sound[: len(samples) - first]
        samples[first : first + len(sound)] += sound
    return Recording(samples.astype(np.float32))


def melody(pitches: Iterable[float], step_s: float = 0.4, held: float = 0.95, start: float = 0.2) -> list[Tone]:
    """Return notes one after the other, each held for a share of the step."""
    return [Tone(start + index * step_s, step_s * held, pitch) for index, pitch in enumerate(pitches)]


def _sound(tone: Tone) -> NDArray[np.float64]:
    time = np.arange(round((tone.seconds + tone.release_s) * RATE)) / RATE
    cents = tone.vibrato_cents * np.sin(2 * np.pi * 5.5 * time) + 100 * tone.glide * time / tone.seconds
    hertz = 440 * 2 ** ((tone.pitch - 69) / 12) * 2 ** (cents / 1200)
    phase = 2 * np.pi * np.cumsum(hertz) / RATE
    harmonics = [number for number in range(1, 9) if number * hertz.max() < RATE / 2.2]
    sound = sum((np.sin(number * phase) / number for number in harmonics), np.zeros(len(time)))
    end = tone.seconds + tone.release_s
    envelope = np.minimum(1, np.minimum(time / tone.attack_s, (end - time) / tone.release_s)) * np.exp(
        -tone.decay * time
    )
    return np.asarray(tone.amplitude * sound * envelope)
