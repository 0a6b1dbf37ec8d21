"""Segments of the pitch path, and the exact start of each: where the harmonics of its pitch begin to rise.

Between the quietest moment before and the loudest shortly after the first frame with the new pitch, the start is where
the level of the harmonics passes `RISEN` of the way up. Harmonics of the note before are left out, so that its end does
not hide the start. On soft attacks this is 20 to 60 ms earlier than the peak of an onset detector.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.harmonic_level import frame_of, harmonic_levels
from consort_audio.analysis.pitch.note_path import SILENCE
from consort_audio.analysis.pitch.pitch_track import FRAME_S
from consort_audio.signals.arrays import Floats
from consort_audio.signals.onset_strength import FRAMES_PER_SECOND
from consort_audio.signals.recording import Recording

RISEN = 0.13
BEFORE_S, AFTER_S = 0.16, 0.12
"""The start is searched so far before, and the loudest moment so far after, the first frame with the new pitch."""
_HEARD_FOR_S = 0.3
"""The note before is heard for so long after its end."""
_FLOOR = 1e-6


@dataclass
class Segment:
    """Frames of one semitone in a row."""

    first: int
    end: int
    semitone: int
    start_s: float
    end_s: float
    rise_db: float = 0.0
    """By how many dB the harmonics rise at the start."""
    is_repeat: bool = False
    """Whether the same pitch sounded before without a break."""
    doubt: float = 0.0
    """For a repeat: the probability that the note before goes on."""


def segments_of(path: NDArray[np.intp]) -> list[Segment]:
    if not len(path):
        return []
    edges = np.concatenate([[0], np.flatnonzero(np.diff(path)) + 1, [len(path)]])
    return [
        Segment(int(first), int(end), int(path[first]), first * FRAME_S, end * FRAME_S)
        for first, end in pairwise(edges)
        if path[first] != SILENCE
    ]


def place_starts(recording: Recording, segments: list[Segment], tuning: float) -> None:
    """Set the start of every segment, and end the segment before at the same time if they touch."""
    before: Segment | None = None
    for segment in segments:
        other = before
        if before is not None and segment.start_s - before.end_s > _HEARD_FOR_S:
            other = None
        start, rise = _start(recording, segment, other, tuning)
        if before is not None:
            touches = before.end_s >= segment.start_s - 1.5 * FRAME_S
            start = max(start, before.start_s + FRAME_S)
            if touches or before.end_s > start:
                before.end_s = start
                before.end = max(min(before.end, round(start / FRAME_S)), before.first + 1)
        segment.start_s, segment.rise_db = start, rise
        before = segment


def _start(recording: Recording, segment: Segment, before: Segment | None, tuning: float) -> tuple[float, float]:
    """Return the start in seconds and the rise of the harmonics in dB."""
    first = max(frame_of(segment.start_s - BEFORE_S), 0)
    end = max(frame_of(min(segment.start_s + AFTER_S, max(segment.end_s, segment.start_s + 0.03))), first + 2)
    other = None if before is None else before.semitone + tuning
    levels = harmonic_levels(recording, segment.semitone + tuning, other, first, end)
    return rise_of(np.sqrt(np.square(levels).sum(axis=1)), frame_of(segment.start_s) - first, first)


def rise_of(level: Floats, place: int, first: int) -> tuple[float, float]:
    """Return when a level begins to rise to its loudest value from `place` on (in seconds), and by how many dB.

    `first` is the number of the first frame.
    """
    place = min(max(place, 0), len(level) - 1)
    peak = place + int(level[place:].argmax())
    quietest = float(level[: peak + 1].min())
    wanted = quietest + RISEN * (float(level[peak]) - quietest)
    below = np.flatnonzero(level[: peak + 1] <= wanted)
    last = int(below[-1]) if len(below) else 0
    step = float(level[min(last + 1, len(level) - 1)] - level[last])
    part = min(max((wanted - float(level[last])) / step, 0.0), 1.0) if step > 0 else 0.0
    rise = 20 * np.log10((float(level[peak]) + _FLOOR) / (quietest + _FLOOR))
    return (first + last + part) / FRAMES_PER_SECOND, float(rise)
