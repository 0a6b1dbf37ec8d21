"""What speaks for each key: a table with a row for each of the 24 keys (`tonic + 12 * is_minor`) and these columns.

0. the mean correlation of the four profiles with the chroma of the recording
1. the same with the bass chroma
2. the same with the tones of the triads that the chord network (or, without it, templates) finds
3. the mean log probability of these triads in the key
4. how much of the last `END_S` seconds that sound is the key's tonic triad
5. how much of the bass in that time is the tonic
6. how much of the first `END_S` seconds is the tonic triad
7. how long the tonic triad sounds in all, as a share
8. 1 for minor keys
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.key.profiles import TRIADS, chord_scores, profile_scores
from consort_audio.neural.chord_parts import chord_parts_of
from consort_audio.signals.chroma import bass_chroma_of, chroma_of
from consort_audio.signals.constant_q import FRAME_RATE
from consort_audio.signals.recording import Recording

Numbers = NDArray[np.float64]

END_S = 2.0
COLUMNS = 9
_TRIAD_TONES = ((0, 4, 7), (0, 3, 7), (0, 5, 7), (0, 2, 7), (0, 3, 6), (0, 4, 8))
_TONE_WEIGHTS = (1.0, 0.9, 0.8)
_TEMPLATE_SHARPNESS = 25.0


class KeyEvidence(NamedTuple):
    table: Numbers
    """(24, COLUMNS)."""
    has_network: bool
    sounding_s: float


def key_evidence(recording: Recording, start: float = 0.0, end: float | None = None) -> KeyEvidence:
    """Return the evidence in a recording, or in a part of it, in seconds."""
    first = round(start * FRAME_RATE)
    last = None if end is None else round(end * FRAME_RATE)
    chroma, bass = chroma_of(recording)[first:last], bass_chroma_of(recording)[first:last]
    parts = chord_parts_of(recording)
    triads = _template_triads(chroma) if parts is None else np.exp(parts.triad[first:last])
    heard = np.flatnonzero(chroma.any(axis=1))
    if not len(heard):
        return KeyEvidence(np.zeros((24, COLUMNS)), parts is not None, 0.0)
    chroma, bass, triads = chroma[heard], bass[heard], triads[heard]
    mean_triads = triads.mean(axis=0, dtype=np.float64)
    frames = round(END_S * FRAME_RATE)
    ending, opening = triads[-frames:].mean(axis=0), triads[:frames].mean(axis=0)
    table = np.zeros((24, COLUMNS))
    table[:, 0] = profile_scores(chroma.mean(axis=0, dtype=np.float64))
    table[:, 1] = profile_scores(bass.mean(axis=0, dtype=np.float64))
    table[:, 2] = profile_scores(mean_triads @ _tones_of_triads())
    table[:, 3] = chord_scores(mean_triads)
    table[:, 4] = ending[1:25]
    table[:, 5] = np.tile(bass[-frames:].mean(axis=0), 2)
    table[:, 6] = opening[1:25]
    table[:, 7] = mean_triads[1:25]
    table[12:, 8] = 1.0
    return KeyEvidence(table, parts is not None, len(heard) / FRAME_RATE)


def _tones_of_triads() -> Numbers:
    """Return the weight of each pitch class in each triad: (73, 12)."""
    tones = np.zeros((TRIADS, 12))
    for kind, intervals in enumerate(_TRIAD_TONES):
        for root in range(12):
            for interval, weight in zip(intervals, _TONE_WEIGHTS, strict=True):
                tones[1 + 12 * kind + root, (root + interval) % 12] += weight
    return tones


def _template_triads(chroma: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how likely each triad is in each frame, by its cosine with the chroma."""
    tones = _tones_of_triads()[1:]
    tones /= np.linalg.norm(tones, axis=1, keepdims=True)
    scores = _TEMPLATE_SHARPNESS * (chroma @ tones.T.astype(np.float32))
    scores[:, 24:] -= 1.0
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return np.concatenate((np.zeros((len(chroma), 1), np.float32), likely), axis=1).astype(np.float32)
