"""Converts between ticks, nanoseconds and bars. The arithmetic is exact, so every form of a position gives one tick."""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction

from consort_music.bars import BarPosition
from consort_music.beats import format_decimal
from consort_music.errors import MusicError, quoted
from consort_music.metre import Metre
from consort_music.midi.measure_numbers import measure_numbers_of
from consort_music.midi.model import MidiFile, Track
from consort_music.midi.tempo_map import tempo_changes
from consort_music.performance.positions import Position

_SECOND = 1_000_000_000


class Clock:
    """The tempo map and the bars of one piece of music."""

    def __init__(self, file: MidiFile, tracks: Sequence[Track]) -> None:
        changes, _ = tempo_changes(tracks)
        per_second = file.smpte_ticks_per_second
        self._unit: Fraction
        """Nanoseconds per tick: with SMPTE time, or otherwise at a tempo of one microsecond per quarter note."""
        if per_second is not None:
            changes = [(0, 1)]  # SMPTE time does not depend on the tempo
            self._unit = Fraction(_SECOND) / per_second
        else:
            self._unit = Fraction(1000, file.division)
        self._ticks = [tick for tick, _ in changes]
        self._tempos = [tempo for _, tempo in changes]
        self._sums = [0]
        """For each tempo change: the sum of ticks times tempo up to it. `_unit` times this is its time."""
        for index in range(1, len(changes)):
            length = self._ticks[index] - self._ticks[index - 1]
            self._sums.append(self._sums[-1] + length * self._tempos[index - 1])
        self.ppq = file.ppq
        self.numbers = measure_numbers_of(tracks, file.ppq) if file.ppq else None
        """The printed numbers of the bars, or None with SMPTE time."""
        self.bars = self.numbers.bars if self.numbers else None
        """The bars in ticks, counted from 1, or None with SMPTE time."""

    def ns(self, tick: int) -> int:
        """Return the time of a tick, rounded to a nanosecond."""
        index = bisect_right(self._ticks, tick) - 1
        total = self._sums[index] + (tick - self._ticks[index]) * self._tempos[index]
        return _nearest(total * self._unit.numerator, self._unit.denominator)

    def tick(self, ns: Fraction | int) -> int:
        """Return the tick nearest to a time in nanoseconds."""
        total = ns / self._unit
        index = max(0, bisect_right(self._sums, total) - 1)
        exact = self._ticks[index] + Fraction(total - self._sums[index]) / self._tempos[index]
        return max(0, _nearest(exact.numerator, exact.denominator))

    def tick_of(self, position: Position, field: str) -> int:
        """Return the tick of a position.

        Raise MusicError if the music has no bars (NEEDS_BEATS), no such bar, or no such beat in it (INVALID_POSITION).
        """
        place = position.place
        if not isinstance(place, BarPosition):
            return self.tick(place)
        if self.numbers is None or self.ppq is None:
            raise MusicError(
                "NEEDS_BEATS",
                f"'{field}' is {quoted(position.text)}, but this file has no bars: it is timed by SMPTE frames. "
                'Give a time such as "5000 ms".',
                ["5000 ms", "12.5 s"],
                field,
            )
        number, beat = place
        bars, bar = self.numbers.bars, self.numbers.bar_of(number)
        if bar is None:
            first = self.numbers.number_of(1)
            raise MusicError(
                "INVALID_POSITION",
                f"'{field}' is {quoted(position.text)}, but the music has no bar {number}: it begins with bar {first}.",
                [f"{first}:1"],
                field,
            )
        metre = bars.metre_span_of(bar).metre
        last = len(metre.beats)
        if not 1 <= beat < last + 1:
            raise MusicError(
                "INVALID_POSITION",
                f"'{field}' is {quoted(position.text)}, but bar {number} is in {metre.name}: its beats are 1 to "
                f"{last}.",
                [f"{number}:1", f"{number}:{last}"],
                field,
            )
        exact = bars.start_of(bar) + metre.offset_of(beat) * self.ppq
        return _nearest(exact.numerator, exact.denominator)

    def bar_and_beat(self, tick: int) -> str | None:
        """Return bar and beat, or None if the music has no bars.

        Beats are counted from 1, and bars as they are printed: `9:2.5` is half a beat after beat 2 of bar 9.
        """
        if self.numbers is None:
            return None
        bar, beat = self.numbers.position_at(tick)
        return f"{bar}:{format_decimal(beat)}"

    def metre_and_quarter(self, tick: int) -> tuple[Metre, Fraction] | None:
        """Return the metre at a tick and the length of a quarter note there in nanoseconds, or None without bars."""
        if self.bars is None or self.ppq is None:
            return None
        tempo = self._tempos[bisect_right(self._ticks, tick) - 1]
        return self.bars.bar_at(tick).metre, self.ppq * tempo * self._unit


def _nearest(numerator: int, denominator: int) -> int:
    """Return the integer nearest to the fraction; halves are rounded up."""
    return (2 * numerator + denominator) // (2 * denominator)
