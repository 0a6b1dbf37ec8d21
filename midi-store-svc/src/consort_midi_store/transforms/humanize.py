"""Small deviations from the grid and from even loudness, within stated bounds and the same for the same seed.

No note goes below tick 0, none comes to begin before one that it began after, and notes of one key that began apart
still do: humanising takes no note away.
"""

from bisect import bisect_right
from random import Random

from consort_midi_store.transforms.cache import NoteCache
from consort_midi_store.transforms.models import Humanize
from consort_midi_store.transforms.placement import Placement
from consort_midi_store.transforms.report import Report
from consort_midi_store.transforms.rhythm import lengths_kept
from consort_midi_store.transforms.selection import selected_channels, selected_tracks
from consort_music.midi.model import MidiFile, Track
from consort_music.midi.notes import Pairs
from consort_music.midi.timing import tempo_changes
from consort_music.quantize import exact

_MANY_TEMPOS = 64
"""Within the reach of one note; where there are more, the least reach in all the file holds, or it would take long."""


def humanize(file: MidiFile, operation: Humanize, report: Report, cache: NoteCache) -> list[Track]:
    """Counted: notes `moved`, and `velocity_changed`; the rest is told by `placement`."""
    tracks = list(file.tracks)
    channels = selected_channels(operation)
    for index in selected_tracks(file, operation):
        whole = cache.of(tracks[index])
        pairs = whole.pairs
        chosen = [note for note, key in enumerate(pairs.keys) if key >> 7 in channels]
        reach = _reach(file, index, operation, [pairs.starts[note] for note in chosen])
        starts = _jittered(pairs, chosen, reach, Random(f"{operation.seed}/{index}/time"))
        events = list(whole.events)
        changed = 0
        random = Random(f"{operation.seed}/{index}/velocity")
        for note in chosen if operation.velocity else ():
            tick, status, data = events[pairs.ons[note]]
            velocity = min(max(data[1] + _draw(random, -operation.velocity, operation.velocity), 1), 127)
            if velocity != data[1]:
                events[pairs.ons[note]] = tick, status, bytes((data[0], velocity))
                changed += 1
        if not changed and starts == pairs.starts:
            continue
        whole.report(report, index)
        placement = Placement(events, pairs, starts, lengths_kept(pairs, starts), pairs.keys)
        placement.settle(report)
        report.changed["moved"] += placement.moved
        report.changed["velocity_changed"] += changed
        tracks[index] = placement.rebuild()
    return tracks


def _reach(file: MidiFile, index: int, operation: Humanize, ticks: list[int]) -> list[int]:
    """How many ticks a note may move at each of these: a time in ms is more ticks where the tempo is faster.

    Near a change of tempo it is so few that it is not too long on either side.
    """
    if operation.timing_ticks is not None:
        return [operation.timing_ticks] * len(ticks)
    ms = exact(operation.timing_ms)
    if file.smpte_ticks_per_second is not None:
        return [int(ms * file.smpte_ticks_per_second / 1000)] * len(ticks)
    tempos, _ = tempo_changes([file.tracks[index]] if file.format == 2 else file.tracks)
    begins = [tick for tick, _ in tempos]
    most = [int(ms * 1000 * file.division / tempo) for _, tempo in tempos]
    if len(most) == 1:
        return most * len(ticks)
    fewest = min(most)

    def at(tick: int) -> int:
        reach = most[bisect_right(begins, tick) - 1]
        first, last = (bisect_right(begins, edge) for edge in (tick - reach, tick + reach))
        near = most[max(first - 1, 0) : last]
        return min(near) if len(near) <= _MANY_TEMPOS else fewest

    return list(map(at, ticks))


def _jittered(pairs: Pairs, chosen: list[int], reach: list[int], random: Random) -> list[int]:
    latest = _latest(pairs, chosen, reach)
    starts = pairs.starts.copy()
    earlier = now = 0  # the latest new start of the notes that began before this tick, and of those up to it
    tick = -1
    by_key: dict[int, tuple[int, int]] = {}  # old and new start of the key's last note
    for note, most, last in zip(chosen, reach, latest, strict=True):
        was, key = pairs.starts[note], pairs.keys[note]
        if was != tick:
            tick, earlier = was, now
        start = max(_draw(random, max(was - most, 0), last), earlier)
        if key in by_key:
            old, new = by_key[key]
            start = new if old == was else max(start, new + 1)
        by_key[key] = was, start
        starts[note] = start
        now = max(now, start)
    return starts


def _latest(pairs: Pairs, chosen: list[int], reach: list[int]) -> list[int]:
    """The latest tick of each note that leaves room for all after it, even where the tempo changes."""
    latest: list[int] = []
    bound: int | None = None
    by_key: dict[int, tuple[int, int]] = {}  # start and bound of the key's next note
    for note, most in zip(reversed(chosen), reversed(reach), strict=True):
        was, key = pairs.starts[note], pairs.keys[note]
        last = was + most
        if bound is not None:
            last = min(last, bound)
        if key in by_key:
            following, limit = by_key[key]
            last = limit if following == was else min(last, limit - 1)
        bound = last if bound is None else min(bound, last)
        by_key[key] = was, last
        latest.append(last)
    latest.reverse()
    return latest


def _draw(random: Random, low: int, high: int) -> int:
    """Each from low to high alike likely; `random()` is the same in every version of Python, `randint` is not."""
    return low + int(random.random() * (high - low + 1))
