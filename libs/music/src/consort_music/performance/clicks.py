"""The clicks of a count-in and of a metronome: one per beat, in the tempo and metre of the music.

A beat is the same unit as in positions such as 9:1, so a 6/8 bar has two. If a beat is longer than one second, there is
a click for each unit of the time signature instead (six in 6/8). The first beat of a bar has a higher click.
"""

from collections.abc import Iterator
from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.metre import DOWNBEAT, OFFBEAT, Metre
from consort_music.performance.clock import Clock

SLOW_BEAT_NS = 1_000_000_000
_CLICK_STATUS = 0x99
_VELOCITY, _OFFBEAT_VELOCITY = 100, 60
_HIGH_CLICK, _LOW_CLICK = 76, 77  # wood blocks of the General MIDI drum kit
_METRONOME_CLICK_NS = 50_000_000

TimedClick = tuple[int, bytes]
"""A time in nanoseconds at the written tempo, and a note-on or note-off on the drum channel."""


def count_in(
    clock: Clock, tick: int, bars: int, tempo_scale: float, field: str = "count_in_bars"
) -> tuple[list[TimedClick], int]:
    """Return the clicks of a count-in, and its total length in nanoseconds.

    The count-in ends at `tick`, where the music starts. Times and length are at the written tempo, before
    `tempo_scale`. Raise MusicError (NEEDS_BEATS) for `field` if `bars` is not 0 and the music has no bars.
    """
    if not bars:
        return [], 0
    found = clock.metre_and_quarter(tick)
    if found is None:
        raise _needs_beats(field)
    metre, quarter = found
    offsets = _offsets(metre, quarter, tempo_scale)
    length = int(bars * metre.bar * quarter)
    click_length = length // (bars * len(offsets)) // 2
    begin = clock.ns(tick) - length
    clicks = []
    for bar in range(bars):
        for offset in offsets:
            clicks += _click(begin + int((bar * metre.bar + offset) * quarter), click_length, metre.strength(offset))
    return clicks, length


def metronome(clock: Clock, start: int, end: int, field: str = "metronome") -> Iterator[TimedClick]:
    """Yield clicks through the music from tick `start` up to tick `end`.

    Raise MusicError (NEEDS_BEATS) for `field` if the music has no bars.
    """
    bars, ppq = clock.bars, clock.ppq
    if bars is None or ppq is None:
        raise _needs_beats(field)
    number = bars.number_at(start)
    while (bar := bars.bar(number)).start < end:
        number += 1
        found = clock.metre_and_quarter(int(bar.start))
        assert found is not None
        for offset in _offsets(bar.metre, found[1], 1):
            tick = bar.start + offset * ppq
            if tick < bar.end and start <= tick < end:
                yield from _click(clock.ns(round(tick)), _METRONOME_CLICK_NS, bar.metre.strength(offset))


def _click(time: int, length: int, strength: int) -> list[TimedClick]:
    pitch = _HIGH_CLICK if strength == DOWNBEAT else _LOW_CLICK
    velocity = _OFFBEAT_VELOCITY if strength == OFFBEAT else _VELOCITY
    return [(time, bytes((_CLICK_STATUS, pitch, velocity))), (time + length, bytes((_CLICK_STATUS, pitch, 0)))]


def _needs_beats(field: str) -> MusicError:
    return MusicError(
        "NEEDS_BEATS",
        f"This file has no bars, so it has no clicks: it is timed by SMPTE frames. Leave '{field}' out.",
        field=field,
    )


def _offsets(metre: Metre, quarter: Fraction, tempo_scale: float) -> tuple[Fraction, ...]:
    """Return the positions of the clicks in a bar, in quarter notes from the bar line.

    `quarter` is the length of a quarter note in nanoseconds at the written tempo.
    """
    is_slow = metre.bar * quarter / len(metre.beats) > SLOW_BEAT_NS * Fraction(str(tempo_scale))
    return tuple(index * metre.unit for index in range(metre.numerator)) if is_slow else metre.beats
