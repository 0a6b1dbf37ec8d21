"""Stretches of the music that an operation is about: given in bars, beats or milliseconds, found in ticks."""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from consort_midi_store.transforms.models import Range
from consort_midi_store.transforms.rhythm import ppq_of
from consort_music.beats import parse_beats, to_ticks
from consort_music.errors import MusicError
from consort_music.midi.model import MidiFile, Track
from consort_music.midi.time_signatures import bars_of
from consort_music.midi.timing import elapsed_ms, last_tick, tempo_changes
from consort_music.quantize import exact, half_up

Stretch = tuple[Sequence[Track], int, int | None]
"""Tracks that sound together, from which tick, and to which (None: to the end)."""


def ranges_of(file: MidiFile, operation: Range) -> list[Stretch]:
    """The stretch of each piece in the file: a type 2 file has several. Raises EMPTY_RANGE if all end before it."""
    if operation.by_bars or operation.unit == "beats":
        ppq_of(file, f"{'bars' if operation.by_bars else 'beats'}")
    together = [[track] for track in file.tracks] if file.format == 2 else [file.tracks]
    found: list[Stretch] = []
    for tracks in together:
        start, end = _in_bars(file, operation, tracks) if operation.by_bars else _in_time(file, operation, tracks)
        found.append((tracks, start, end))
    if all(start and start >= last_tick(tracks) for tracks, start, _ in found):
        raise _behind_the_end(file, operation, found[0][0])
    return found


def _in_bars(file: MidiFile, operation: Range, tracks: Sequence[Track]) -> tuple[int, int | None]:
    bars = bars_of(tracks, file.division)
    end = None if operation.last_bar is None else half_up(bars.start_of(operation.last_bar + 1))
    return half_up(bars.start_of(operation.first_bar or 1)), end


def _in_time(file: MidiFile, operation: Range, tracks: Sequence[Track]) -> tuple[int, int | None]:
    def tick(value: float) -> int:
        if operation.unit == "beats":
            return to_ticks(parse_beats(value), file.division)
        return half_up(_tick_at(file, tempo_changes(tracks)[0], exact(value)))

    start = tick(operation.start)
    return start, None if operation.end is None else max(tick(operation.end), start + 1)


def _tick_at(file: MidiFile, tempos: Sequence[tuple[int, int]], ms: Fraction) -> Fraction:
    """The tick, not rounded, that sounds after so many milliseconds."""
    if file.smpte_ticks_per_second is not None:
        return ms * file.smpte_ticks_per_second / 1000
    begins = [0]  # when each tempo begins, in microseconds times ticks per beat, which are whole numbers
    for (start, tempo), (stop, _) in pairwise(tempos):
        begins.append(begins[-1] + (stop - start) * tempo)
    time = ms * file.division * 1000
    place = bisect_right(begins, time) - 1
    tick, tempo = tempos[place]
    return tick + (time - begins[place]) / tempo


def _behind_the_end(file: MidiFile, operation: Range, tracks: Sequence[Track]) -> MusicError:
    end = last_tick(tracks)
    if operation.by_bars:
        last = bars_of(tracks, file.division).number_at(max(end - 1, 0))
        told = f"The music ends in bar {last}; there is nothing from bar {operation.first_bar} on."
        return MusicError("EMPTY_RANGE", told, [f"first_bar: {last}"], "first_bar")
    length = (
        f"{float(Fraction(end, file.division)):g} beats"
        if operation.unit == "beats"
        else f"{elapsed_ms(file, tempo_changes(tracks)[0], end)} ms"
    )
    told = f"The music ends at {length}; there is nothing from {operation.start:g} on."
    return MusicError("EMPTY_RANGE", told, [length], "start")
