"""Conversion between ticks and positions in bars or time."""

import mido
import pytest

from consort_music.errors import MusicError
from consort_music.performance.clock import Clock
from consort_music.performance.compiled_music import compile_midi
from consort_music.performance.positions import parse_position
from tests.support.midi_files import midi_bytes

NOTES = [mido.Message("note_on", note=60), mido.Message("note_off", note=60, time=1920)]


def clock_of(*messages: mido.Message, ppq: int = 480) -> Clock:
    return compile_midi(midi_bytes(list(messages), ppq=ppq), 10**7).clock


def tick_of(clock: Clock, text: str) -> int:
    return clock.tick_of(parse_position(text, "seek"), "seek")


@pytest.mark.parametrize(
    ("position", "tick"),
    [("1:1", 0), ("2:1", 1920), ("2:3", 2880), ("2:2.5", 2640), ("2:1+1/3", 2080), ("3:1", 3840), ("3:3", 4320),
     ("4:1", 4560), ("0 ms", 0), ("500 ms", 480), ("500.5 ms", 480), ("4.5 s", 4320), ("bar 4", 4560)],
)  # fmt: skip
def test_positions(position: str, tick: int) -> None:
    """The music is in 4/4, and in 3/8 from bar 3 on."""
    change = mido.MetaMessage("time_signature", numerator=3, denominator=8, time=3840)
    clock = clock_of(change, mido.Message("note_on", time=9600))
    assert tick_of(clock, position) == tick


@pytest.mark.parametrize(("tick", "position"), [(0, "1:1"), (1920, "2:1"), (2640, "2:2.5"), (4320, "3:3")])
def test_bar_and_beat_of_a_tick(tick: int, position: str) -> None:
    change = mido.MetaMessage("time_signature", numerator=3, denominator=8, time=3840)
    assert clock_of(change, mido.Message("note_on", time=9600)).bar_and_beat(tick) == position


@pytest.mark.parametrize(
    ("numerator", "denominator", "beats"),
    [(6, 8, [0, 720]), (12, 8, [0, 720, 1440, 2160]), (7, 8, [0, 480, 960]), (5, 4, [0, 480, 960, 1440, 1920]),
     (2, 2, [0, 960]), (3, 8, [0, 240, 480])],
)  # fmt: skip
@pytest.mark.parametrize("ppq", [480, 32_640])
def test_beats_are_those_that_musicians_count(numerator: int, denominator: int, beats: list[int], ppq: int) -> None:
    """Compound and irregular metres have the beats that `check_song` counts. Positions convert back to their ticks."""
    metre = mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator)
    clock = clock_of(metre, mido.Message("note_on", time=99 * ppq), ppq=ppq)
    bar = 4 * ppq * numerator // denominator
    for beat, tick in enumerate((tick * ppq // 480 for tick in beats), 1):
        assert tick_of(clock, f"3:{beat}") == 2 * bar + tick
        assert clock.bar_and_beat(2 * bar + tick) == f"3:{beat}"
    with pytest.raises(MusicError, match=f"{numerator}/{denominator}: its beats are 1 to {len(beats)}"):
        tick_of(clock, f"3:{len(beats) + 1}")
    for tick in (*range(0, bar, bar // 300 | 1), bar - 1, bar):
        assert tick_of(clock, str(clock.bar_and_beat(tick))) == tick


def test_a_fraction_is_a_part_of_its_own_beat() -> None:
    """In 7/8 the last of the three beats is longer than the others."""
    metre = mido.MetaMessage("time_signature", numerator=7, denominator=8)
    clock = clock_of(metre, mido.Message("note_on", time=9600))
    assert [tick_of(clock, each) for each in ("1:1.5", "1:3.5", "2:3+1/3")] == [240, 1320, 2880]


@pytest.mark.parametrize("position", ["", "0:1", "1:0", "1:5", "1:", ":1", "one", "-1", "1e3", "1:1:1", "9" * 99])
def test_a_text_that_is_not_a_position_is_rejected(position: str) -> None:
    with pytest.raises(MusicError):
        tick_of(clock_of(*NOTES), position)
