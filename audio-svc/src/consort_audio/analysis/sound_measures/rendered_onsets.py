"""Read onsets as exactly as a rendered loop allows.

The onsets of analyze_rhythm are made for recordings. Rendered hits are dry and have digital silence between them, so:

- An onset counts only if the `_AFTER_S` behind it are within 40 dB of the loudest such time.
- Its time is moved, by at most `_NEAR_S`, to where the sound changes most: where the power of the sample-to-sample
  difference (which attacks are rich in) of the next `_STEP_S` exceeds that of the `_STEP_S` before by most. That is
  exact to a few ms, also for soft and noisy sounds.
"""

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.rhythm.onsets import find_onsets
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.recording import RATE, Recording

Places = NDArray[np.int64]
_AFTER_S = 0.05
_HEARD = 1e-4
"""A share of power: -40 dB."""
_NEAR_S = 0.045
_STEP_S = 0.006


def rendered_onsets(recording: Recording) -> list[float]:
    """Return the times of the onsets that are heard, in order."""
    sums = _sums(np.square(recording.samples, dtype=np.float64))
    changes = _sums(np.square(np.diff(recording.samples, prepend=np.float32(0)), dtype=np.float64))
    size = round(_AFTER_S * RATE)
    loudest = float((sums[size:] - sums[:-size]).max(initial=0.0))
    found = []
    for onset in find_onsets(recording):
        time = _steepest(changes, onset.time)
        first = round(time * RATE)
        if _between(sums, first, first + size) > _HEARD * loudest:
            found.append(time)
    return sorted(set(found))


def _steepest(changes: Numbers, time: float) -> float:
    """Return where the power of the changes rises most, near a time."""
    centre, near, step = (round(seconds * RATE) for seconds in (time, _NEAR_S, _STEP_S))
    places = np.arange(max(centre - near, 0), min(centre + near, len(changes) - 1))
    if not len(places):
        return time
    rise = _between(changes, places, places + step) - _between(changes, places - step, places)
    return float(places[int(np.argmax(rise))] / RATE)


def _sums(values: Numbers) -> Numbers:
    return np.concatenate(([0.0], np.cumsum(values)))


def _between(sums: Numbers, first: int | Places, last: int | Places) -> Numbers:
    """Return the sum from one place to another, by running sums; places outside count as the nearest inside."""
    end = len(sums) - 1
    return np.asarray(sums[np.clip(last, 0, end)] - sums[np.clip(first, 0, end)])
