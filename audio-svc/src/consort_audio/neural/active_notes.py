"""Which of the 88 keys of a piano sound when, by the network basic-pitch: small enough to keep for long recordings."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.note_posteriors import FRAMES_PER_SECOND, LOWEST_PITCH, note_posteriors
from consort_audio.signals.recording import RATE, Recording

SOUNDS_FROM = 0.3
"""The mean probability of a frame from which a note sounds."""
_JOINED = 4
FRAME_RATE = FRAMES_PER_SECOND / _JOINED
"""Frames per second, about 21.5."""
_SLICE_S = 60


class ActiveNotes(NamedTuple):
    sounds: NDArray[np.bool_]
    """(frames, 88), from A0 up. Frame k lasts from k / FRAME_RATE on."""

    def pitch_classes(self) -> NDArray[np.float64]:
        """Return for how many frames each pitch class (C = 0) sounds, counting each octave."""
        return _by_pitch_class(self.sounds.sum(axis=0, dtype=np.float64))

    def lowest(self) -> NDArray[np.float64]:
        """Return for how many frames each pitch class is that of the lowest note."""
        heard = self.sounds[self.sounds.any(axis=1)]
        return _by_pitch_class(np.bincount(heard.argmax(axis=1), minlength=88).astype(np.float64))


def active_notes_of(recording: Recording) -> ActiveNotes | None:
    """Return the notes of a recording, computed once, or None if the model is not installed."""
    return recording.feature("active notes", _find)


def _find(recording: Recording) -> ActiveNotes | None:
    parts = []
    step = _SLICE_S * RATE
    for start in range(0, max(1, len(recording.samples)), step):
        found = note_posteriors(Recording(recording.samples[start : start + step]))
        if found is None:
            return None
        whole = len(found.note) // _JOINED
        parts.append(found.note[: whole * _JOINED].reshape(whole, _JOINED, 88).mean(axis=1) > SOUNDS_FROM)
    return ActiveNotes(np.concatenate(parts))


def _by_pitch_class(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    classes = (LOWEST_PITCH + np.arange(88)) % 12
    return np.array([weights[classes == pitch_class].sum() for pitch_class in range(12)])
