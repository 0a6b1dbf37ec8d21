"""Measure dynamics. Loudness is in LUFS (ITU-R BS.1770-4), amplitudes in dB relative to full scale, times in seconds.

- average_loudness: the integrated loudness, with the two gates of BS.1770, over all channels of the file.
- The loudness curve has a value each 100 ms: the K-weighted power of the surrounding second. It sounds where it is
  above -70 LUFS and within `SOUNDING_DB` of its highest value.
- dynamic_range: the 95th minus the 10th percentile of the curve where it sounds, in dB.
- is_consistent: whether dynamic_range is below `CONSISTENT_DB`.
- peaks: maxima of the momentary loudness (400 ms) that are at least `PEAK_DB` above the median where it sounds and the
  highest within `PEAK_APART_S`; the loudest `MOST_PEAKS` of them. The amplitude is the highest sample in that time.
- Swells: the curve is cut at its turning points, where it turns by at least `SWELL_DB` (a zigzag filter). A part
  between two turning points is a crescendo or diminuendo if it lasts `SWELL_S`, if no more than `STEP_SHARE` of its
  change happens within half a second (that would be a sudden change), and if at least `SWELL_ONSETS` notes begin in it
  (a single note that dies away is no diminuendo). Its ends, where the curve is within 10% of the change (at least 1 dB)
  of its first and last value, are left out.
- Clipping: places with clipped samples (see `signals.levels`), joined if they are less than a second apart.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.rhythm.onsets import find_onsets
from consort_audio.codecs.loudness import ABSOLUTE_GATE, HOPS_PER_S, gated_loudness, loudness_of
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.levels import Levels
from consort_audio.signals.recording import Recording

SOUNDING_DB = 30.0
CONSISTENT_DB = 6.0
PEAK_DB = 3.0
PEAK_APART_S = 1.0
MOST_PEAKS = 10
SWELL_DB = 6.0
SWELL_S = 1.5
STEP_SHARE = 0.6
SWELL_ONSETS = 3
_CURVE_HOPS = HOPS_PER_S
_MOMENT_HOPS = 4
_MAJOR_CLIPPING = 0.002
"""The share of the samples of a clipped place from which clipping is major, and from a quarter of it moderate."""


class LoudMoment(NamedTuple):
    time: float
    amplitude: float


class Swell(NamedTuple):
    start: float
    end: float
    change_db: float
    """Positive for a crescendo."""


class ClippedSpan(NamedTuple):
    start: float
    end: float
    severity: str


class Dynamics(NamedTuple):
    average_loudness: float | None
    """None for silence, or if the recording is shorter than 400 ms."""
    dynamic_range: float
    is_consistent: bool
    peaks: list[LoudMoment]
    swells: list[Swell]
    clipping: list[ClippedSpan]
    sounding_s: float


def measure_dynamics(recording: Recording) -> Dynamics:
    levels = recording.levels
    clipping = clipped_spans(levels)
    average = gated_loudness(levels.powers)
    if average is None:
        return Dynamics(None, 0.0, True, [], [], clipping, 0.0)
    curve = loudness_of(_averaged(levels.powers, _CURVE_HOPS))
    sounding = (curve > ABSOLUTE_GATE) & (curve > curve.max() - SOUNDING_DB)
    spread = float(np.percentile(curve[sounding], 95) - np.percentile(curve[sounding], 10))
    return Dynamics(
        average,
        spread,
        spread < CONSISTENT_DB,
        _loud_moments(levels),
        _swells(curve, sounding, recording),
        clipping,
        float(sounding.sum()) / HOPS_PER_S,
    )


def clipped_spans(levels: Levels) -> list[ClippedSpan]:
    """Return the places where the recording is clipped, with `minor`, `moderate` or `major`."""
    pieces = np.flatnonzero(levels.clipped)
    spans = []
    for group in np.split(pieces, np.flatnonzero(np.diff(pieces) > HOPS_PER_S) + 1) if len(pieces) else []:
        count, length = int(levels.clipped[group].sum()), int(group[-1] - group[0] + 1)
        share = count / (length * 44_100 / HOPS_PER_S)
        severity = "major" if share >= _MAJOR_CLIPPING else "moderate" if share >= _MAJOR_CLIPPING / 4 else "minor"
        spans.append(ClippedSpan(group[0] / HOPS_PER_S, (group[-1] + 1) / HOPS_PER_S, severity))
    return spans


def _averaged(powers: Numbers, hops: int) -> Numbers:
    """Return the mean power of the `hops` values around each value; at the ends, of those that there are."""
    kernel = np.ones(min(hops, len(powers)))
    counts = np.convolve(np.ones(len(powers)), kernel, mode="same")
    return np.asarray(np.convolve(powers, kernel, mode="same") / counts)


def _loud_moments(levels: Levels) -> list[LoudMoment]:
    moments = loudness_of(_averaged(levels.powers, _MOMENT_HOPS))
    sounding = moments[moments > max(ABSOLUTE_GATE, moments.max() - SOUNDING_DB)]
    apart = round(PEAK_APART_S * HOPS_PER_S)
    padded = np.pad(moments, apart, constant_values=-np.inf)
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * apart + 1).max(axis=1)
    places = np.flatnonzero((moments == highest) & (moments >= np.median(sounding) + PEAK_DB))
    places = places[np.concatenate(([True], np.diff(places) > apart))] if len(places) else places
    loudest = sorted(places[np.argsort(-moments[places], kind="stable")][:MOST_PEAKS])
    found = []
    for place in loudest:
        first = max(0, place - _MOMENT_HOPS // 2)
        pieces = levels.peaks[first : place + _MOMENT_HOPS // 2]
        best = int(pieces.argmax())
        found.append(
            LoudMoment((first + best + 0.5) / HOPS_PER_S, 20 * float(np.log10(max(float(pieces[best]), 1e-6))))
        )
    return found


def _swells(curve: Numbers, sounding: NDArray[np.bool_], recording: Recording) -> list[Swell]:
    heard = np.flatnonzero(sounding)
    if len(heard) < 2:
        return []
    first, last = int(heard[0]), int(heard[-1]) + 1
    part = curve[first:last]
    turns = _turning_points(part, SWELL_DB)
    onsets = np.array([onset.time for onset in find_onsets(recording)])
    found = []
    for turn, next_turn in pairwise(turns):
        change = float(part[next_turn] - part[turn])
        begin, end = _without_flat_ends(part, turn, next_turn)
        start_s, end_s = (first + begin + 0.5) / HOPS_PER_S, (first + end + 0.5) / HOPS_PER_S
        steps = np.abs(part[begin + 5 : end + 1] - part[begin : end - 4]) if end - begin >= 5 else np.array([np.inf])
        notes = int(((onsets > start_s) & (onsets < end_s)).sum())
        is_gradual = float(steps.max()) <= STEP_SHARE * abs(change)
        if abs(change) >= SWELL_DB and end_s - start_s >= SWELL_S and is_gradual and notes >= SWELL_ONSETS:
            found.append(Swell(start_s, end_s, change))
    return found


def _without_flat_ends(curve: Numbers, begin: int, end: int) -> tuple[int, int]:
    """Return the part of a rise or fall between the last value near its start and the first value near its end."""
    slack = max(1.0, 0.1 * abs(float(curve[end] - curve[begin])))
    begin += int(np.flatnonzero(np.abs(curve[begin : end + 1] - curve[begin]) <= slack)[-1])
    end = begin + int(np.flatnonzero(np.abs(curve[begin : end + 1] - curve[end]) <= slack)[0])
    return begin, end


def _turning_points(curve: Numbers, least: float) -> list[int]:
    """Return the indexes of the turning points of a curve that lie at least `least` apart, with both ends."""
    turns = [0]
    low = high = 0
    direction = 0
    for index, value in enumerate(curve):
        if value > curve[high]:
            high = index
        if value < curve[low]:
            low = index
        if direction >= 0 and curve[high] - value >= least:
            if direction > 0 or high > 0:
                turns.append(high)
            direction, low = -1, index
            high = index
        elif direction <= 0 and value - curve[low] >= least:
            if direction < 0 or low > 0:
                turns.append(low)
            direction, high = 1, index
            low = index
    turns.append(high if direction > 0 else low if direction < 0 else len(curve) - 1)
    return sorted(set(turns))
