"""Add small random deviations to the times and velocities of notes. The same seed gives the same result.

Times are ticks. No note moves before tick 0. Notes keep their order. Notes of one key (channel and pitch) that started
at different ticks still do, so no note is lost. The reach of a note is the number of ticks that it may move.
"""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from random import Random

from consort_music.beats import to_ticks
from consort_music.midi.tempo_map import MICROSECONDS_A_MINUTE

_MANY_TEMPOS = 64
"""If a note has more tempo changes than this within reach, the smallest reach of the piece is used, to save time."""


def reach_in_ticks(ticks: Sequence[int], tempos: Sequence[tuple[int, int]], ppq: int, ms: Fraction) -> list[int]:
    """Return, for each of these ticks, how many ticks a note may move there: `ms` milliseconds at the tempo.

    `tempos` are pairs (tick, microseconds per beat). If a tempo changes within reach of a note, the smallest reach of
    these tempos is used.
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


def jitter_beats(
    starts: Sequence[Fraction],
    keys: Sequence[int],
    tempos: Sequence[tuple[Fraction, Fraction]],
    ppq: int,
    ms: Fraction,
    random: Random,
    *,
    apart: int = 0,
) -> tuple[list[int], list[int]]:
    """Convert starts from beats to ticks. Return them, and the same moved at random by at most `ms` milliseconds.

    The notes are sorted by start. `tempos` are pairs (beat, quarter notes per minute). See `jitter_starts`.
    """
    ticks = [to_ticks(start, ppq) for start in starts]
    changes = [(to_ticks(beat, ppq), round(MICROSECONDS_A_MINUTE / bpm)) for beat, bpm in tempos]
    return ticks, jitter_starts(ticks, keys, reach_in_ticks(ticks, changes, ppq, ms), random, apart=apart)


def jitter_starts(
    starts: Sequence[int], keys: Sequence[int], reach: Sequence[int], random: Random, *, apart: int = 0
) -> list[int]:
    """Return new random starts, each at most its reach away from the old one. The notes are sorted by start.

    Notes with different starts get new starts at least `apart` ticks apart. If their keys are equal, the new starts
    are at least one tick apart.
    """
    moved: list[int] = []
    # The latest new start: `earlier` of all notes before the current tick, `now` of all notes so far.
    earlier = now = -apart
    tick = -1
    by_key: dict[int, tuple[int, int]] = {}  # the old and the new start of the last note of each key
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
    """Return the latest new start of each note that leaves room for all later notes within their own reach."""
    latest: list[int] = []
    # The earliest of these limits: `later` of all notes after the current tick, `now` of all notes seen so far.
    later = now = None
    tick = -1
    by_key: dict[int, tuple[int, int]] = {}  # the start and the limit of the next note of each key
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


def vary_velocity(velocity: int, random: Random, most: int) -> int:
    """Return a random velocity from 1 to 127 that differs from `velocity` by at most `most`."""
    return min(max(velocity + draw(random, -most, most), 1), 127)


def draw(random: Random, low: int, high: int) -> int:
    """Return a random integer from low to high. Unlike `randint`, `random` is the same in every Python version."""
    return low + int(random.random() * (high - low + 1))
