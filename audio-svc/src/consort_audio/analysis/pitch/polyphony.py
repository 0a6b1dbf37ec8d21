"""Measure how often several notes sound at once, by the network basic-pitch in up to ten seconds of the recording.

The figure is the share of sounding frames in which two or more notes sound that are not harmonics of each other. A note
sounds if its probability is at least `SOUNDS_FROM`. Of two notes a semitone apart only the likelier one counts: a voice
with vibrato sounds on both. Excerpts are spread evenly over the part of the recording that is not silent, so that the
cost does not grow with its length.
"""

import numpy as np

from consort_audio.neural.note_posteriors import HOP, note_posteriors
from consort_audio.signals.recording import RATE, Recording

SOUNDS_FROM = 0.45
SEVERAL_FROM = 0.3
"""From this figure on, several notes at once are the rule."""
HARMONICS = (12, 19, 24, 28, 31, 34, 36)
"""The distance of the harmonics from the fundamental, in semitones."""
_EXCERPTS = 6
_EXCERPT_FRAMES = 142
"""What the network reads at once, in its frames: 1.65 s."""


def polyphony(recording: Recording) -> float | None:
    """Return the share of frames with several notes, from 0 to 1, computed once; None without the network."""
    return recording.feature("polyphony", _measure)


def _measure(recording: Recording) -> float | None:
    found = note_posteriors(Recording(_excerpts(recording)))
    if found is None:
        return None
    sounds = found.note >= SOUNDS_FROM
    heard = sounds.any(axis=1)
    if not heard.any():
        return 0.0
    own = sounds.copy()
    for distance in HARMONICS:
        own[:, distance:] &= ~sounds[:, :-distance]
    louder = np.diff(found.note, axis=1) > 0
    own[:, :-1] &= ~(sounds[:, 1:] & louder)
    own[:, 1:] &= ~(sounds[:, :-1] & ~louder)
    return float((own[heard].sum(axis=1) >= 2).mean())


def _excerpts(recording: Recording) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Return pieces of the recording one after the other, the loudest of each sixth of it."""
    samples = recording.samples
    length = _EXCERPT_FRAMES * HOP
    if len(samples) <= _EXCERPTS * length:
        return samples
    parts = []
    for part in np.array_split(samples[: len(samples) // RATE * RATE], _EXCERPTS):
        seconds = np.square(part[: len(part) // RATE * RATE].reshape(-1, RATE)).sum(axis=1)
        start = min(int(seconds.argmax()) * RATE, len(part) - length)
        parts.append(part[start : start + length])
    return np.concatenate(parts)
