"""A stretch of the music, from its new beginning on with all that was set up before it."""

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import Trim
from consort_midi_store.transforms.placement import Placement
from consort_midi_store.transforms.ranges import ranges_of
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.state import Message, state_before
from consort_music.midi.model import END_OF_TRACK, META, Event, MidiFile, Track
from consort_music.settling import REMOVED


def trim(file: MidiFile, operation: Trim, report: Report, cache: NoteCache) -> list[Track]:
    """Counted: notes `removed` outside the range and notes `cut` at its edges."""
    trimmed: list[Track] = []
    for tracks, start, end in ranges_of(file, operation):
        spans = [_Span(track, start, end, cache) for track in tracks]
        states = state_before([span.track for span in spans], start, [span.carried for span in spans])
        for span, state in zip(spans, states, strict=True):
            trimmed.append(span.cut(state, len(trimmed), report))
    return trimmed


class _Span:
    """The part of a track from `start` to `end` (None: to its own end), both in ticks."""

    def __init__(self, track: Track, start: int, end: int | None, cache: NoteCache) -> None:
        self.original, self.start = track, start
        self.whole = cache.of(track)
        self.track, pairs = self.whole.events, self.whole.pairs
        self.last = track[-1][0] if track else 0
        self.is_all = start == 0 and (end is None or self.last < end)
        self.stop = stop = max([self.last, *pairs.ends]) + 1 if end is None else end
        self.starts = [max(was, start) for was in pairs.starts]
        self.ends = [
            min(until, stop) if was < stop and until > start else REMOVED
            for was, until in zip(pairs.starts, pairs.ends, strict=True)
        ]
        self.carried = {  # the keys that sound already at the start
            key
            for key, was, until in zip(pairs.keys, pairs.starts, self.ends, strict=True)
            if was < start and until != REMOVED
        }

    def cut(self, state: list[Message], index: int, report: Report) -> Track:
        if self.is_all:
            return self.original
        start, stop, pairs = self.start, self.stop, self.whole.pairs
        self.whole.report(report, index)
        report.changed["removed"] += self.ends.count(REMOVED)
        report.changed["cut"] += sum(
            until != REMOVED and (was < start or old > until)
            for was, old, until in zip(pairs.starts, pairs.ends, self.ends, strict=True)
        )
        placement = Placement(self.track, pairs, self.starts, self.ends, pairs.keys)
        placement.settle(report)
        trimmed: list[Event] = [(0, status, data) for status, data in state]
        trimmed += (
            (tick - start, status, data)
            for tick, status, data in placement.rebuild()
            if start <= tick and (tick < stop or (tick == stop and status < 0xA0)) and not _is_end(status, data)
        )
        ending = max(min(self.last, stop) - start, trimmed[-1][0] if trimmed else 0)
        trimmed.append((ending, META, END_OF_TRACK))
        return trimmed


def _is_end(status: int, data: bytes) -> bool:
    return status == META and data[:1] == END_OF_TRACK
