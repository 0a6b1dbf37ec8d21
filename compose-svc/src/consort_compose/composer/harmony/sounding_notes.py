"""Find the notes of a score that sound at a time, and how they are spelled."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from consort_music.score import Note, Part, Score

_POLYPHONIC = Fraction(5, 4)
"""Music has chords if on average more notes than this sound at the same time (silence not counted)."""


def notes_in_stretches(score: Score, stretches: Sequence[tuple[Fraction, Fraction]]) -> list[list[Note]]:
    """Return, for each stretch (start, end) in quarter notes, the notes of all parts that sound in it, in order."""
    notes = Part.of("all", [note for part in score.parts for note in part.notes]).notes
    starts = [note.start for note in notes]
    longest = max((note.duration for note in notes), default=Fraction(0))
    found = []
    for start, end in stretches:
        near = notes[bisect_left(starts, start - longest) : bisect_left(starts, end)]
        found.append([note for note in near if note.end > start])
    return found


def has_chords(score: Score) -> bool:
    """Return whether the music has chords. A melody without accompaniment has none."""
    notes = [note for part in score.parts for note in part.notes]
    changes = sorted([(note.start, 1) for note in notes] + [(note.end, -1) for note in notes])
    sounding, last_moment, covered = 0, Fraction(0), Fraction(0)
    for moment, change in changes:
        if sounding:
            covered += moment - last_moment
        sounding += change
        last_moment = moment
    return sum(note.duration for note in notes) > _POLYPHONIC * covered


def usual_spelling(notes: Sequence[Note], pitch_class: int) -> tuple[str, int] | None:
    """Return the most common spelling of a pitch class (step, alteration), or None if it does not occur."""
    names = Counter((note.pitch.step, note.pitch.alter) for note in notes if note.midi % 12 == pitch_class)
    return names.most_common(1)[0][0] if names else None
