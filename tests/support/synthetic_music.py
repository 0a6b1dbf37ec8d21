"""Music of plain tones with known pitches and times, for tests of analyses."""

from collections.abc import Iterable, Sequence

import numpy as np

from consort_audio.signals.recording import RATE, Recording, recording_from_samples
from tests.support.pitch_tracking import MonoSound


def tone(pitch: float, seconds: float, level: float = 0.12, partials: int = 4, attack: float = 0.01) -> MonoSound:
    """Return a steady tone of a MIDI pitch, with a linear attack and a short release."""
    times = np.arange(round(seconds * RATE)) / RATE
    hz = 440 * 2 ** ((pitch - 69) / 12)
    numbers = [number for number in range(1, partials + 1) if number * hz < RATE / 2]
    wave = np.sum([np.sin(2 * np.pi * hz * number * times) / number for number in numbers], axis=0)
    envelope = np.minimum(1, times / attack) * np.minimum(1, (seconds - times) / 0.03)
    return np.asarray(level * envelope * wave)


def chord_row(chords: Iterable[Sequence[float]], seconds: float, cents: float = 0.0) -> MonoSound:
    """Return chords, given as MIDI pitches, one after the other, `seconds` each."""
    return np.concatenate([np.sum([tone(pitch + cents / 100, seconds) for pitch in row], axis=0) for row in chords])


def melody_row(notes: Iterable[tuple[float | None, float]]) -> MonoSound:
    """Return notes one after the other: pairs of a MIDI pitch (None for a rest) and seconds."""
    parts = [np.zeros(round(seconds * RATE)) if pitch is None else tone(pitch, seconds) for pitch, seconds in notes]
    return np.concatenate(parts)


def white_noise(seconds: float, level: float = 0.1) -> MonoSound:
    """Return white noise with this root mean square."""
    return level * np.random.default_rng(1).standard_normal(round(seconds * RATE))


def recorded(sound: MonoSound, silence: float = 0.0) -> Recording:
    """Return a recording of a sound, with seconds of silence after it."""
    return recording_from_samples(np.append(sound, np.zeros(round(silence * RATE))).astype(np.float32), RATE)
