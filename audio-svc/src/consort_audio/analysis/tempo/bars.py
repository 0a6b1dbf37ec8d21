"""Find bars: which beats are the first of a bar, and how many beats a bar has.

Each beat gets the log odds that it is a downbeat, from what is heard around it (see `downbeat_evidence`). A Viterbi
search over position and length of the bar (2, 3 or 4 beats) then explains all beats together; it may start a new bar
(a cut, an irregular bar) at a cost.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals import semitone_spectrum as semitones
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND, onset_strength
from consort_audio.signals.recording import Recording

BAR_LENGTHS = (2, 3, 4)
LENGTH_PRIOR = {2: np.log(0.2), 3: np.log(0.25), 4: np.log(0.55)}
RESTART = np.log(0.003)
"""The log probability that a bar is cut off after any beat."""
EVIDENCE_WEIGHTS = {"network": 0.35, "bass": 0.78, "rise": 0.18, "harmony": 0.21, "harmony_wide": 0.28}
"""The log odds per standard deviation of each kind of evidence: a logistic regression on the tune part."""
EVIDENCE_BIAS = -0.5


class HeardBars(NamedTuple):
    beats_per_bar: int
    downbeats: NDArray[np.int64]
    """Indices of beats."""
    margin: float
    """How much better this metre and phase explain the beats than the best other phase, in nats per beat."""


def downbeat_evidence(recording: Recording, beats: Numbers, network: Numbers | None) -> dict[str, Numbers]:
    """Measure each beat: how strongly it begins, in the bass and in all, how much the harmony changes there, and the
    downbeat activation of the network (50 values a second) if there is one. Each is scaled to mean 0, deviation 1."""
    strength = onset_strength(recording)
    evidence = {
        "bass": _around(strength.bass, beats, FRAMES_PER_SECOND),
        "rise": _around(strength.rise, beats, FRAMES_PER_SECOND),
    }
    evidence["harmony"], evidence["harmony_wide"] = _harmonic_change(recording, beats)
    if network is not None:
        evidence["network"] = np.log(_around(network, beats, 50) + 0.01)
    return {name: (values - values.mean()) / (values.std() + 1e-9) for name, values in evidence.items()}


def find_bars(evidence: dict[str, Numbers]) -> HeardBars:
    """Return the bars that explain the evidence best."""
    odds = sum(EVIDENCE_WEIGHTS[name] * values for name, values in evidence.items())
    return bars_of_odds(np.asarray(odds) + EVIDENCE_BIAS)


def bars_of_odds(odds: Numbers) -> HeardBars:
    """Return the bars that explain log odds of being a downbeat, one per beat, best: a Viterbi search."""
    down = -np.logaddexp(0, -odds)
    other = -np.logaddexp(0, odds)
    best: tuple[float, int, NDArray[np.int64]] | None = None
    scores = []
    for length in BAR_LENGTHS:
        score, positions = _positions(down, other, length)
        score += float(LENGTH_PRIOR[length])
        scores.append(score)
        if best is None or score > best[0]:
            best = score, length, np.flatnonzero(positions == 0)
    assert best is not None
    others = [score for score in scores if score != best[0]]
    margin = (best[0] - max(others)) / max(1, len(odds)) if others else 0.0
    return HeardBars(best[1], best[2], margin)


def _positions(down: Numbers, other: Numbers, length: int) -> tuple[float, NDArray[np.int64]]:
    """Return the log probability of the best path of positions in bars of one length, and the path."""
    count = len(down)
    score = np.full(length, -np.log(length))
    back = np.zeros((count, length), np.int64)
    stay, cut = np.log1p(-np.exp(RESTART)), float(RESTART)
    for beat in range(count):
        if beat:
            came = np.roll(score, 1) + stay
            origin = np.roll(np.arange(length), 1)
            leap = int(np.argmax(score))
            if score[leap] + cut > came[0]:
                came[0], origin[0] = score[leap] + cut, leap
            back[beat], score = origin, came
        score = score + np.where(np.arange(length) == 0, down[beat], other[beat])
    positions = np.zeros(count, np.int64)
    at = int(np.argmax(score))
    total = float(score[at])
    for beat in range(count - 1, -1, -1):
        positions[beat] = at
        at = int(back[beat, at])
    return total, positions


def _around(curve: NDArray[np.floating], times: Numbers, rate: int) -> Numbers:
    """Return the largest value of a curve within 50 ms of each time."""
    reach = round(0.05 * rate)
    centres = np.clip(np.round(times * rate).astype(int), 0, len(curve) - 1)
    padded = np.pad(curve, reach, mode="edge")
    near = padded[centres[:, None] + np.arange(2 * reach + 1)].max(axis=1)
    return np.asarray(near, dtype=np.float64)


def _harmonic_change(recording: Recording, beats: Numbers) -> tuple[Numbers, Numbers]:
    """Return how different the pitch classes are after each beat and before it (1 - cosine), over one beat and two."""
    chroma = _beat_chroma(recording, beats)
    before, after = chroma[:-1], chroma[1:]
    two_before = before + np.roll(before, 1, axis=0)
    two_after = after + np.roll(after, -1, axis=0)
    return _difference(before, after), _difference(two_before, two_after)


def _difference(first: Numbers, second: Numbers) -> Numbers:
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    difference: Numbers = 1 - (first * second).sum(axis=1) / (lengths + 1e-9)
    return difference


def _beat_chroma(recording: Recording, beats: Numbers) -> Numbers:
    """Return the mean strength of the 12 pitch classes before the first beat, and after each beat until the next."""
    length = float(np.diff(beats).mean()) if len(beats) > 1 else 0.5
    edges = np.concatenate([[beats[0] - length], beats, [beats[-1] + length]])
    chroma = semitones.chroma(recording).astype(float)
    sums = np.concatenate([np.zeros((1, 12)), np.cumsum(chroma, axis=0)])
    rate = semitones.FRAMES_PER_SECOND
    starts = np.clip(np.ceil((edges[:-1] + 0.04) * rate).astype(int), 0, len(chroma) - 1)
    ends = np.maximum(starts + 1, np.clip(np.floor((edges[1:] - 0.02) * rate).astype(int), 0, len(chroma)))
    return np.asarray((sums[ends] - sums[starts]) / (ends - starts)[:, None])
