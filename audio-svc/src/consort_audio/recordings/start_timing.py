"""Find the tempo and the metre at which music begins, for the clicks of a recording."""

from typing import NamedTuple

from consort_music.errors import MusicError
from consort_music.metre import COMMON_TIME, parse_metre
from consort_music.midi.bar_window import timeline_of
from consort_music.midi.measure_numbers import measure_numbers_of
from consort_music.midi.reader import ReaderLimits, read_midi
from consort_music.midi.tempo_map import MICROSECONDS_A_MINUTE, tempo_changes
from consort_music.midi.time_signatures import metres_of


class StartTiming(NamedTuple):
    tempo: float
    """Quarter notes per minute."""
    time_signature: str


def find_start_timing(content: bytes, max_bytes: int, first_bar: int) -> StartTiming | None:
    """Return the tempo and metre of a MIDI file at the start of a bar.

    Return None if the file cannot be read, has no bars, or has a metre that only files can have.
    """
    try:
        file = read_midi(content, ReaderLimits(max_bytes=max_bytes))
        if file.ppq is None:
            return None
        tracks = timeline_of(file, None)
        metres = metres_of(tracks)
        numbers = measure_numbers_of(tracks, file.ppq)
        chosen = numbers.window(first_bar, first_bar)
        start = numbers.bars.start_of(chosen[0] if chosen else first_bar)
        tempo = [tempo for tick, tempo in tempo_changes(tracks)[0] if tick <= start][-1]
        metre = [COMMON_TIME, *(metre for tick, metre in metres if tick <= start)][-1]
        return StartTiming(round(MICROSECONDS_A_MINUTE / tempo, 2), parse_metre(metre.name).name)
    except MusicError:
        return None
