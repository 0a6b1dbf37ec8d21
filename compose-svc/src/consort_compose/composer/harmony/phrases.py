"""Where the phrases of a melody end: at a fermata, where it pauses, and at its end.

A note is a pause if the next one begins two beats later or more, if that is at least twice as long as the notes of its
phrase are on average, and longer than the note after it: a tune in half notes does not pause on each of them, and one
that alternates long and short ones on none. It stands on a beat. A phrase has at least four notes and lasts longer than
a bar. Music that has two fermatas or more marks its phrases itself, as chorales do, and is taken at its word.
"""

from typing import NamedTuple

from consort_compose.composer.harmony.line import Beat, Line, LineNote

MARKED = 2
"""How many fermatas there are at least where they mark phrases."""
_FEWEST_NOTES = 4
_PAUSE_BEATS = 2
_PAUSE_RATIO = 2


class Phrase(NamedTuple):
    first: LineNote
    last: LineNote
    is_certain: bool
    """Whether its end is marked, or is the end of all."""


def phrases(line: Line) -> list[Phrase]:
    """The phrases of a line, one after the other."""
    held = {note for moment in line.fermatas if (note := line.at(moment)) is not None}
    found: list[Phrase] = []
    begin = 0
    for index, note in enumerate(line.notes):
        is_certain = note in held or index == len(line.notes) - 1
        if is_certain or (len(held) < MARKED and _pauses(line, begin, index)):
            found.append(Phrase(line.notes[begin], note, is_certain))
            begin = index + 1
    return found


def _pauses(line: Line, begin: int, index: int) -> bool:
    """Whether a note, not the last, ends the phrase that began at another one."""
    notes = line.notes
    first, note = notes[begin], notes[index]
    if min(index - begin, len(notes) - 2 - index) + 1 < _FEWEST_NOTES:  # here and after it
        return False
    length = notes[index + 1].start - note.start
    after = (notes[index + 2].start if index + 2 < len(notes) else notes[-1].end) - notes[index + 1].start
    mean = (note.start - first.start) / (index - begin)
    beat = line.beat_at(note.start)
    is_long = length >= _PAUSE_BEATS * (beat.end - beat.start) and length >= _PAUSE_RATIO * mean and length > after
    return is_long and note.start == beat.start and notes[index + 1].start - first.start > _bar(beat)


def _bar(beat: Beat) -> int:
    return (beat.end - beat.start) * beat.beats_in_bar
