"""Which beats of a file a picture of some bars shows."""

from collections.abc import Collection
from fractions import Fraction

from consort_music.errors import MusicError
from consort_music.midi.model import MidiFile
from consort_music.midi.time_signatures import bars_of
from consort_music.midi.timing import last_tick
from consort_music.piano_roll.voices import timeline_of


def window_of_bars(
    file: MidiFile, first: int, last: int, tracks: Collection[int] | None = None
) -> tuple[Fraction, Fraction]:
    """Return the beats from the beginning of bar `first` to the end of bar `last`, for `draw_piano_roll`.

    `tracks` are those of a type 2 file that are drawn.
    """
    if file.ppq is None:
        told = "This file has no bars: it is timed by SMPTE frames. Leave 'first_bar' and 'last_bar' out."
        raise MusicError("NEEDS_BEATS", told, field="first_bar")
    if not 1 <= first <= last:
        told = f"'last_bar' is {last}, and must not be before 'first_bar', {first}. Bars count from 1."
        raise MusicError("INVALID_BARS", told, [f"last_bar: {first}"], "last_bar")
    timeline = timeline_of(file, tracks)
    bars = bars_of(timeline, file.ppq)
    end = bars.number_at(max(last_tick(timeline) - 1, 0))
    if first > end:
        told = f"'first_bar' is {first}, and the piece ends in bar {end}. Give a bar from 1 to {end}."
        raise MusicError("INVALID_BARS", told, [f"first_bar: {end}"], "first_bar")
    return bars.start_of(first) / file.ppq, bars.start_of(last + 1) / file.ppq
