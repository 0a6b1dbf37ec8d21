"""A stretch of the music, from its new beginning on with all that was set up before it."""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import Trim
from consort_midi_store.transforms.placement import REMOVED, Placement
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.rhythm import ppq_of
from consort_midi_store.transforms.state import Message, state_before
from consort_music.beats import parse_beats, to_ticks
from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, Event, MidiFile, Track
from consort_music.midi.timing import elapsed_ms, last_tick, tempo_changes
from consort_music.quantize import exact, half_up

_Tempos = list[tuple[int, int]]


def trim(file: MidiFile, operation: Trim, report: Report, cache: NoteCache) -> list[Track]:
    """Counted: notes `removed` outside the range and notes `cut` at its edges."""
    if operation.unit == "beats":
        ppq_of(file, "trim in beats")
    together = [[track] for track in file.tracks] if file.format == 2 else [file.tracks]
    tempos = [tempo_changes(tracks)[0] for tracks in together]
    ranges = [_range(file, operation, each) for each in tempos]
    ends = [last_tick(tracks) for tracks in together]
    if all(start >= end for (start, _), end in zip(ranges, ends, strict=True)) and operation.start > 0:
        raise _empty(file, operation, tempos[0], ends[0])
    trimmed: list[Track] = []
    for tracks, (start, end) in zip(together, ranges, strict=True):
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


def _range(file: MidiFile, operation: Trim, tempos: _Tempos) -> tuple[int, int | None]:
    def tick(value: float) -> int:
        if operation.unit == "beats":
            return to_ticks(parse_beats(value), file.division)
        return half_up(_tick_at(file, tempos, exact(value)))

    return tick(operation.start), None if operation.end is None else max(tick(operation.end), tick(operation.start) + 1)


def _tick_at(file: MidiFile, tempos: Sequence[tuple[int, int]], ms: Fraction) -> Fraction:
    """The tick, not rounded, that sounds after so many milliseconds."""
    if file.smpte_ticks_per_second is not None:
        return ms * file.smpte_ticks_per_second / 1000
    begins = [0]  # when each tempo begins, in microseconds times ticks per beat, which are whole numbers
    for (start, tempo), (stop, _) in pairwise(tempos):
        begins.append(begins[-1] + (stop - start) * tempo)
    time = ms * file.division * 1000
    place = bisect_right(begins, time) - 1
    tick, tempo = tempos[place]
    return tick + (time - begins[place]) / tempo


def _empty(file: MidiFile, operation: Trim, tempos: _Tempos, end: int) -> MusicError:
    length = (
        f"{float(Fraction(end, file.division)):g} beats"
        if operation.unit == "beats"
        else f"{elapsed_ms(file, tempos, end)} ms"
    )
    return MusicError(
        "EMPTY_RANGE",
        f"Nothing is left from {operation.start:g} on: the music ends at {length}. Begin earlier.",
        [length],
    )
