"""Find grace notes and arpeggios, so that they do not disturb the rhythm.

A grace note is a single, short note just before another of the same part at most a third away, with time before and
after the pair. An arpeggio is three or more notes that rise one after another within a short time and all sound on.
"""

from collections.abc import Sequence
from typing import NamedTuple

from consort_music.notation.performance_to_score.notes.played_notes import Moment, PerformedNote

_GRACE_S = 0.085
"""The longest time from a grace note to its main note."""
_LARGEST_GRACE_INTERVAL = 4
_LONGEST_OVERLAP_S = 0.1
"""A grace note does not sound longer than this together with its main note."""
_APART = 2.2
"""The time before and after the pair is at least this many times the time between its notes."""
_ARPEGGIO_GAP_S = 0.075
_ARPEGGIO_S = 0.4
_FEWEST_OF_ARPEGGIO = 3


class OrnamentedMoments(NamedTuple):
    moments: list[Moment]
    """The moments without grace notes; an arpeggio is one moment, at its first note."""
    graces: dict[int, int]
    """The index of the main note for each grace note."""
    arpeggios: set[int]
    """Notes of arpeggios."""


def find_ornaments(notes: Sequence[PerformedNote], moments: Sequence[Moment]) -> OrnamentedMoments:
    joined, arpeggios = _join_arpeggios(notes, moments)
    graces: dict[int, int] = {}
    kept: list[Moment] = []
    for place, moment in enumerate(joined):
        main = _main_note(notes, joined, place, arpeggios)
        if main is None:
            kept.append(moment)
        else:
            graces[moment.notes[0]] = main
    return OrnamentedMoments(kept, graces, arpeggios)


def _main_note(
    notes: Sequence[PerformedNote], moments: Sequence[Moment], place: int, arpeggios: set[int]
) -> int | None:
    """Return the note to which the only note of a moment is a grace note, or None."""
    moment = moments[place]
    if len(moment.notes) > 1 or place + 1 >= len(moments) or moment.notes[0] in arpeggios:
        return None
    gap = moments[place + 1].time - moment.time
    if gap > _GRACE_S:
        return None
    before = moment.time - moments[place - 1].time if place else 1.0
    after = moments[place + 2].time - moments[place + 1].time if place + 2 < len(moments) else 1.0
    note = notes[moment.notes[0]]
    if note.is_drum or min(before, after) < _APART * gap or note.end - note.onset > 4 * _GRACE_S:
        return None
    near = [
        index
        for index in moments[place + 1].notes
        if notes[index].part == note.part
        and 0 < abs(notes[index].pitch - note.pitch) <= _LARGEST_GRACE_INTERVAL
        and note.end - notes[index].onset < _LONGEST_OVERLAP_S
        and notes[index].end - notes[index].onset > 1.5 * (note.end - note.onset)
    ]
    return min(near, key=lambda index: abs(notes[index].pitch - note.pitch), default=None)


def _join_arpeggios(notes: Sequence[PerformedNote], moments: Sequence[Moment]) -> tuple[list[Moment], set[int]]:
    found: list[Moment] = []
    arpeggios: set[int] = set()
    place = 0
    while place < len(moments):
        end = place + 1
        while end < len(moments) and _continues(notes, moments, place, end):
            end += 1
        group = [index for moment in moments[place:end] for index in moment.notes]
        sounds_on = min(notes[index].end for index in group) > moments[end - 1].time + _ARPEGGIO_GAP_S
        is_rolled = end - place >= _FEWEST_OF_ARPEGGIO and sounds_on
        after = moments[end].time - moments[end - 1].time if end < len(moments) else 1.0
        if is_rolled and after > _ARPEGGIO_GAP_S:
            found.append(Moment(moments[place].time, tuple(group)))
            arpeggios.update(group)
            place = end
        else:
            found.append(moments[place])
            place += 1
    return found, arpeggios


def _continues(notes: Sequence[PerformedNote], moments: Sequence[Moment], first: int, place: int) -> bool:
    highest = max(notes[index].pitch for index in moments[place - 1].notes)
    lowest = min(notes[index].pitch for index in moments[place].notes)
    gap = moments[place].time - moments[place - 1].time
    return highest < lowest and gap <= _ARPEGGIO_GAP_S and moments[place].time - moments[first].time <= _ARPEGGIO_S
