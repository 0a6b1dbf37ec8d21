"""What is typical of a key: how strong each degree is, and which chords are common.

The degree profiles are of C. Krumhansl and E. Kessler (1982, probe tones), D. Temperley (1999), D. Temperley after
Kostka and Payne (2007, in `consort_music.key_finding.pitch_classes`), and Á. Faraldo (2016, "edma", electronic dance
music). The correlations with all four are averaged, because each alone fails on some kind of music. Keys have the
numbers `tonic + 12 * is_minor`.
"""

import numpy as np
from numpy.typing import NDArray

from consort_music.key_finding.pitch_classes import rank_keys

_PROFILES = (
    (
        (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88),
        (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17),
    ),
    (
        (5.0, 2.0, 3.5, 2.0, 4.5, 4.0, 2.0, 4.5, 2.0, 3.5, 1.5, 4.0),
        (5.0, 2.0, 3.5, 4.5, 2.0, 4.0, 2.0, 4.5, 3.5, 2.0, 1.5, 4.0),
    ),
    (
        (0.165, 0.047, 0.083, 0.067, 0.100, 0.093, 0.053, 0.132, 0.052, 0.074, 0.069, 0.064),
        (0.172, 0.053, 0.076, 0.100, 0.056, 0.085, 0.050, 0.135, 0.075, 0.050, 0.092, 0.055),
    ),
)

_CHORDS_IN_MAJOR = {
    (0, 0): 6.0, (5, 0): 4.0, (7, 0): 4.0, (9, 1): 3.0, (2, 1): 2.5, (4, 1): 1.5, (10, 0): 0.6, (2, 0): 0.5,
    (4, 0): 0.5, (5, 1): 0.5, (9, 0): 0.3, (11, 4): 0.4, (8, 0): 0.3, (3, 0): 0.3,
}  # fmt: skip
_CHORDS_IN_MINOR = {
    (0, 1): 6.0, (5, 1): 3.5, (7, 0): 2.5, (7, 1): 1.5, (8, 0): 3.0, (3, 0): 3.0, (10, 0): 3.0, (2, 4): 0.5,
    (0, 0): 0.5, (5, 0): 0.6, (2, 1): 0.3, (9, 4): 0.2,
}  # fmt: skip
"""How often a triad occurs, by its root in semitones above the tonic and its kind (0 major, 1 minor, 4 diminished)."""
_ANY_CHORD = 0.05
TRIADS = 73


def profile_scores(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each of the 24 keys the mean correlation of its profiles with the weights of the 12 pitch classes."""
    spread = weights - weights.mean()
    length = float(np.linalg.norm(spread))
    scores = np.zeros(24)
    if length < 1e-12:
        return scores
    for pair in _PROFILES:
        for is_minor, profile in enumerate(pair):
            shape = np.array(profile) - np.mean(profile)
            shape /= np.linalg.norm(shape)
            for tonic in range(12):
                scores[tonic + 12 * is_minor] += float(np.roll(shape, tonic) @ spread) / length
    for guess in rank_keys([float(weight) for weight in weights]):
        scores[guess.tonic + 12 * (guess.mode == "minor")] += guess.score
    return scores / (len(_PROFILES) + 1)


def chord_scores(triads: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each of the 24 keys the mean log probability of its chords, given how long each triad sounds.

    `triads` has 73 columns: no chord, then `1 + 12 * kind + root` with the kinds of the chord network.
    """
    total = float(triads[1:].sum())
    return _LOG_CHORDS @ triads[1:] / total if total > 1e-9 else np.zeros(24)


def triad_bonus(key: int) -> NDArray[np.float64]:
    """Return for each triad (12 * kind + root) its log probability in a key, minus that of the likeliest one."""
    row = _LOG_CHORDS[key]
    return np.asarray(row - row.max())


def _log_chords() -> NDArray[np.float64]:
    tables = []
    for chords in (_CHORDS_IN_MAJOR, _CHORDS_IN_MINOR):
        for tonic in range(12):
            row = np.full(TRIADS - 1, _ANY_CHORD)
            for (degree, kind), often in chords.items():
                row[12 * kind + (tonic + degree) % 12] = often
            tables.append(np.log(row / row.sum()))
    return np.array(tables)


_LOG_CHORDS = _log_chords()
