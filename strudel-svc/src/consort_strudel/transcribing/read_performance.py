"""Read a file that was played by hand: the starts of its notes are on a grid, and their lengths are as played.

`consort_music` finds the beats, bars and starts. It writes lengths as a score needs them (a voice has one note at a
time), which would lose notes that ring on, so lengths are taken from the file.
"""

from bisect import bisect_right
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from consort_music.midi.model import MidiFile
from consort_music.notation.from_midi import score_from_midi
from consort_music.notation.performance_to_score.reading import TRACKED, notes_of, read_performance
from consort_music.note_sequence.from_midi_file import ppq_of
from consort_music.score import Note, Score

_DIGITS = 480
"""Ends are rounded to this part of a quarter note, before they are moved to the grid."""


class PlayedMusic(NamedTuple):
    score: Score
    moved_by: dict[tuple[Fraction, int], Fraction]
    """By start on the grid and pitch: how many quarter notes later it starts than in the file, if that is known."""
    are_beats_found: bool
    """Whether the beats were found from the notes, not taken from the file."""


def read_played_music(file: MidiFile) -> PlayedMusic:
    """Return the music of a performance. Raise NEEDS_BEATS, EMPTY_INPUT or TOO_LARGE."""
    reading = read_performance(file)
    raw, _ = score_from_midi(file, quantize=False)
    paired, ppq = notes_of(file), ppq_of(file)
    is_tracked = reading.beats_from == TRACKED
    starts = {
        (Fraction(note.start, ppq), note.pitch): place.start
        for note, place in zip(paired, reading.places, strict=True)
        if place is not None
    }
    beat_of = _Interpolation(starts) if is_tracked else None

    def placed(note: Note) -> Note:
        end = beat_of(note.end) if beat_of else note.end
        start = starts.get((note.start, note.midi))
        if start is None:  # a grace note has no place in the rhythm
            start = beat_of(note.start) if beat_of else note.start
        return note._replace(start=max(start, Fraction(0)), duration=max(end - start, Fraction(1, _DIGITS)))

    read = reading.score.to_score()
    score = replace(
        read,
        parts=tuple(
            replace(part, notes=tuple(sorted(map(placed, part.notes), key=lambda note: note.start)), lyrics=())
            for part in raw.parts
        ),
        keys=raw.keys if len(raw.keys) == 1 or not is_tracked else (),
        title=raw.title,
        chords=(),
    )
    moved = {} if is_tracked else {(new, pitch): new - old for (old, pitch), new in starts.items() if new != old}
    return PlayedMusic(score, moved, is_tracked)


class _Interpolation:
    """Turns moments of the file into quarter notes of the music, by the notes whose places are known."""

    def __init__(self, starts: dict[tuple[Fraction, int], Fraction]) -> None:
        self._old: list[Fraction] = []
        self._new: list[Fraction] = []
        for (old, _), new in sorted(starts.items()):
            if not self._new or (new > self._new[-1] and old > self._old[-1]):
                self._old.append(old)
                self._new.append(new)

    def __call__(self, moment: Fraction) -> Fraction:
        if len(self._old) < 2:
            return moment
        place = min(max(bisect_right(self._old, moment), 1), len(self._old) - 1)
        old, new = self._old[place - 1 : place + 1], self._new[place - 1 : place + 1]
        share = (moment - old[0]) / (old[1] - old[0])
        return Fraction(round((new[0] + share * (new[1] - new[0])) * _DIGITS), _DIGITS)
