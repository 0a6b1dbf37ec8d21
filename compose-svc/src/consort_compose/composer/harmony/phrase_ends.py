"""Find where the phrases of a melody end: at fermatas, at pauses, and at the end of the melody.

In music with two or more fermatas, such as a chorale, phrases end only at the fermatas and at the end. Otherwise a note
is a pause if all these conditions hold:

- The note begins on a beat, and the next note begins at least two beats later.
- This time is at least twice the average length of the earlier notes of the phrase, and longer than the next note. So a
  tune in half notes, or one that alternates long and short notes, has no pauses.
- The phrase that it ends has at least four notes and lasts longer than a bar, and at least four notes follow.

A single fermata ends a phrase too.
"""

from typing import NamedTuple

from consort_compose.composer.harmony.melody_grid import GridNote, MelodyGrid

MARKED = 2
"""With at least this many fermatas, phrases end only at fermatas."""
_FEWEST_NOTES = 4
"""The smallest number of notes in a phrase that ends at a pause, and after the pause."""
_PAUSE_BEATS = 2
_PAUSE_RATIO = 2


class Phrase(NamedTuple):
    first: GridNote
    last: GridNote
    is_certain: bool
    """Whether the phrase ends at a fermata or at the end of the melody; False if it ends at a pause."""


def find_phrases(grid: MelodyGrid) -> list[Phrase]:
    """Return the phrases of a melody in order."""
    held = {note for moment in grid.fermatas if (note := grid.at(moment)) is not None}
    found: list[Phrase] = []
    begin = 0
    for index, note in enumerate(grid.notes):
        is_certain = note in held or index == len(grid.notes) - 1
        if is_certain or (len(held) < MARKED and _is_pause(grid, begin, index)):
            found.append(Phrase(grid.notes[begin], note, is_certain))
            begin = index + 1
    return found


def _is_pause(grid: MelodyGrid, begin: int, index: int) -> bool:
    """Return whether the note at `index` is a pause that ends the phrase starting at index `begin`.

    `index` must not be that of the last note.
    """
    notes = grid.notes
    first, note = notes[begin], notes[index]
    if min(index - begin, len(notes) - 2 - index) + 1 < _FEWEST_NOTES:  # notes in this phrase, notes after it
        return False
    length = notes[index + 1].start - note.start
    after = (notes[index + 2].start if index + 2 < len(notes) else notes[-1].end) - notes[index + 1].start
    mean = (note.start - first.start) / (index - begin)
    beat = grid.beat_at(note.start)
    is_long = length >= _PAUSE_BEATS * (beat.end - beat.start) and length >= _PAUSE_RATIO * mean and length > after
    return is_long and note.start == beat.start and notes[index + 1].start - first.start > grid.bar_at(note.start)
