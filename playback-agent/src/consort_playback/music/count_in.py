"""The clicks of a count-in: one per beat, in the tempo and metre at the position where playback starts.

A beat is the same unit as in positions such as 9:1, so a 6/8 bar has two. If a beat is longer than one second, there is
a click for each unit of the time signature instead (six in 6/8).
"""

from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.metre import DOWNBEAT, OFFBEAT, Metre
from consort_playback.music.clock import Clock

SLOW_BEAT_NS = 1_000_000_000
_CLICK_STATUS = 0x99
_VELOCITY, _OFFBEAT_VELOCITY = 100, 60
_HIGH_CLICK, _LOW_CLICK = 76, 77  # wood blocks of the General MIDI drum kit


def count_in(clock: Clock, tick: int, bars: int, tempo_scale: float) -> tuple[list[tuple[int, bytes]], int]:
    """Return the click messages as (time, bytes), and the total length of the count-in.

    The count-in ends at `tick`, where the music starts. Times and length are in nanoseconds at the written tempo,
    before `tempo_scale`. Raise MusicError (NEEDS_BEATS) if `bars` is not 0 and the music has no bars.
    """
    if not bars:
        return [], 0
    found = clock.metre_and_quarter(tick)
    if found is None:
        raise MusicError(
            "NEEDS_BEATS",
            "This file has no bars to count in: it is timed by SMPTE frames. Leave 'count_in_bars' out.",
            field="count_in_bars",
        )
    metre, quarter = found
    offsets = _offsets(metre, quarter, tempo_scale)
    length = int(bars * metre.bar * quarter)
    click_length = length // (bars * len(offsets)) // 2
    begin = clock.ns(tick) - length
    messages = []
    for bar in range(bars):
        for offset in offsets:
            time = begin + int((bar * metre.bar + offset) * quarter)
            strength = metre.strength(offset)
            pitch = _HIGH_CLICK if strength == DOWNBEAT else _LOW_CLICK
            velocity = _OFFBEAT_VELOCITY if strength == OFFBEAT else _VELOCITY
            messages.append((time, bytes((_CLICK_STATUS, pitch, velocity))))
            messages.append((time + click_length, bytes((_CLICK_STATUS, pitch, 0))))
    return messages, length


def _offsets(metre: Metre, quarter: Fraction, tempo_scale: float) -> tuple[Fraction, ...]:
    """Return the positions of the clicks in a bar, in quarter notes from the bar line.

    `quarter` is the length of a quarter note in nanoseconds at the written tempo.
    """
    is_slow = metre.bar * quarter / len(metre.beats) > SLOW_BEAT_NS * Fraction(str(tempo_scale))
    return tuple(index * metre.unit for index in range(metre.numerator)) if is_slow else metre.beats
