"""Find which string was struck, where others ring.

The strings of a harp ring together, and a pitch tracker follows their common fundamental, or an earlier string. What
was struck is in what rises: the salience of a pitch in the rise of the spectrum is the sum over the first partials h of
the rise at h f0, divided by h.
"""

import numpy as np

from consort_audio.analysis.pitch.track.pitch_track import to_hz
from consort_audio.comparison.align.alignment import Alignment
from consort_audio.comparison.reference.expected_music import ExpectedMusic
from consort_audio.signals.arrays import Numbers
from consort_audio.signals.played_notes import PlayedNote
from consort_audio.signals.recording import RATE, Recording

_SIZE = 4096
_WINDOW_S = 0.12
_GAP_S = 0.02
_PARTIALS = 6
_REACH = 0.02
_OTHER_SEMITONES = 3
"""A note so far from the expected one may be a trace of other strings; a nearer one was struck instead of it."""
_CLEARLY = 1.6
_NEIGHBOURS = (-2, -1, 1, 2)


def with_struck_pitches(recording: Recording, music: ExpectedMusic, alignment: Alignment) -> list[PlayedNote]:
    """Return the notes of a plucked take, with the expected pitch where that one was struck and not the heard one."""
    notes = list(alignment.played)
    for each in alignment.passes:
        for pair in each.pairs:
            expected = music.notes[pair.expected].pitch
            if abs(alignment.pitches[pair.played] - expected) < _OTHER_SEMITONES:
                continue
            note = notes[pair.played]
            pitch = expected + alignment.semitones + alignment.tuning
            if _is_struck(recording, note, pitch):
                notes[pair.played] = note._replace(pitch=pitch)
    return notes


def _is_struck(recording: Recording, note: PlayedNote, pitch: float) -> bool:
    rise = _rise(recording, note.start, min(note.end - note.start, _WINDOW_S))
    found, heard, *neighbours = (
        _salience(rise, each) for each in (pitch, note.pitch, *(pitch + away for away in _NEIGHBOURS))
    )
    return found > _CLEARLY * heard and found > max(neighbours)


def _rise(recording: Recording, start: float, length: float) -> Numbers:
    """Return by how much the magnitudes rise where a note starts, 0 where they fall."""
    before = _spectrum(recording, start - _GAP_S - length, length)
    after = _spectrum(recording, start + _GAP_S, length)
    return np.maximum(after - before, 0.0)


def _spectrum(recording: Recording, start: float, length: float) -> Numbers:
    first = max(round(start * RATE), 0)
    piece = recording.samples[first : max(first + round(length * RATE), first + 1)]
    return np.asarray(np.abs(np.fft.rfft(piece * np.hanning(len(piece) + 2)[1:-1], _SIZE)))


def _salience(rise: Numbers, pitch: float) -> float:
    hertz = to_hz(pitch)
    total = 0.0
    for number in range(1, _PARTIALS + 1):
        place = hertz * number * _SIZE / RATE
        reach = max(_REACH * place, 1.0)
        around = rise[max(round(place - reach), 0) : round(place + reach) + 1]
        total += float(around.max(initial=0.0)) / number
    return total
