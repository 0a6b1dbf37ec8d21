"""Score the intonation of notes, relative to the tuning of the recording. Cents are hundredths of a semitone.

- deviation of a note: its mean pitch minus the nearest semitone of the recording's own tuning, in cents. Vibrato and
  the glide into the note are averaged out.
- `intonation_accuracy`: the mean over notes of 1 - (|deviation| - 5) / 45, within 0..1: 5 cents or less is perfect, 50
  cents (between two notes) is worth nothing. Notes count by their duration (up to 1 s) and confidence; notes under
  0.12 s do not count.
- `pitch_stability`: the mean over notes of at least 0.25 s of 1 - (spread - 5) / 45, within 0..1. The spread is the
  standard deviation, in cents, of the pitch averaged over 0.18 s (a period of vibrato), without the outer fifths of
  the note: a steady note has 0, with or without vibrato; a note that sinks by 40 cents has about 12.
- problems: notes of at least 0.12 s and a confidence of 0.5 that are 20 cents (minor), 30 (moderate) or 40 (major) off.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from consort_audio.analysis.pitch.notes.find import OneVoice
from consort_audio.analysis.pitch.track.pitch_track import FRAME_S
from consort_audio.analysis.pitch.track.tuning_drift import VIBRATO
from consort_audio.signals.played_notes import PlayedNote

PERFECT_CENTS, WORTHLESS_CENTS = 5.0, 50.0
SHORTEST_JUDGED_S, SHORTEST_STEADY_S = 0.12, 0.25
CERTAIN = 0.5
SEVERITIES = ((40.0, "major"), (30.0, "moderate"), (20.0, "minor"))
"""From this many cents on."""


class OutOfTune(NamedTuple):
    note: PlayedNote
    cents: float
    severity: str


def semitone_of(note: PlayedNote, tuning: float) -> int:
    """Return the MIDI number of a note in the tuning of the recording (in semitones)."""
    return round(note.pitch - tuning)


def deviation(note: PlayedNote, tuning: float) -> float:
    """Return by how many cents a note is above its semitone."""
    return 100 * (note.pitch - tuning - semitone_of(note, tuning))


def intonation_accuracy(notes: Sequence[PlayedNote], tuning: float) -> float | None:
    """Return the score, or None if no note is long enough."""
    judged = [note for note in notes if note.end - note.start >= SHORTEST_JUDGED_S]
    weights = [min(note.end - note.start, 1.0) * note.confidence for note in judged]
    return _mean_score([abs(deviation(note, tuning)) for note in judged], weights)


def pitch_stability(voice: OneVoice, notes: Sequence[PlayedNote]) -> float | None:
    """Return the score, or None if no note is long enough."""
    judged = [note for note in notes if note.end - note.start >= SHORTEST_STEADY_S]
    spreads = [100 * _spread(_middle(voice, note)) for note in judged]
    return _mean_score(spreads, [min(note.end - note.start, 1.0) * note.confidence for note in judged])


def out_of_tune(notes: Sequence[PlayedNote], tuning: float) -> list[OutOfTune]:
    """Return the notes that are out of tune, the worst first."""
    found = []
    for note in notes:
        cents = deviation(note, tuning)
        severity = next((name for least, name in SEVERITIES if abs(cents) >= least), None)
        if severity and note.confidence >= CERTAIN and note.end - note.start >= SHORTEST_JUDGED_S:
            found.append(OutOfTune(note, cents, severity))
    return sorted(found, key=lambda each: -abs(each.cents))


def _middle(voice: OneVoice, note: PlayedNote) -> NDArray[np.float32]:
    first, end = round(note.start / FRAME_S), round(note.end / FRAME_S)
    margin = (end - first) // 5
    heard = voice.pitch[first + margin : end - margin]
    near: NDArray[np.float32] = heard[np.abs(heard - note.pitch) < 1]
    return near


def _spread(pitch: NDArray[np.float32]) -> float:
    size = min(VIBRATO, max(len(pitch) // 2, 1))
    if len(pitch) < 2:
        return 0.0
    return float(np.std(np.lib.stride_tricks.sliding_window_view(pitch, size).mean(axis=1)))


def _mean_score(cents: list[float], weights: list[float]) -> float | None:
    if not sum(weights) > 0:
        return None
    scores = 1 - (np.array(cents) - PERFECT_CENTS) / (WORTHLESS_CENTS - PERFECT_CENTS)
    return float(np.average(np.clip(scores, 0, 1), weights=weights))
