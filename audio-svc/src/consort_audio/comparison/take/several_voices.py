"""The notes of a recording in which several notes sound together: chords, accompanied tunes.

Notes are those of the network basic-pitch. With the reference in mind,

- an expected note that was not found counts as played if the network gives its pitch a chance of `HEARD` when it was
  due: among other notes, quiet ones are easily lost;
- a note that nobody expected counts only if it is clear: not if it is a harmonic of a note that sounds with it, or if
  its chance is below `CERTAIN`.

Lengths and tuning are not judged: the pedal and the other notes hide them.
"""

from collections.abc import Sequence

import numpy as np

from consort_audio.comparison.align.alignment import Alignment, align
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.neural.note_posteriors import FRAMES_PER_SECOND, LOWEST_PITCH, NotePosteriors, note_posteriors
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import Recording
from consort_audio.transcription.polyphonic import polyphonic_notes

HEARD = 0.25
CERTAIN = 0.75
_HARMONICS = frozenset((12, 19, 24, 28, 31, 36))
_NEAR_S = 0.06
_ECHO_S = 0.12


def hear_several_voices(recording: Recording, music: ExpectedMusic) -> list[PlayedNote] | None:
    """Return the notes, or None if the network is not installed."""
    notes = polyphonic_notes(recording)
    posteriors = recording.feature("note posteriors", note_posteriors)
    if notes is None or posteriors is None:
        return None
    alignment = align(music, notes)
    kept = _without_doubtful(music, alignment)
    return sorted([*kept, *_overlooked(music, alignment, posteriors)])


def _without_doubtful(music: ExpectedMusic, alignment: Alignment) -> list[PlayedNote]:
    right = {
        pair.played
        for each in alignment.passes
        for pair in each.pairs
        if music.notes[pair.expected].pitch == alignment.pitches[pair.played]
    }
    notes = alignment.played
    return [
        note
        for index, note in enumerate(notes)
        if index in right
        or (note.confidence >= CERTAIN and not _is_harmonic(note, notes) and not _is_echo(note, notes))
    ]


def _is_echo(note: PlayedNote, notes: Sequence[PlayedNote]) -> bool:
    """Return whether the same pitch begins shortly before or after: one note that was heard twice."""
    return any(
        other is not note and abs(other.start - note.start) <= _ECHO_S and round(other.pitch) == round(note.pitch)
        for other in notes
    )


def _is_harmonic(note: PlayedNote, notes: Sequence[PlayedNote]) -> bool:
    return any(
        other.start <= note.start + _NEAR_S and other.end > note.start and round(note.pitch - other.pitch) in _HARMONICS
        for other in notes
    )


def _overlooked(music: ExpectedMusic, alignment: Alignment, posteriors: NotePosteriors) -> list[PlayedNote]:
    """Return the expected notes that were not found but are heard when they were due."""
    found = []
    for each in alignment.passes:
        paired = {pair.expected for pair in each.pairs}
        for index in range(each.first, each.last + 1):
            note = music.notes[index]
            column = note.pitch + alignment.semitones - LOWEST_PITCH
            if index in paired or not 0 <= column < posteriors.note.shape[1]:
                continue
            due, end = each.expected_time(note.start), each.expected_time(note.end)
            first = max(round((due - _NEAR_S) * FRAMES_PER_SECOND), 0)
            last = round((due + min(end - due, 0.3)) * FRAMES_PER_SECOND)
            begins = posteriors.onset[first : first + round(2 * _NEAR_S * FRAMES_PER_SECOND) + 1, column]
            sounds = posteriors.note[first:last, column]
            heard = max(float(begins.max(initial=0.0)), float(np.mean(sounds)) if len(sounds) else 0.0)
            if heard >= HEARD:
                found.append(PlayedNote(due, end, float(note.pitch + alignment.semitones), round(heard, 2)))
    return found
