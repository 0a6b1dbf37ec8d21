"""Convert bar numbers of a MIDI file to beats."""

from collections.abc import Collection
from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.midi.measure_numbers import measure_numbers_of
from consort_music.midi.model import MidiFile, Track
from consort_music.midi.tempo_map import last_tick


def window_of_bars(
    file: MidiFile, first: int, last: int, tracks: Collection[int] | None = None
) -> tuple[Fraction, Fraction]:
    """Return the start of bar `first` and the end of bar `last`, in beats. Bars have the numbers that are printed.

    A pickup comes with the first full bar. `tracks` are the chosen tracks of a type 2 file. Raise NEEDS_BEATS if the
    file is timed by SMPTE frames, and INVALID_BARS if the bars are not in order or `first` is after the end.
    """
    if file.ppq is None:
        message = "This file has no bars: it is timed by SMPTE frames. Leave 'first_bar' and 'last_bar' out."
        raise MusicError("NEEDS_BEATS", message, field="first_bar")
    if not 1 <= first <= last:
        message = f"'last_bar' is {last}, and must not be before 'first_bar', {first}. Bars count from 1."
        raise MusicError("INVALID_BARS", message, [f"last_bar: {first}"], "last_bar")
    timeline = timeline_of(file, tracks)
    numbers = measure_numbers_of(timeline, file.ppq)
    bars = numbers.bars
    final = bars.number_at(max(last_tick(timeline) - 1, 0))
    chosen = numbers.window(first, last)
    if chosen is None or chosen[0] > final:
        begin, end = max(numbers.number_of(1), 1), numbers.number_of(final)
        message = f"'first_bar' is {first}, and the piece ends in bar {end}. Give a bar from {begin} to {end}."
        if chosen is None:
            message = f"The piece has no bars from {first} to {last}: its bars are {begin} to {end}."
        raise MusicError("INVALID_BARS", message, [f"first_bar: {begin if first < begin else end}"], "first_bar")
    return bars.start_of(chosen[0]) / file.ppq, bars.start_of(chosen[1] + 1) / file.ppq


def timeline_of(file: MidiFile, tracks: Collection[int] | None) -> list[Track]:
    """Return the tracks whose time signatures define the bars: all, or in a type 2 file the longest of `tracks`."""
    if file.format != 2:
        return list(file.tracks)
    chosen = [file.tracks[index] for index in (range(len(file.tracks)) if tracks is None else sorted(tracks))]
    return [max(chosen, key=lambda track: last_tick([track]))] if chosen else []
