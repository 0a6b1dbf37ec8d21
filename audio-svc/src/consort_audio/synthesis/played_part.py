"""Find the part of the music that a render plays, and when. Pictures of rendered sound use it too."""

from typing import NamedTuple

from consort_music.midi.bar_window import window_of_bars
from consort_music.midi.model import MidiFile
from consort_music.performance.clicks import TimedClick, count_in
from consort_music.performance.compiled_music import CompiledMusic


class PlayedPart(NamedTuple):
    start: int
    end: int
    """The first tick after the part."""
    begin: int
    """The time of the music at which the sound begins, with the count-in, in nanoseconds. It may be negative."""
    clicks: list[TimedClick]
    """The clicks of the count-in."""


def played_part(
    file: MidiFile, music: CompiledMusic, first_bar: int | None, last_bar: int | None, count_in_bars: int
) -> PlayedPart:
    """Return the part of music from `first_bar` to `last_bar`, by default all of it, after a count-in.

    Raise MusicError if the music has no such bars.
    """
    start, end = 0, music.end_tick
    if first_bar is not None or last_bar is not None:
        first = first_bar or 1
        from_beat, to_beat = window_of_bars(file, first, first if last_bar is None else last_bar)
        assert file.ppq is not None
        start = round(from_beat * file.ppq)
        end = end if last_bar is None else min(round(to_beat * file.ppq), end)
    clicks, lead = count_in(music.clock, start, count_in_bars, 1, "count_in")
    return PlayedPart(start, end, music.clock.ns(start) - lead, clicks)
