"""Keep a part of the music. It starts with the programs, controllers and tempo that were set before it."""

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.notes.note_positions import NotePositions
from consort_midi_store.transforms.operation_parameters import TrimOperation
from consort_midi_store.transforms.timeline.midi_state import StatusAndData, state_before
from consort_midi_store.transforms.timeline.tick_ranges import find_ranges
from consort_music.midi.measure_numbers import without_measure_numbers
from consort_music.midi.model import END_OF_TRACK, META, Event, MidiFile, Track
from consort_music.timing.overlaps import REMOVED


def trim(file: MidiFile, operation: TrimOperation, report: ChangeReport, cache: NoteCache) -> list[Track]:
    """Return the trimmed tracks. Raise MusicError (EMPTY_RANGE) if the music ends before the range.

    If the beginning is removed, bars are counted from 1 again. Adds to the report: `removed` (notes outside the range),
    `cut` (notes shortened at its edges), and the counts of `NotePositions.resolve_collisions`.
    """
    trimmed: list[Track] = []
    ranges = find_ranges(file, operation.range)
    for tracks, start, end in ranges:
        kept = [_KeptPart(track, start, end, cache) for track in tracks]
        states = state_before([part.track for part in kept], start, [part.sounding for part in kept])
        for part, state in zip(kept, states, strict=True):
            trimmed.append(part.trimmed(state, len(trimmed), report))
    return without_measure_numbers(trimmed) if any(start for _, start, _ in ranges) else trimmed


class _KeptPart:
    """The part of a track from tick `start` to `end`. If `end` is None, it goes to the end of the track."""

    def __init__(self, track: Track, start: int, end: int | None, cache: NoteCache) -> None:
        self.original, self.start = track, start
        self.repaired = cache.repaired(track)
        self.track, pairs = self.repaired.events, self.repaired.pairs
        self.last = track[-1][0] if track else 0
        self.is_all = start == 0 and (end is None or self.last < end)
        self.stop = stop = max([self.last, *pairs.ends]) + 1 if end is None else end
        self.starts = [max(was, start) for was in pairs.starts]
        self.ends = [
            min(until, stop) if was < stop and until > start else REMOVED
            for was, until in zip(pairs.starts, pairs.ends, strict=True)
        ]
        self.sounding = {
            key
            for key, was, until in zip(pairs.keys, pairs.starts, self.ends, strict=True)
            if was < start and until != REMOVED
        }
        """The keys of notes that start before the part and still sound at its start."""

    def trimmed(self, state: list[StatusAndData], index: int, report: ChangeReport) -> Track:
        """Return the part as a track, with the messages of `state` at its start."""
        if self.is_all:
            return self.original
        start, stop, pairs = self.start, self.stop, self.repaired.pairs
        self.repaired.report(report, index)
        report.changed["removed"] += self.ends.count(REMOVED)
        report.changed["cut"] += sum(
            until != REMOVED and (was < start or old > until)
            for was, old, until in zip(pairs.starts, pairs.ends, self.ends, strict=True)
        )
        positions = NotePositions(self.track, pairs, self.starts, self.ends, pairs.keys)
        positions.resolve_collisions(report)
        trimmed: list[Event] = [(0, status, data) for status, data in state]
        trimmed += (
            (tick - start, status, data)
            for tick, status, data in positions.rebuild()
            if start <= tick
            and (tick < stop or (tick == stop and status < 0xA0))
            and not (status == META and data[:1] == END_OF_TRACK)
        )
        ending = max(min(self.last, stop) - start, trimmed[-1][0] if trimmed else 0)
        trimmed.append((ending, META, END_OF_TRACK))
        return trimmed
