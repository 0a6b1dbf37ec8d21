"""Measure how long notes are held, and tell staccato from legato.

The level of a note is that of the harmonics of its pitch, every 6.7 ms from its start until the next note (for the
last note, and before a rest of over 1.5 s: for as long as the usual distance of notes). From it follow

- `held`: the share of this time in which the level is within 12 dB of its peak;
- the drop from the peak to the middle (45-65%) and to the end (75-95%) of this time, in dB.

The probability of staccato is a logistic regression on these and on the time itself, because the decay of instrument
and room is a large part of a short note. It was fitted on the tune part of the truth set, in which legato notes
are held for 98% and staccato notes for 30 to 42% of the time. A note is

- staccato if this probability is over 0.5,
- legato if it is not, and `held` is at least 0.7,
- otherwise detached.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.calibration import logistic
from consort_audio.analysis.pitch.notes.find import find_notes
from consort_audio.analysis.pitch.notes.harmonic_level import frame_of, harmonic_levels
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording

Articulation = Literal["legato", "detached", "staccato"]

LONGEST_S = 1.5
USUAL_S = 0.5
LEGATO_HELD = 0.7
FEATURES = ("held", "drop to the middle", "drop to the end", "time (log)", "drop to the middle times time")
WEIGHTS = np.array([-2.571, 0.283, 0.334, -3.772, -0.305])
BIAS = -6.061
_WITHIN_DB = 12.0
_DEEPEST_DB = 40.0
_GUARD_S = 0.02
"""The last moment before the next note, which already rises, does not count."""


class HeldNote(NamedTuple):
    note: PlayedNote
    held: float
    """The share of the time to the next note, from 0 to 1."""
    staccato: float
    """The probability of staccato."""
    peak_db: float
    """The level of its harmonics at their loudest, in dB below full scale."""

    @property
    def articulation(self) -> Articulation:
        if self.staccato > 0.5:
            return "staccato"
        return "legato" if self.held >= LEGATO_HELD else "detached"


def held_notes(recording: Recording) -> list[HeldNote]:
    """Return how each note of one voice is held, computed once."""
    return recording.feature("held notes", _measure)


def _measure(recording: Recording) -> list[HeldNote]:
    notes = find_notes(recording).notes
    starts = np.array([note.start for note in notes])
    distances = np.diff(starts)
    usual = float(np.median(distances[distances <= LONGEST_S])) if (distances <= LONGEST_S).any() else USUAL_S
    found = []
    for index, note in enumerate(notes):
        distance = float(distances[index]) if index < len(distances) else float("inf")
        time = distance if distance <= LONGEST_S else max(usual, note.end - note.start)
        features, peak = held_features(recording, note, time)
        chance = logistic(features @ WEIGHTS + BIAS)
        found.append(HeldNote(note, float(features[0]), float(chance), peak))
    return found


def held_features(recording: Recording, note: PlayedNote, time: float) -> tuple[NDArray[np.float64], float]:
    """Return the FEATURES of a note that has so many seconds until the next, and its peak in dB."""
    first = frame_of(note.start)
    end = max(frame_of(note.start + max(time - _GUARD_S, 0.04)), first + 4)
    levels = harmonic_levels(recording, note.pitch, None, first, end)
    level = 20 * np.log10(np.sqrt(np.square(levels).sum(axis=1)) + 1e-5)
    peak = float(level[: max(len(level) * 3 // 4, 1)].max())
    drop = np.minimum(peak - level, _DEEPEST_DB)
    middle, last = (float(drop[_part(len(drop), *part)].mean()) for part in ((0.45, 0.65), (0.75, 0.95)))
    loudest = int(drop.argmin())
    held = float((drop[loudest:] < _WITHIN_DB).sum() + loudest) / len(drop)
    return np.array([held, middle, last, np.log(max(time, 0.05)), middle * min(time, 1.0)]), peak


def _part(count: int, start: float, end: float) -> slice:
    first = min(int(start * count), count - 1)
    return slice(first, max(int(end * count), first + 1))
