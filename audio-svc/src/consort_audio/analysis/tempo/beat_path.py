"""Find the most probable sequence of beats: the Viterbi path of a hidden Markov model of tempo and phase.

The model is the "bar pointer" for one beat (Whiteley 2006, Krebs 2015). A state is a beat period in frames and a
position in it; the period may change only at a beat, with probability proportional to exp(-rigidity · |change|), where
the change is relative. The first part of a period explains frames with a beat (probability `activation`), the rest
frames without one.

Between two beats the path has no choice, so the sum over a whole period comes from cumulative sums and one step of the
search is one frame for all periods at once: 3 minutes take about 0.2 s.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.signals.arrays import Numbers

FRAMES_PER_SECOND = 50
SLOWEST, FASTEST = 40.0, 230.0
"""In beats per minute."""
PERIODS = np.arange(round(60 * FRAMES_PER_SECOND / FASTEST), round(60 * FRAMES_PER_SECOND / SLOWEST) + 1)
"""The beat periods in frames."""
TEMPOS = 60 * FRAMES_PER_SECOND / PERIODS
"""In beats per minute, the fastest first."""
_CHUNK = 1024
BEAT_PART = 16
"""A beat takes the first 1/16 of its period."""


class BeatPath(NamedTuple):
    frames: NDArray[np.int64]
    """Where the beats begin, in frames."""
    log_probability: float
    """Of the whole path, in nats per frame."""


def beat_path(activation: Numbers, prior: Numbers, rigidity: float, periods: NDArray[np.int64] = PERIODS) -> BeatPath:
    """Return the best path. `activation` is the probability of a beat in each frame (0..1, exclusive), `prior` the log
    probability of each period."""
    count = len(activation)
    longest = int(periods[-1])
    inside = np.zeros(count + 2 * longest)
    outside = np.zeros(count + 2 * longest)  # frames before the start and after the end explain themselves
    inside[longest:-longest] = np.log(activation)
    outside[longest:-longest] = np.log((1 - activation) / (BEAT_PART - 1))
    inside_sums = np.concatenate([[0], np.cumsum(inside)])
    outside_sums = np.concatenate([[0], np.cumsum(outside)])

    beat_lengths = np.maximum(1, np.round(periods / BEAT_PART)).astype(int)

    change = np.abs(periods[None, :] / periods[:, None] - 1)
    transition = np.exp(-rigidity * change)
    transition = np.log(transition / transition.sum(axis=1, keepdims=True) + 1e-300).T.copy()  # [to, from]

    arriving = np.full((count + 2 * longest + 1, len(periods)), -np.inf)
    came_from = np.zeros((count + longest, len(periods)), np.int16)
    columns = np.arange(len(periods))
    flat, width = arriving.reshape(-1), len(periods)
    targets = periods * width + columns
    for chunk in range(0, count + longest, _CHUNK):
        starts = np.arange(chunk, min(chunk + _CHUNK, count + longest))[:, None]
        beat_ends = starts + beat_lengths
        explained = (
            inside_sums[beat_ends] - inside_sums[starts] + outside_sums[starts + periods] - outside_sums[beat_ends]
        )
        for start, explained_now in enumerate(explained, chunk):
            if start < longest:  # the recording begins within this period
                score = np.where(start >= longest - periods, prior - np.log(periods), -np.inf)
            else:
                candidates = transition + arriving[start]
                best = candidates.argmax(axis=1)
                came_from[start] = best
                score = candidates[columns, best]
            flat[start * width + targets] = score + explained_now

    at, column = _best_end(arriving[count + longest :], periods, count + longest)
    total = float(arriving[at + periods[column], column])
    beats = []
    while at >= longest:
        beats.append(at - longest)
        column = int(came_from[at, column])
        at -= int(periods[column])
    return BeatPath(np.array(beats[::-1], dtype=np.int64), total / max(1, count))


def _best_end(arrivals: Numbers, periods: NDArray[np.int64], end: int) -> tuple[int, int]:
    """Return the start and the column of the best period that reaches the end of the recording.

    Row r of `arrivals` holds periods that end r frames after the recording.
    """
    row, column = np.unravel_index(int(np.argmax(arrivals)), arrivals.shape)
    return end + int(row) - int(periods[column]), int(column)
