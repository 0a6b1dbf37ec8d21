"""Move the notes of a track to new positions, and rebuild the track.

`consort_music.timing.overlaps` resolves collisions: notes on one key that now overlap or start together. At one tick,
moved note-offs are first and moved note-ons are last. Events that did not move keep their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress
from operator import itemgetter, ne

from consort_midi_store.transforms.change_report import ChangeReport
from consort_music.midi.model import Event, Track
from consort_music.midi.notes import Pairs, put_end, take_end
from consort_music.timing.overlaps import REMOVED, MovedNotes

_UNMOVED = -2


@dataclass(slots=True)
class NotePositions:
    """The new start, end and key of each note. Starts and ends are in ticks; the end of a removed note is REMOVED.

    The `starts` of each key are in ascending order. `origins` has the voice that each note belonged to before (default:
    its key). Notes that overlapped before may still overlap if they are of the same voice. `forced` notes are sorted
    like moved notes even if they did not move.
    """

    track: Track
    pairs: Pairs
    starts: list[int]
    ends: list[int]
    keys: list[int]
    origins: Sequence[int] | None = None
    forced: set[int] = field(default_factory=set)
    duplicates: int = 0

    def resolve_collisions(self, report: ChangeReport) -> None:
        """Shorten or remove notes that collide. Adds to the report: `shortened` and `duplicates_removed`."""
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
        notes.resolve()
        self.ends, self.duplicates = notes.ends, notes.duplicates
        report.changed["shortened"] += notes.shortened
        report.changed["duplicates_removed"] += notes.duplicates

    @property
    def moved(self) -> int:
        """The number of remaining notes with a different start."""
        moves: int = sum(map(ne, self.starts, self.pairs.starts))
        if REMOVED in self.ends:
            moves -= sum(
                end == REMOVED and start != was
                for start, was, end in zip(self.starts, self.pairs.starts, self.ends, strict=True)
            )
        return moves

    @property
    def resized(self) -> int:
        """The number of remaining notes with a different length."""
        pairs = self.pairs
        return sum(
            end != REMOVED and end - start != old_end - was
            for start, end, was, old_end in zip(self.starts, self.ends, pairs.starts, pairs.ends, strict=True)
        )

    def rebuild(self) -> Track:
        """Return the track with its notes at the new positions.

        Most of the time of an operation is spent here, so each step processes a whole list, which is fast in Python.
        """
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
        rebuilt.sort(key=itemgetter(0))  # a stable sort: at one tick, moved note-offs stay first, moved note-ons last
        put_end(rebuilt, end_of_track)
        return rebuilt


def _retimed(track: Track, ticks: list[int]) -> list[Event]:
    return [(tick, status, data) for tick, (_, status, data) in zip(ticks, track, strict=True) if tick >= 0]
