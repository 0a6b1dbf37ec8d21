"""Repair the notes of a track before an operation changes it.

A note without a note-off is ended at the end of the track. A note of zero length is lengthened to one tick. A note-off
that ends no note is removed. `consort_music.midi.notes` defines which note-off ends which note.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from consort_midi_store.transforms.change_report import ChangeReport
from consort_music.midi.model import Event, Track
from consort_music.midi.notes import DEFAULT_RELEASE_VELOCITY, NOTHING, Pairs, pair, put_end, take_end, with_lengths
from consort_music.texts.plurals import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRepairs:
    """How many notes were ended and lengthened, and how many note-offs were removed."""

    closed: int = 0
    lengthened: int = 0
    orphans_removed: int = 0

    def report(self, report: ChangeReport, index: int) -> None:
        """Add the repairs of track `index` to the report of an operation.

        Do not call this if the operation does not change the track, because then the track is not repaired either.
        """
        report.changed["closed"] += self.closed
        report.changed["lengthened"] += self.lengthened
        report.changed["stray_note_offs_removed"] += self.orphans_removed
        if self.closed:
            notes = counted(self.closed, "note")
            report.warnings.append(f"Track {index}: ended {notes} without a note-off at the end of the track.")
        if self.lengthened:
            notes = counted(self.lengthened, "note")
            report.warnings.append(f"Track {index}: lengthened {notes} of zero length to one tick.")


@dataclass(frozen=True, slots=True)
class RepairedTrack(NoteRepairs):
    """A track after its repair. Every note-on has a later note-off, and every note-off ends a note."""

    events: Track
    pairs: Pairs


def repair_track(track: Track) -> RepairedTrack:
    """Return a repaired copy of the track, or the track itself if no note is broken."""
    pairs = pair(track)
    hanging = [note for note, off in enumerate(pairs.offs) if off == NOTHING] if NOTHING in pairs.offs else []
    empty = pairs.without_length()
    if not (hanging or empty or pairs.orphans):
        return RepairedTrack(track, pairs)
    events = list(with_lengths(track, pairs, pairs.orphans))
    end_of_track = take_end(events)
    _end_hanging_notes(events, track[-1][0], [track[pairs.ons[note]] for note in hanging])
    put_end(events, end_of_track)
    return RepairedTrack(
        events, pair(events), closed=len(hanging), lengthened=len(empty), orphans_removed=len(pairs.orphans)
    )


def _end_hanging_notes(events: list[Event], end: int, hanging: Sequence[Event]) -> None:
    """Add note-offs for the notes `hanging` at the tick `end`, before note-ons of the same keys at that tick."""
    keys = {(status & 0x0F, data[0]) for _, status, data in hanging}
    first = bisect_left(events, end, key=itemgetter(0))
    last = bisect_right(events, end, key=itemgetter(0))
    offs: list[Event] = []
    others: list[Event] = []
    ons: list[Event] = []
    for event in events[first:last]:
        _, status, data = event
        if status >= 0xA0 or (status & 0x0F, data[0]) not in keys:
            others.append(event)
        else:
            (ons if status >= 0x90 and data[1] else offs).append(event)
    for start, status, data in hanging:
        off = max(end, start + 1), status & 0x8F, bytes((data[0], DEFAULT_RELEASE_VELOCITY))
        if start < end:
            offs.append(off)
        else:
            events.append(off)
    events[first:last] = [*offs, *others, *ons]
