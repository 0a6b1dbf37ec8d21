"""Measure the pitch of single notes in their final limits.

Starts and ends are certain only after the alignment. The first part of a note is left out: wind players and singers
slide into notes, and the note before still sounds. The mean is weighted by a Hann window, so vibrato does not count.
"""

from collections.abc import Sequence

import numpy as np

from consort_audio.analysis.pitch.notes import find_notes
from consort_audio.analysis.pitch.pitch_track import FRAME_S
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording

_SLIDE = 0.35
"""The share of a note that is left out at its start."""
_NEAR_SEMITONES = 0.8
_FEWEST_FRAMES = 3


def with_own_pitches(recording: Recording, notes: Sequence[PlayedNote]) -> list[PlayedNote]:
    """Return the notes, each with the pitch of its own frames."""
    heard = find_notes(recording).pitch
    found = []
    for note in notes:
        first = round((note.start + _SLIDE * (note.end - note.start)) / FRAME_S)
        frames = heard[first : max(round(note.end / FRAME_S), first + 1)]
        frames = frames[np.abs(frames - note.pitch) < _NEAR_SEMITONES]
        if len(frames) >= _FEWEST_FRAMES:
            pitch = float(np.average(frames, weights=np.hanning(len(frames) + 2)[1:-1]))
            note = note._replace(pitch=pitch)
        found.append(note)
    return found
