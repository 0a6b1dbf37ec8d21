"""Read the tempo changes of tracks that play together, and convert ticks to milliseconds.

Times are summed as exact integers and rounded once, so many tempo changes do not add up rounding errors.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import TypeVar

from consort_music.midi.model import META, META_TEMPO, Event, MidiFile, Track

MICROSECONDS_A_MINUTE = 60_000_000
DEFAULT_TEMPO = 500_000  # microseconds per quarter note, 120 bpm: the default of the standard
SLOWEST_TEMPO = 0xFFFFFF  # microseconds per quarter note, 3.6 bpm: the most that a tempo event can contain

_MAX_KNOWN = 4096
_TEMPO_PREFIX = META_TEMPO << 24

_Item = TypeVar("_Item")


def last_tick(tracks: Iterable[Track]) -> int:
    """Return the tick at which the last of these tracks ends, including end-of-track events."""
    return max((track[-1][0] for track in tracks if track), default=0)


def metas_in_order(
    tracks: Iterable[Track], meta_type: int, read: Callable[[bytes], _Item | None]
) -> tuple[list[tuple[int, _Item]], int]:
    """Return the meta events of one type as pairs (tick, item) sorted by tick, and the number of invalid ones.

    `read` converts a payload to an item, or returns None if it is invalid. Of several valid events at one tick, only
    the last is returned.
    """
    found: list[tuple[int, _Item]] = []
    unusable = 0
    last = -1
    known: dict[bytes, _Item | None] = {}  # a cache: even a file with many changes has few different payloads
    for tick, _, data in _metas(tracks, meta_type):
        if data in known:
            item = known[data]
        else:
            item = read(data[1:])
            if len(known) < _MAX_KNOWN:
                known[data] = item
        if item is None:
            unusable += 1
        elif tick == last:
            found[-1] = tick, item
        else:
            found.append((tick, item))
            last = tick
    return found, unusable


def tempo_changes(tracks: Iterable[Track]) -> tuple[list[tuple[int, int]], int]:
    """Return the tempos as pairs (tick, microseconds per quarter note), and the number of invalid tempo events.

    The first tempo is at tick 0. Of several events at one tick, the last is used. An event that repeats the current
    tempo is left out.
    """
    found = [(0, DEFAULT_TEMPO)]
    unusable = last = 0
    for tick, _, data in _metas(tracks, META_TEMPO):
        tempo = int.from_bytes(data, "big") - _TEMPO_PREFIX  # four bytes in all, the type first
        if not 0 < tempo <= SLOWEST_TEMPO:
            unusable += 1
        elif tick == last:
            found[-1] = tick, tempo
        else:
            _drop_repeated(found)
            found.append((tick, tempo))
            last = tick
    _drop_repeated(found)
    return found, unusable


def _drop_repeated(tempos: list[tuple[int, int]]) -> None:
    """Remove the last tempo if it equals the previous one."""
    if len(tempos) > 1 and tempos[-1][1] == tempos[-2][1]:
        tempos.pop()


def _metas(tracks: Iterable[Track], meta_type: int) -> list[Event]:
    """Return the meta events of one type, sorted by tick, then by track."""
    metas = [event for track in tracks for event in track if event[1] == META and event[2][0] == meta_type]
    metas.sort(key=itemgetter(0))
    return metas


def elapsed_ms(file: MidiFile, tempos: Sequence[tuple[int, int]], end: int) -> int:
    """Return the milliseconds from tick 0 to `end`, rounded. Tempos have no effect if the file has SMPTE frames."""
    if file.smpte_ticks_per_second is not None:
        exact = end * 1000 / file.smpte_ticks_per_second
        return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)
    total = position = 0
    tempo = DEFAULT_TEMPO
    for tick, next_tempo in tempos:
        if tick >= end:
            break
        total += (tick - position) * tempo
        position, tempo = tick, next_tempo
    total += (end - position) * tempo
    per_ms = file.division * 1000
    return (2 * total + per_ms) // (2 * per_ms)
