"""Probabilities of notes of any instrument, by the network basic-pitch (NMP).

A frame is 256 samples at 22,050 Hz (11.6 ms); the time of frame `i` is `i * 256 / 22050` seconds. The network reads
windows of 43,844 samples (172 frames). Windows follow each other by 142 frames, and 15 frames at both ends of a window
are dropped because they lack context; so the frames of all windows lie on one grid, without the drift of the original
package, whose windows are not a whole number of frames apart.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.sessions import session
from consort_audio.signals.recording import RATE, Recording

HOP = 256
FRAMES_PER_SECOND = RATE / HOP
LOWEST_PITCH = 21
"""The MIDI number of the first of the 88 pitches."""
_WINDOW = 43_844
_DROPPED = 15
_KEPT = 142
_WINDOWS_AT_ONCE = 1


class NotePosteriors(NamedTuple):
    times: NDArray[np.float64]
    """In seconds, one per frame."""
    onset: NDArray[np.float32]
    """(frames, 88): the probability that a note begins."""
    note: NDArray[np.float32]
    """(frames, 88): the probability that a note sounds."""
    contour: NDArray[np.float32]
    """(frames, 264): the probability of a pitch, in thirds of a semitone; column `1 + 3 * i` is pitch `i` in tune."""


def note_posteriors(recording: Recording) -> NotePosteriors | None:
    """Return the probabilities of all frames, or None if the model is not installed."""
    network = session("basic-pitch")
    if network is None:
        return None
    samples = recording.samples
    frames = len(samples) // HOP
    windows = -(-frames // _KEPT)
    padded = np.zeros((windows + 1) * _KEPT * HOP + _WINDOW, np.float32)
    padded[_DROPPED * HOP : _DROPPED * HOP + len(samples)] = samples
    parts: list[list[NDArray[np.float32]]] = [[], [], []]
    names = ["StatefulPartitionedCall:2", "StatefulPartitionedCall:1", "StatefulPartitionedCall:0"]
    for first in range(0, windows, _WINDOWS_AT_ONCE):
        starts = np.arange(first, min(first + _WINDOWS_AT_ONCE, windows)) * _KEPT * HOP
        batch = np.stack([padded[start : start + _WINDOW] for start in starts])[:, :, None]
        for part, found in zip(parts, network.run(names, {"serving_default_input_2:0": batch}), strict=True):
            part.append(found[:, _DROPPED : _DROPPED + _KEPT].reshape(-1, found.shape[2]))
    onset, note, contour = (
        np.concatenate(part)[:frames] if part else np.zeros((0, width), np.float32)
        for part, width in zip(parts, (88, 88, 264), strict=True)
    )
    return NotePosteriors(np.arange(frames) / FRAMES_PER_SECOND, onset, note, contour)
