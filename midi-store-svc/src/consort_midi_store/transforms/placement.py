"""Notes put where an operation wants them; `consort_music.settling` settles those that are in each other's way.

At one tick, moved note-offs come first and moved note-ons last; all events that were not moved keep their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from operator import itemgetter, ne

from consort_midi_store.transforms.report import Report
from consort_music.midi.model import Event, Track
from consort_music.midi.notes import Pairs, put_end, take_end
from consort_music.settling import REMOVED, MovedNotes

_UNMOVED = -2


@dataclass(slots=True)
class Placement:
    """Where the notes of a track shall be: `ends` REMOVED for those that go. `settle` makes it free of conflicts.

    `starts` of one key are in order. `origins`, if given, is the voice each note belonged to before (default: its key):
    only notes of one voice may go on overlapping. `forced` notes count as moved even where they stay.
    """

    track: Track
    pairs: Pairs
    starts: list[int]
    ends: list[int]
    keys: list[int]
    origins: Sequence[int] | None = None
    forced: set[int] = field(default_factory=set)
    duplicates: int = 0

    def settle(self, report: Report) -> None:
        track, pairs = self.track, self.pairs
        notes = MovedNotes(
            starts=self.starts,
            ends=self.ends,
            old_starts=pairs.starts,
            old_ends=pairs.ends,
            keys=self.keys,
            velocity=lambda note: track[pairs.ons[note]][2][1],
            origins=self.origins,
            forced=self.forced,
        )
        notes.settle()
        self.ends, self.duplicates = notes.ends, notes.duplicates
        report.changed["shortened"] += notes.shortened
        report.changed["duplicates_removed"] += notes.duplicates

    @property
    def moved(self) -> int:
        """How many of the notes that stay have another start."""
        moves: int = sum(map(ne, self.starts, self.pairs.starts))
        if REMOVED in self.ends:
            moves -= sum(
                end == REMOVED and start != was
                for start, was, end in zip(self.starts, self.pairs.starts, self.ends, strict=True)
            )
        return moves

    @property
    def resized(self) -> int:
        """How many of the notes that stay have another length."""
        pairs = self.pairs
        return sum(
            end != REMOVED and end - start != old_end - was
            for start, end, was, old_end in zip(self.starts, self.ends, pairs.starts, pairs.ends, strict=True)
        )

    def rebuild(self) -> Track:
        """The track with its notes there. In steps over whole lists, because most of an operation's time goes here."""
        track, pairs, starts, ends = self.track, self.pairs, self.starts, self.ends
        new_on = list(map(ne, starts, pairs.starts))
        new_off = list(map(ne, ends, pairs.ends))
        for note in self.forced:
            new_on[note] = new_off[note] = True
        if REMOVED in ends:
            starts = starts.copy()
            for note in compress(range(len(ends)), [end == REMOVED for end in ends]):
                starts[note] = REMOVED
                new_on[note] = new_off[note] = True
        on_ticks, off_ticks = [_UNMOVED] * len(track), [_UNMOVED] * len(track)
        for place, tick in zip(compress(pairs.ons, new_on), compress(starts, new_on), strict=True):
            on_ticks[place] = tick
        for place, tick in zip(compress(pairs.offs, new_off), compress(ends, new_off), strict=True):
            off_ticks[place] = tick
        rebuilt = _retimed(track, off_ticks)
        rebuilt += [event for event, on, off in zip(track, on_ticks, off_ticks, strict=True) if on == off]
        end_of_track = take_end(rebuilt) if track else None
        rebuilt += _retimed(track, on_ticks)
        rebuilt.sort(key=itemgetter(0))  # stable: at one tick the moved offs stay first, the moved ons last
        put_end(rebuilt, end_of_track)
        return rebuilt


def _retimed(track: Track, ticks: list[int]) -> list[Event]:
    return [(tick, status, data) for tick, (_, status, data) in zip(ticks, track, strict=True) if tick >= 0]
