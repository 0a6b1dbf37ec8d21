"""The notes of a track made whole before an operation changes it.

A note that nothing ends is ended with the track, one of zero length gets one tick, a note-off that ends nothing goes.
`consort_music.midi.notes` says which note-off ends which note.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from consort_midi_store.transforms.report import Report
from consort_music.midi.model import Event, Track
from consort_music.midi.notes import DEFAULT_RELEASE_VELOCITY, NOTHING, Pairs, pair, put_end, take_end, with_lengths


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What was done to make the notes of a track whole."""

    closed: int = 0
    lengthened: int = 0
    orphans_removed: int = 0

    def report(self, report: Report, index: int) -> None:
        """To be called by an operation that changes the track; otherwise the original stays."""
        report.changed["closed"] += self.closed
        report.changed["lengthened"] += self.lengthened
        report.changed["stray_note_offs_removed"] += self.orphans_removed
        if self.closed:
            one, more = "1 note that nothing ended now ends", f"{self.closed} notes that nothing ended now end"
            closed = one if self.closed == 1 else more
            report.warnings.append(f"Track {index}: {closed} with the track.")
        if self.lengthened:
            one, more = "1 note of zero length now lasts", f"{self.lengthened} notes of zero length now last"
            longer = one if self.lengthened == 1 else more
            report.warnings.append(f"Track {index}: {longer} one tick.")


@dataclass(frozen=True, slots=True)
class WholeTrack(Mended):
    """A track in which every note-on and note-off belongs to a note that has a length, and what was done to get it."""

    events: Track
    pairs: Pairs


def make_whole(track: Track) -> WholeTrack:
    pairs = pair(track)
    hanging = [note for note, off in enumerate(pairs.offs) if off == NOTHING] if NOTHING in pairs.offs else []
    empty = pairs.without_length()
    if not (hanging or empty or pairs.orphans):
        return WholeTrack(track, pairs)
    events = list(with_lengths(track, pairs, pairs.orphans))
    end_of_track = take_end(events)
    _close(events, track[-1][0], [track[pairs.ons[note]] for note in hanging])
    put_end(events, end_of_track)
    return WholeTrack(
        events, pair(events), closed=len(hanging), lengthened=len(empty), orphans_removed=len(pairs.orphans)
    )


def _close(events: list[Event], end: int, hanging: Sequence[Event]) -> None:
    """End these notes at the track's end, in front of new notes on their keys."""
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
