"""Segments of the pitch path, and the exact start of each: where the harmonics of its pitch begin to rise.

Between the quietest moment before and the loudest shortly after the first frame with the new pitch, the level of the
harmonics passes 4, 13 and 50% of the way up. The start is the 13% moment, corrected by how slowly the level rises
(least absolute deviations on the tune part of the truth set): on soft attacks the note begins earlier, on sharp ones
later, because the window of the analysis is 46 ms long or longer. Harmonics of the note before are left out, so that
its end does not hide the start.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.notes.harmonic_level import SHORTEST_WINDOW, frame_of, harmonic_levels, window_of
from consort_audio.analysis.pitch.notes.note_path import SILENCE
from consort_audio.analysis.pitch.track.pitch_track import FRAME_S
from consort_audio.analysis.pitch.track.tuning_drift import TuningLine
from consort_audio.signals.arrays import Floats
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND
from consort_audio.signals.recording import Recording

EARLY, RISEN, HALF = 0.04, 0.13, 0.5
BEFORE_S, AFTER_S = 0.16, 0.12
"""The start is searched so far before, and the loudest moment so far after, the first frame with the new pitch."""
START_FEATURES = ("4% before 13%", "50% after 13%", "peak after 13%", "rise / 30 dB", "constant")
START_WEIGHTS = np.array([-1.463, -0.098, -0.219, 0.016, 0.004])
LOW_START_WEIGHTS = np.array([-1.451, -0.337, -0.337, 0.016, 0.031])
"""In seconds; the times are limited to `_LONGEST_S`. The second row is for low pitches, whose window is longer."""
_LONGEST_S = (0.03, 0.06, 0.06)
_HEARD_FOR_S = 0.3
"""The note before is heard for so long after its end."""
_FLOOR = 1e-6
_FULL_RISE_DB = 30.0


@dataclass
class Segment:
    """Frames of one semitone in a row."""

    first: int
    end: int
    semitone: int
    pitch: float
    """The semitone in the tuning of the recording there."""
    start_s: float
    end_s: float
    rise_db: float = 0.0
    """By how many dB the harmonics rise at the start."""
    is_repeat: bool = False
    """Whether the same pitch sounded before without a break."""
    doubt: float = 0.0
    """For a repeat: the probability that the note before goes on."""


def segments_of(path: NDArray[np.intp], tuning: TuningLine) -> list[Segment]:
    if not len(path):
        return []
    edges = np.concatenate([[0], np.flatnonzero(np.diff(path)) + 1, [len(path)]])
    return [
        Segment(
            first=int(first),
            end=int(end),
            semitone=int(path[first]),
            pitch=float(path[first] + tuning.at((first + end) / 2 * FRAME_S)),
            start_s=first * FRAME_S,
            end_s=end * FRAME_S,
        )
        for first, end in pairwise(edges)
        if path[first] != SILENCE
    ]


def place_starts(recording: Recording, segments: list[Segment]) -> None:
    """Set the start of every segment, and end the segment before at the same time if they touch."""
    before: Segment | None = None
    for segment in segments:
        other = before
        if before is not None and segment.start_s - before.end_s > _HEARD_FOR_S:
            other = None
        start, rise = _start(recording, segment, other)
        if before is not None:
            touches = before.end_s >= segment.start_s - 1.5 * FRAME_S
            start = max(start, before.start_s + FRAME_S)
            if touches or before.end_s > start:
                before.end_s = start
                before.end = max(min(before.end, round(start / FRAME_S)), before.first + 1)
        segment.start_s, segment.rise_db = start, rise
        before = segment


def _start(recording: Recording, segment: Segment, before: Segment | None) -> tuple[float, float]:
    """Return the start in seconds and the rise of the harmonics in dB."""
    first = max(frame_of(segment.start_s - BEFORE_S), 0)
    end = max(frame_of(min(segment.start_s + AFTER_S, max(segment.end_s, segment.start_s + 0.03))), first + 2)
    other = None if before is None else before.pitch
    levels = harmonic_levels(recording, segment.pitch, other, first, end)
    level = np.sqrt(np.square(levels).sum(axis=1))
    return rise_of(level, frame_of(segment.start_s) - first, first, segment.pitch)


def rise_of(level: Floats, place: int, first: int, pitch: float) -> tuple[float, float]:
    """Return when a level begins to rise to its loudest value from `place` on (in seconds), and by how many dB.

    `first` is the number of the first frame.
    """
    risen, features = start_features(level, place, first)
    weights = START_WEIGHTS if window_of(pitch) == SHORTEST_WINDOW else LOW_START_WEIGHTS
    return max(risen + float(features @ weights), 0.0), float(features[3]) * _FULL_RISE_DB


def start_features(level: Floats, place: int, first: int) -> tuple[float, NDArray[np.float64]]:
    """Return when the level has risen by 13% (in seconds), and the START_FEATURES."""
    place = min(max(place, 0), len(level) - 1)
    peak = place + int(level[place:].argmax())
    quietest = float(level[: peak + 1].min())
    early, risen, half = (_passes(level[: peak + 2], peak, quietest, share) for share in (EARLY, RISEN, HALF))
    times = np.array([risen - early, half - risen, peak - risen]) / FRAMES_PER_SECOND
    rise = 20 * np.log10((float(level[peak]) + _FLOOR) / (quietest + _FLOOR))
    features = [*np.minimum(times, _LONGEST_S), min(rise, _FULL_RISE_DB) / _FULL_RISE_DB, 1.0]
    return (first + risen) / FRAMES_PER_SECOND, np.array(features)


def _passes(level: Floats, peak: int, quietest: float, share: float) -> float:
    """Return the frame, with a fraction, in which the level passes a share of the way up for the last time."""
    wanted = quietest + share * (float(level[peak]) - quietest)
    below = np.flatnonzero(level[: peak + 1] <= wanted)
    last = int(below[-1]) if len(below) else 0
    step = float(level[min(last + 1, len(level) - 1)] - level[last])
    return last + (min(max((wanted - float(level[last])) / step, 0.0), 1.0) if step > 0 else 0.0)
