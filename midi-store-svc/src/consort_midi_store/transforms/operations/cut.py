"""Remove a part of the music and close the gap. The music after it sounds as before."""

from collections.abc import Sequence

from consort_midi_store.transforms.change_report import ChangeReport
from consort_midi_store.transforms.note_cache import NoteCache
from consort_midi_store.transforms.notes.repair import RepairedTrack
from consort_midi_store.transforms.operation_parameters import CutOperation
from consort_midi_store.transforms.timeline.midi_state import StatusAndData, changed_state
from consort_midi_store.transforms.timeline.tick_ranges import find_ranges
from consort_music.errors import MusicError
from consort_music.midi.measure_numbers import without_measure_numbers
from consort_music.midi.model import END_OF_TRACK, META, Event, MidiFile, Track
from consort_music.midi.tempo_map import last_tick


def cut(file: MidiFile, operation: CutOperation, report: ChangeReport, cache: NoteCache) -> list[Track]:
    """Return the shortened tracks. Raise MusicError (EMPTY_RANGE) if nothing would be left.

    A note that starts before the range and ends in it is shortened to end at the start of the range. A note that sounds
    through the whole range is shortened by the length of the range. Notes that start in the range are removed. Lyrics
    and markers in the range are removed too. Tempo, metre, key, programs, controllers and pedals that are set in the
    range apply from the join on.

    The bars are counted from 1 again. Adds to the report: `removed` (notes), and `cut` (notes that started before the
    range and were shortened).
    """
    ranges = find_ranges(file, operation.range)
    if all(start == 0 and (end is None or end >= last_tick(tracks)) for tracks, start, end in ranges):
        raise MusicError("EMPTY_RANGE", "Nothing would be left. Cut fewer bars.", ["another last_bar"], "last_bar")
    shortened: list[Track] = []
    for tracks, start, end in ranges:
        stop = max(last_tick(tracks), start) if end is None else end
        repaired = [cache.repaired(track) for track in tracks]
        states = changed_state([each.events for each in repaired], start, stop)
        for track, each, state in zip(tracks, repaired, states, strict=True):
            shortened.append(_without(track, each, start, stop, state, len(shortened), report))
    return without_measure_numbers(shortened)


def _without(
    track: Track,
    repaired: RepairedTrack,
    start: int,
    stop: int,
    state: Sequence[StatusAndData],
    index: int,
    report: ChangeReport,
) -> Track:
    """Return the track without the ticks from `start` to `stop`. The messages of `state` are added at the join."""
    last = track[-1][0] if track else 0
    if last < start and not state:
        return track
    events, pairs, length = repaired.events, repaired.pairs, stop - start
    removed: set[int] = set()
    early_ends: set[int] = set()
    for on, off, begin, end in zip(pairs.ons, pairs.offs, pairs.starts, pairs.ends, strict=True):
        if start <= begin < stop:
            removed |= {on, off}
            report.changed["removed"] += 1
        elif begin < start < end:
            report.changed["cut"] += 1
            if end < stop:
                early_ends.add(off)
    note_offs = set(pairs.offs)
    before: list[Event] = []
    after: list[Event] = []
    for place, (tick, status, data) in enumerate(events):
        if place in removed or (status == META and data[:1] == END_OF_TRACK):
            continue
        if tick >= stop:
            after.append((tick - length, status, data))
        elif tick < start or (tick == start and place in note_offs):
            before.append((tick, status, data))
        elif place in early_ends:
            before.append((start, status, data))
    repaired.report(report, index)
    joined = [*before, *((start, status, data) for status, data in state), *after]
    end_tick = last - length if last >= stop else min(last, start)
    joined.append((max(end_tick, joined[-1][0] if joined else 0), META, END_OF_TRACK))
    return joined
