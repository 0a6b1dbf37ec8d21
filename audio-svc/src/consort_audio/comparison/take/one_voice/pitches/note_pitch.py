"""Measure the pitch of single notes in their final limits.

Starts and ends are certain only after the alignment. A pitch is the mean over a part of the note, weighted by a Hann
window, so vibrato does not count. Players slide into notes, singers drift, and the note before still sounds, so two
parts are measured, and the whole note once more by its partials (`partial_centres`). The value that is most in tune is
taken: a note is out of tune if all of it is, however it is measured. If one value is sharp and another flat, it is in
tune. The pitch of a note that slides to the expected pitch and arrives there is that of its last third.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from consort_audio.analysis.pitch.notes.find import find_notes
from consort_audio.analysis.pitch.track.pitch_track import FRAME_S
from consort_audio.comparison.align.transposition import tuning_offset
from consort_audio.comparison.take.one_voice.pitches.partial_centres import pitch_by_partials
from consort_audio.signals.arrays import Floats
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording

_PARTS = ((0.15, 0.65), (0.35, 1.0))
"""From and to which share of the note."""
_NEAR_SEMITONES = 0.8
_FEWEST_FRAMES = 3
_NEAR_EXPECTED = 0.75
_SLIDE, _ARRIVED = 0.5, 0.3
"""A note slides if its last third is so much nearer to the expected pitch than its first, and arrives there."""


def with_own_pitches(
    recording: Recording, notes: Sequence[PlayedNote], expected: Mapping[int, float]
) -> list[PlayedNote]:
    """Return the notes with the pitch that their frames have. `expected` are the pitches of paired notes by index."""
    heard = find_notes(recording).pitch
    tuning = tuning_offset(notes)
    found = []
    for index, note in enumerate(notes):
        nominal = round(note.pitch - tuning) + tuning
        wanted = expected.get(index, nominal)
        settled = _settled(heard, note, wanted)
        if settled is not None:
            found.append(note._replace(pitch=settled))
            continue
        if abs(note.pitch - wanted) < _NEAR_EXPECTED:
            nominal = wanted
        measured = [*(_mean(heard, note, part) for part in _PARTS), pitch_by_partials(recording, note, nominal)]
        away = [pitch - nominal for pitch in measured if pitch is not None]
        is_around = bool(away) and min(away) < 0 < max(away)
        least = 0.0 if is_around else min(away, key=abs, default=note.pitch - nominal)
        found.append(note._replace(pitch=nominal + least))
    return found


def _settled(heard: Floats, note: PlayedNote, expected: float) -> float | None:
    """Return the pitch at the end of a note that slides to the expected pitch, or None if it does not."""
    first, last = round(note.start / FRAME_S), round(note.end / FRAME_S)
    third = (last - first) // 3
    if third < _FEWEST_FRAMES:
        return None
    begin, end = (
        float(np.median(part)) - expected for part in (heard[first : first + third], heard[last - third : last])
    )
    return expected + end if abs(end) < _ARRIVED and abs(begin) - abs(end) > _SLIDE else None


def _mean(heard: Floats, note: PlayedNote, part: tuple[float, float]) -> float | None:
    """Return the mean pitch of a part of a note, or None if there are too few frames."""
    first, last = (round((note.start + share * (note.end - note.start)) / FRAME_S) for share in part)
    frames = heard[first:last]
    frames = frames[np.abs(frames - note.pitch) < _NEAR_SEMITONES]
    if len(frames) < _FEWEST_FRAMES:
        return None
    return float(np.average(frames, weights=np.hanning(len(frames) + 2)[1:-1]))
