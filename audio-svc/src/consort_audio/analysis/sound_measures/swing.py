"""Measure swing: how late the second of two equal notes comes, against a beat that is known.

A pair is one beat (two eighths) or half a beat (two sixteenths). The phase of an onset is its place in its pair, from 0
to 1, less the median phase of the onsets at the start of pairs, so that a constant delay does not matter. The swing of
a kind of pair is 2 p - 1, with p the median phase of the onsets between `EARLIEST` and `LATEST`. Pairs count that have
no onset near a third (triplets) and that are followed by an onset at the start of the next one. That is the amount of
`swingBy`: 0 straight, 1/3 a triplet. Of both kinds with at least `FEWEST` onsets, the larger one counts; with fewer
there is no swing.
"""

from collections.abc import Sequence

import numpy as np

from consort_audio.signals.arrays import Numbers

EARLIEST, LATEST = 0.44, 0.72
FEWEST = 3
_START = 0.1
"""Onsets so near to the start of a pair, as a share of it, are at its start."""
_THIRD = (0.27, 0.4)
_PAIRS_OF_A_BEAT = (1, 2)


def swing_of(onsets: Sequence[float], beat_s: float) -> float:
    """Return the swing of onsets in seconds from the first beat."""
    times = np.asarray(onsets, dtype=np.float64)
    found = [_swing(times / beat_s * pairs) for pairs in _PAIRS_OF_A_BEAT]
    return max((swing for swing in found if swing is not None), key=abs, default=0.0)


def _swing(places: Numbers) -> float | None:
    """Return the swing of onsets, in pairs from the first beat, or None if too few are between the starts."""
    if not len(places):
        return None
    phases = (places + 0.5) % 1 - 0.5
    at_start = phases[np.abs(phases) <= _START]
    shifted = places - (float(np.median(at_start)) if len(at_start) else 0.0)
    pairs, phases = np.floor(shifted + _START), (shifted + _START) % 1 - _START
    triplets = pairs[(phases >= _THIRD[0]) & (phases <= _THIRD[1])]
    started = pairs[np.abs(phases) <= _START]
    second = (phases >= EARLIEST) & (phases <= LATEST) & ~np.isin(pairs, triplets) & np.isin(pairs + 1, started)
    return 2 * float(np.median(phases[second])) - 1 if second.sum() >= FEWEST else None
