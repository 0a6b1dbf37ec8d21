"""How long ticks last: the tempo changes of tracks that play together, and the time up to a tick.

Sums are kept as exact integers, so that the length of a file does not depend on how many tempo changes it has.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import TypeVar

from consort_music.midi.model import META, META_TEMPO, Event, MidiFile, Track

DEFAULT_TEMPO = 500_000  # microseconds per quarter note, 120 bpm: what the standard says where a file says nothing

_MAX_KNOWN = 4096
_TEMPO_PREFIX = META_TEMPO << 24

_Item = TypeVar("_Item")


def last_tick(tracks: Iterable[Track]) -> int:
    """The tick at which the last of these tracks ends (its end-of-track event included)."""
    return max((track[-1][0] for track in tracks if track), default=0)


def metas_in_order(
    tracks: Iterable[Track], meta_type: int, read: Callable[[bytes], _Item | None]
) -> tuple[list[tuple[int, _Item]], int]:
    """What the meta events of one type say, by time, in whichever of these tracks they stand.

    `read` makes an item of a payload, or None if it is unusable; of several usable ones at one tick the last holds.
    Also returned: how many were unusable.
    """
    found: list[tuple[int, _Item]] = []
    unusable = 0
    last = -1
    known: dict[bytes, _Item | None] = {}  # a file that changes its meter at every tick says few different things
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
    """All changes `(tick, microseconds per quarter note)` from tick 0 on, and how many tempo events were unusable.

    Of several at one tick the last holds. An event that states the tempo that holds already is no change.
    """
    found = [(0, DEFAULT_TEMPO)]
    unusable = last = 0
    for tick, _, data in _metas(tracks, META_TEMPO):
        tempo = int.from_bytes(data, "big") - _TEMPO_PREFIX  # of four bytes in all, the type first
        if not 0 < tempo <= 0xFFFFFF:
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
    """Remove the last tempo if it equals the one before."""
    if len(tempos) > 1 and tempos[-1][1] == tempos[-2][1]:
        tempos.pop()


def _metas(tracks: Iterable[Track], meta_type: int) -> list[Event]:
    """The meta events of one type, by time; at one tick in the order of tracks."""
    metas = [event for track in tracks for event in track if event[1] == META and event[2][0] == meta_type]
    metas.sort(key=itemgetter(0))
    return metas


def elapsed_ms(file: MidiFile, tempos: Sequence[tuple[int, int]], end: int) -> int:
    """Milliseconds from tick 0 to `end`, to the nearest; in SMPTE files tempo has no say."""
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
