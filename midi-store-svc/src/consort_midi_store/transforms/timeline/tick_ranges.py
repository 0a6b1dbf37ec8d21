"""Convert a range that is given in bars, beats or milliseconds to ticks."""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from consort_midi_store.transforms.operation_parameters import TimeRange
from consort_midi_store.transforms.timeline.beats import require_ppq
from consort_music.beats import exact_fraction, format_beats, parse_beats, round_half_up, to_ticks
from consort_music.errors import MusicError
from consort_music.midi.measure_numbers import measure_numbers_of
from consort_music.midi.model import MidiFile, Track
from consort_music.midi.tempo_map import elapsed_ms, last_tick, tempo_changes

_WHOLE_PIECE = 10**6
TickRange: TypeAlias = tuple[Sequence[Track], int, int | None]
"""Tracks that sound together, the first tick of the range, and the tick after its last (None: to the end)."""


def find_ranges(file: MidiFile, range_: TimeRange) -> list[TickRange]:
    """Return the range in each piece of the file. Each track of a type 2 file is a piece.

    Raise MusicError (EMPTY_RANGE) if all pieces end before the range.
    """
    if range_.is_in_bars or range_.unit == "beats":
        require_ppq(file, f"a range in {'bars' if range_.is_in_bars else 'beats'}")
    pieces = [[track] for track in file.tracks] if file.format == 2 else [file.tracks]
    found: list[TickRange] = []
    for tracks in pieces:
        start, end = _from_bars(file, range_, tracks) if range_.is_in_bars else _from_time(file, range_, tracks)
        found.append((tracks, start, end))
    if all(start and start >= last_tick(tracks) for tracks, start, _ in found):
        raise _after_the_end(file, range_, found[0][0])
    return found


def _from_bars(file: MidiFile, range_: TimeRange, tracks: Sequence[Track]) -> tuple[int, int | None]:
    numbers = measure_numbers_of(tracks, file.division)
    first = range_.first_bar or 1
    chosen = numbers.window(first, _WHOLE_PIECE if range_.last_bar is None else range_.last_bar)
    if chosen is None:
        begin = numbers.number_of(1)
        message = f"There are no bars from {first} to {range_.last_bar}: the music begins with bar {begin}."
        raise MusicError("EMPTY_RANGE", message, [f"first_bar: {begin}"], "first_bar")
    end = None if range_.last_bar is None else round_half_up(numbers.bars.start_of(chosen[1] + 1))
    return round_half_up(numbers.bars.start_of(chosen[0])), end


def _from_time(file: MidiFile, range_: TimeRange, tracks: Sequence[Track]) -> tuple[int, int | None]:
    def tick(value: float) -> int:
        if range_.unit == "beats":
            return to_ticks(parse_beats(value), file.division)
        return round_half_up(_tick_at(file, tempo_changes(tracks)[0], exact_fraction(value)))

    start = tick(range_.start)
    return start, None if range_.end is None else max(tick(range_.end), start + 1)


def _tick_at(file: MidiFile, tempos: Sequence[tuple[int, int]], ms: Fraction) -> Fraction:
    """Return the exact tick after this many milliseconds."""
    if file.smpte_ticks_per_second is not None:
        return ms * file.smpte_ticks_per_second / 1000
    begins = [0]  # the time at which each tempo begins, in microseconds times ticks per beat, so that it is an integer
    for (start, tempo), (stop, _) in pairwise(tempos):
        begins.append(begins[-1] + (stop - start) * tempo)
    time = ms * file.division * 1000
    place = bisect_right(begins, time) - 1
    tick, tempo = tempos[place]
    return tick + (time - begins[place]) / tempo


def _after_the_end(file: MidiFile, range_: TimeRange, tracks: Sequence[Track]) -> MusicError:
    end = last_tick(tracks)
    if range_.is_in_bars:
        numbers = measure_numbers_of(tracks, file.division)
        last = numbers.number_of(numbers.bars.number_at(max(end - 1, 0)))
        message = f"The music ends in bar {last}, so there is nothing from bar {range_.first_bar} on."
        return MusicError("EMPTY_RANGE", message, [f"first_bar: {last}"], "first_bar")
    length = (
        f"{format_beats(Fraction(end, file.division))} beats"
        if range_.unit == "beats"
        else f"{elapsed_ms(file, tempo_changes(tracks)[0], end)} ms"
    )
    message = f"The music ends at {length}, so there is nothing from {range_.start:g} on."
    return MusicError("EMPTY_RANGE", message, [length], "start")
