"""How well each chord fits each frame, by chroma: the plain method, which also supports the chord network.

A chord's template has the weight of each of its tones plus a share for the tone's third partial, a fifth above. The
score is the cosine of chroma and template times `SHARPNESS`, plus the bass chroma at the chord's bass times
`BASS_SHARPNESS`. "No chord" scores like a chord whose cosine is `NO_CHORD`; silent frames score only for it.
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.chords.chord_path import Scores
from consort_audio.analysis.chords.vocabulary import STATES
from consort_audio.signals.chroma import bass_chroma_of, chroma_of
from consort_audio.signals.recording import Recording

SHARPNESS = 14.0
BASS_SHARPNESS = 1.5
NO_CHORD = 0.6
THIRD_PARTIAL = 0.25
RARE = {
    "7": 0.03, "maj7": 0.03, "min7": 0.03, "dim": 0.06, "min7b5": 0.08, "dim7": 0.1, "aug": 0.1, "sus4": 0.06,
    "sus2": 0.06, "7sus4": 0.08, "maj6": 0.08, "min6": 0.08,
}  # fmt: skip
"""What is subtracted from the cosine of chords that are rarer than major and minor."""
_SMOOTHING_FRAMES = 9
CHUNK_FRAMES = 4096
"""So many frames are scored at once, to limit memory."""


def template_scores(recording: Recording) -> Scores:
    """Return the score of each chord (columns: no chord, then STATES) in each frame."""
    chroma = _smoothed(chroma_of(recording))
    bass = _smoothed(bass_chroma_of(recording))
    templates = np.array([_template(state.root, state.kind.tones) for state in STATES], np.float32)
    penalties = np.array([RARE.get(state.kind.suffix, 0.0) for state in STATES], np.float32)
    basses = np.array([state.bass for state in STATES])
    scores = np.empty((len(chroma), 1 + len(STATES)), np.float32)
    scores[:, 0] = SHARPNESS * NO_CHORD
    for start in range(0, len(chroma), CHUNK_FRAMES):
        part = slice(start, start + CHUNK_FRAMES)
        fit = chroma[part] @ templates.T - penalties
        scores[part, 1:] = SHARPNESS * fit + BASS_SHARPNESS * bass[part][:, basses]
    scores[~chroma.any(axis=1), 1:] = 0.0
    return scores


def _template(root: int, tones: tuple[int, ...]) -> NDArray[np.float64]:
    template = np.zeros(12)
    for tone in tones:
        template[(root + tone) % 12] += 1.0
        template[(root + tone + 7) % 12] += THIRD_PARTIAL
    return np.asarray(template / np.linalg.norm(template))


def _smoothed(chroma: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean over about 0.2 s, each frame divided by its length as a vector."""
    if len(chroma) < _SMOOTHING_FRAMES:
        return chroma
    padded = np.pad(chroma, ((_SMOOTHING_FRAMES // 2 + 1, _SMOOTHING_FRAMES // 2), (0, 0)), mode="edge")
    sums = np.cumsum(padded, axis=0, dtype=np.float64)
    mean = (sums[_SMOOTHING_FRAMES:] - sums[:-_SMOOTHING_FRAMES]) / _SMOOTHING_FRAMES
    lengths = np.linalg.norm(mean, axis=1, keepdims=True)
    scaled = np.divide(mean, lengths, out=np.zeros_like(mean), where=lengths > 1e-6)
    return np.asarray(scaled, np.float32)
