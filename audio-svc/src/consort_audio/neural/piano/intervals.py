"""Find the notes of each key in a segment as intervals of frames: a semi-Markov CRF, decoded by the Viterbi algorithm.

An interval from frame `b` to frame `e` scores `(e - b) * query[e] @ key[b] / 16`; an interval of one frame has a
separate score; a frame without a note scores 0. The intervals of a key do not overlap, except that one may begin in the
frame in which another ends. The best set is the one with the highest sum of scores.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from consort_audio.neural.arrays import NetworkArray
from consort_audio.neural.piano.features import FRAMES

SIZE = 256
_TARGETS_AT_ONCE = 15
_BEGINS_AT_ONCE = 116


@dataclass(frozen=True)
class FoundIntervals:
    """Intervals of all targets, in the order of targets and time. All arrays have one row per interval."""

    target: NDArray[np.int64]
    begin: NDArray[np.int64]
    """The first frame."""
    end: NDArray[np.int64]
    """The last frame."""
    score: NetworkArray
    features: NetworkArray
    """What the network knows at the begin, at the end, and the product of both."""


def find_intervals(
    tokens: NetworkArray, start_frames: NDArray[np.int64], weights: dict[str, NetworkArray]
) -> FoundIntervals:
    """Return the best intervals of each target that begin at or after its start frame."""
    target: list[int] = []
    bounds: list[tuple[int, int]] = []
    scores: list[NetworkArray] = []
    features: list[NetworkArray] = []
    for first in range(0, len(tokens), _TARGETS_AT_ONCE):
        context = _upsample(tokens[first : first + _TARGETS_AT_ONCE], weights)
        score, single = interval_scores(context, weights)
        starts = start_frames[first : first + _TARGETS_AT_ONCE]
        for index, path in enumerate(best_intervals(score, single, starts)):
            if not path:
                continue
            begin, end = np.array(path).T
            target += [first + index] * len(path)
            bounds += path
            scores.append(np.where(begin == end, single[index, begin], score[index, begin, end]))
            at_begin, at_end = context[index, begin], context[index, end]
            features.append(np.hstack([at_begin, at_end, at_begin * at_end]))
    begins_and_ends = np.array(bounds, np.int64).reshape(-1, 2)
    return FoundIntervals(
        target=np.array(target, np.int64),
        begin=begins_and_ends[:, 0],
        end=begins_and_ends[:, 1],
        score=np.concatenate(scores) if scores else np.zeros(0, np.float32),
        features=np.concatenate(features) if features else np.zeros((0, 3 * SIZE), np.float32),
    )


def _upsample(tokens: NetworkArray, weights: dict[str, NetworkArray]) -> NetworkArray:
    """Return the tokens of steps of 8 frames as (targets, frames, SIZE)."""
    context = (tokens @ weights["upsampling"]).reshape(len(tokens), -1, SIZE)
    return context[:, :FRAMES] + weights["upsampling_bias"]


def interval_scores(context: NetworkArray, weights: dict[str, NetworkArray]) -> tuple[NetworkArray, NetworkArray]:
    """Return the scores of intervals (targets, begin, end) and of intervals of one frame (targets, frames).

    Only scores with an end after the begin are valid; most of the others are not computed.
    """
    mapped = context @ weights["scorer"] + weights["scorer_bias"]
    query, key, single = mapped[..., :SIZE] / np.float32(np.sqrt(SIZE)), mapped[..., SIZE:-1], mapped[..., -1]
    frames = np.arange(context.shape[1], dtype=np.float32)
    score = np.empty((len(context), len(frames), len(frames)), np.float32)
    for first in range(0, len(frames), _BEGINS_AT_ONCE):
        rows = slice(first, first + _BEGINS_AT_ONCE)
        part = np.matmul(key[:, rows], query[:, first:].transpose(0, 2, 1), out=score[:, rows, first:])
        part *= frames[first:] - frames[rows, None]
    return score, single


def best_intervals(
    score: NetworkArray, single: NetworkArray, start_frames: NDArray[np.int64]
) -> list[list[tuple[int, int]]]:
    """Return the best intervals of each target, given `interval_scores`."""
    targets, frames = single.shape
    bonus = np.maximum(single, 0)
    best = np.zeros((targets, frames), np.float32)
    """The best sum from this frame on."""
    chosen = np.zeros((targets, frames), np.int64)
    """The end of the interval that begins here, or 0."""
    best[:, -1] = bonus[:, -1]
    rows = np.arange(targets)
    for begin in range(frames - 2, -1, -1):
        sums = score[:, begin, begin + 1 :] + best[:, begin + 1 :]
        end = sums.argmax(axis=1)
        with_interval, without = sums[rows, end], best[:, begin + 1]
        chosen[:, begin] = np.where(with_interval > without, begin + 1 + end, 0)
        best[:, begin] = np.maximum(with_interval, without) + bonus[:, begin]
    return [_path(chosen[row], single[row] > 0, int(start_frames[row])) for row in rows]


def _path(chosen: NDArray[np.int64], has_single: NDArray[np.bool_], start: int) -> list[tuple[int, int]]:
    path, frame = [], start
    while frame < len(chosen) - 1:
        if has_single[frame]:
            path.append((frame, frame))
        if chosen[frame]:
            path.append((frame, int(chosen[frame])))
            frame = int(chosen[frame])
        else:
            frame += 1
    if has_single[-1]:
        path.append((len(chosen) - 1, len(chosen) - 1))
    return path
