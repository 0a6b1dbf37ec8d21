"""Find expected notes that cannot be heard apart from their octave.

All partials of a note are partials of the octave below it, so nothing in the sound says whether the upper one of the
two was played. In the bass it is the lower one that is not heard: a piano gives it a weak fundamental.
"""

from collections.abc import Sequence

from consort_audio.comparison.reference.expected_music import ExpectedNote

_OCTAVE = 12
_TOGETHER_S = 0.08
_BASS_BELOW = 41
"""MIDI number of F2: the lower note of an octave is hidden if it is lower than this."""


def octave_doublings(notes: Sequence[ExpectedNote]) -> set[int]:
    """Return the indexes of the notes that begin together with their octave and are hidden by it."""
    starts: dict[int, list[float]] = {}
    for note in notes:
        starts.setdefault(note.pitch, []).append(note.start)

    def is_hidden(note: ExpectedNote) -> bool:
        octaves = (note.pitch - _OCTAVE, note.pitch + _OCTAVE) if note.pitch < _BASS_BELOW else (note.pitch - _OCTAVE,)
        return any(abs(start - note.start) < _TOGETHER_S for pitch in octaves for start in starts.get(pitch, ()))

    return {index for index, note in enumerate(notes) if is_hidden(note)}
