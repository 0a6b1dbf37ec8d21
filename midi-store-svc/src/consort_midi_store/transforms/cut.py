"""Remove a stretch of the music and close the gap: what follows sounds as before."""

from collections.abc import Sequence

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import Cut
from consort_midi_store.transforms.notes import WholeTrack
from consort_midi_store.transforms.ranges import ranges_of
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.state import Message, changed_state
from consort_music.errors import MusicError
from consort_music.midi.model import END_OF_TRACK, META, Event, MidiFile, Track
from consort_music.midi.timing import last_tick


def cut(file: MidiFile, operation: Cut, report: Report, cache: NoteCache) -> list[Track]:
    """Counted: notes `removed`, and notes `cut`, which began before the stretch and end earlier now.

    A note that began before the stretch and ended in it ends where the stretch began; one that sounded through it is
    as much shorter as the music. Notes that began in it go. Tempo, metre, key, programs, controllers and pedals that
    were set in it hold from the join on; lyrics and markers in it go.
    """
    ranges = ranges_of(file, operation)
    if all(start == 0 and (end is None or end >= last_tick(tracks)) for tracks, start, end in ranges):
        raise MusicError("EMPTY_RANGE", "Nothing would be left: cut fewer bars.", ["another last_bar"], "last_bar")
    shortened: list[Track] = []
    for tracks, start, end in ranges:
        stop = max(last_tick(tracks), start) if end is None else end
        wholes = [cache.of(track) for track in tracks]
        states = changed_state([whole.events for whole in wholes], start, stop)
        for track, whole, state in zip(tracks, wholes, states, strict=True):
            shortened.append(_without(track, whole, start, stop, state, len(shortened), report))
    return shortened


def _without(
    track: Track, whole: WholeTrack, start: int, stop: int, state: Sequence[Message], index: int, report: Report
) -> Track:
    """One track without the events from `start` to `stop`, but with what holds after them."""
    last = track[-1][0] if track else 0
    if last < start and not state:
        return track
    events, pairs, length = whole.events, whole.pairs, stop - start
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
    whole.report(report, index)
    joined = [*before, *((start, status, data) for status, data in state), *after]
    end_tick = last - length if last >= stop else min(last, start)
    joined.append((max(end_tick, joined[-1][0] if joined else 0), META, END_OF_TRACK))
    return joined
