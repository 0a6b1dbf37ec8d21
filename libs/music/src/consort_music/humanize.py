"""Small deviations from even time and loudness, within stated bounds and the same for the same seed.

Times are ticks. No note goes below tick 0, none comes to begin before one that it began after, and notes of one key
that began apart still do: humanising takes no note away.
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from random import Random

_MANY_TEMPOS = 64
"""Within the reach of one note; where there are more, the least reach of all holds, or it would take long."""


def reach_in_ticks(ticks: Sequence[int], tempos: Sequence[tuple[int, int]], ppq: int, ms: Fraction) -> list[int]:
    """How many ticks a note may move at each of these: a time in ms is more ticks where the tempo is faster.

    `tempos` are (tick, microseconds a beat). Near a change of tempo the reach is so small that it is not too long on
    either side.
    """
    begins = [tick for tick, _ in tempos]
    most = [int(ms * 1000 * ppq / tempo) for _, tempo in tempos]
    if len(most) == 1:
        return most * len(ticks)
    fewest = min(most)

    def at(tick: int) -> int:
        reach = most[bisect_right(begins, tick) - 1]
        first, last = (bisect_right(begins, edge) for edge in (tick - reach, tick + reach))
        near = most[max(first - 1, 0) : last]
        return min(near) if len(near) <= _MANY_TEMPOS else fewest

    return list(map(at, ticks))


def jittered(
    starts: Sequence[int], keys: Sequence[int], reach: Sequence[int], random: Random, *, apart: int = 0
) -> list[int]:
    """Return new starts, each at most its reach away. The notes are in the order of their starts.

    Notes that began apart begin at least `apart` ticks apart, and those of one key at least one tick.
    """
    moved: list[int] = []
    earlier = now = -apart  # the latest new start of the notes that began before this tick, and of those up to it
    tick = -1
    by_key: dict[int, tuple[int, int]] = {}  # old and new start of the key's last note
    for was, key, most, last in zip(starts, keys, reach, _latest(starts, keys, reach, apart), strict=True):
        if was != tick:
            tick, earlier = was, now
        start = max(draw(random, max(was - most, 0), last), earlier + apart)
        if key in by_key:
            old, new = by_key[key]
            start = new if old == was else max(start, new + 1)
        by_key[key] = was, start
        moved.append(start)
        now = max(now, start)
    return moved


def _latest(starts: Sequence[int], keys: Sequence[int], reach: Sequence[int], apart: int) -> list[int]:
    """The latest tick of each note that leaves room for all after it, even where the tempo changes."""
    latest: list[int] = []
    later = now = None  # the earliest bound of the notes that begin after this tick, and of those from it on
    tick = -1
    by_key: dict[int, tuple[int, int]] = {}  # start and bound of the key's next note
    for was, key, most in zip(reversed(starts), reversed(keys), reversed(reach), strict=True):
        if was != tick:
            tick, later = was, now
        last = was + most
        if apart and later is not None:
            last = min(last, later - apart)
        elif now is not None:
            last = min(last, now)
        if key in by_key:
            following, limit = by_key[key]
            last = limit if following == was else min(last, limit - 1)
        now = last if now is None else min(now, last)
        by_key[key] = was, last
        latest.append(last)
    latest.reverse()
    return latest


def varied(velocity: int, random: Random, most: int) -> int:
    """Return a random velocity from 1 to 127 that differs by at most `most`."""
    return min(max(velocity + draw(random, -most, most), 1), 127)


def draw(random: Random, low: int, high: int) -> int:
    """Draw uniformly from low to high; `random()` is the same in every version of Python, `randint` is not."""
    return low + int(random.random() * (high - low + 1))
