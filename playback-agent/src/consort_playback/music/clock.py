"""Between ticks, nanoseconds and bars: exact integers, so that a place is the same place however it is named."""

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction

from consort_music.errors import MusicError, quoted
from consort_music.midi.model import MidiFile, Track
from consort_music.midi.time_signatures import bars_of
from consort_music.midi.timing import tempo_changes
from consort_playback.music.positions import Time, parse_position

_SECOND = 1_000_000_000
SLOW_BEAT_NS = 1_000_000_000


class Clock:
    """The time of one piece: its tempo map and its metres."""

    def __init__(self, file: MidiFile, tracks: Sequence[Track]) -> None:
        changes, _ = tempo_changes(tracks)
        per_second = file.smpte_ticks_per_second
        if per_second is not None:
            changes = [(0, 1)]  # tempo has no say
            self._per_unit = Fraction(_SECOND) / per_second
        else:
            self._per_unit = Fraction(1000, file.division)  # nanoseconds in a tick at a microsecond a quarter note
        self._ticks = [tick for tick, _ in changes]
        self._tempos = [tempo for _, tempo in changes]
        self._sums = [0]
        """Up to each change: ticks times tempo, without rounding."""
        for index in range(1, len(changes)):
            length = self._ticks[index] - self._ticks[index - 1]
            self._sums.append(self._sums[-1] + length * self._tempos[index - 1])
        self.ppq = file.ppq
        self._bars = bars_of(tracks, file.ppq) if file.ppq else None

    def ns(self, tick: int) -> int:
        """When a tick is, to the nearest nanosecond."""
        index = bisect_right(self._ticks, tick) - 1
        total = self._sums[index] + (tick - self._ticks[index]) * self._tempos[index]
        return _nearest(total * self._per_unit.numerator, self._per_unit.denominator)

    def tick(self, ns: Fraction | int) -> int:
        """The tick nearest to a time."""
        total = ns / self._per_unit
        index = max(0, bisect_right(self._sums, total) - 1)
        exact = self._ticks[index] + Fraction(total - self._sums[index]) / self._tempos[index]
        return max(0, _nearest(exact.numerator, exact.denominator))

    def tick_of(self, position: str, field: str) -> int:
        """The tick of a position as `parse_position` reads it."""
        place = parse_position(position, field)
        if isinstance(place, Time):
            return self.tick(place.ns)
        if self._bars is None or self.ppq is None:
            raise MusicError(
                "NEEDS_BEATS",
                f"'{field}' is {quoted(position)}, and this file has no bars: it is timed by SMPTE frames. "
                'Give a time such as "5000 ms".',
                ["5000 ms", "12.5 s"],
                field,
            )
        bar, beat = place
        metre = self._bars.stretch_of(bar).metre
        last = len(metre.beats)
        if not 1 <= beat < last + 1:
            raise MusicError(
                "INVALID_POSITION",
                f"'{field}' is {quoted(position)}, and bar {bar} is in {metre.name}: its beats are 1 to {last}.",
                [f"{bar}:1", f"{bar}:{last}"],
                field,
            )
        exact = self._bars.start_of(bar) + metre.offset_of(beat) * self.ppq
        return _nearest(exact.numerator, exact.denominator)

    def bar_and_beat(self, tick: int) -> str | None:
        """As musicians count: `9:2.5` is half a beat after the second beat of bar 9."""
        if self._bars is None or self.ppq is None:
            return None
        bar, beat = self._bars.place(tick)
        return f"{bar}:{_short(beat)}"

    def clicks_before(self, tick: int, bars: int, tempo_scale: Fraction) -> tuple[list[tuple[int, int]], int]:
        """Clicks for a count-in: the time of each in nanoseconds and how strong it is in its bar; the whole time.

        One for each beat, so two in 6/8; but where such a beat is slow, players count the units of the time signature,
        six in 6/8. The tempo and the metre are those at the tick.
        """
        if self._bars is None or self.ppq is None:
            raise MusicError(
                "NEEDS_BEATS",
                "This file has no bars to count in: it is timed by SMPTE frames. Leave 'count_in_bars' out.",
            )
        tempo = self._tempos[bisect_right(self._ticks, tick) - 1]
        metre = self._bars.bar_at(tick).metre
        quarter = self.ppq * tempo * self._per_unit
        offsets = metre.beats
        if metre.bar * quarter / len(offsets) > SLOW_BEAT_NS * tempo_scale:
            offsets = tuple(index * metre.unit for index in range(metre.numerator))
        clicks = [
            (int((bar * metre.bar + offset) * quarter), metre.strength(offset))
            for bar in range(bars)
            for offset in offsets
        ]
        return clicks, int(bars * metre.bar * quarter)


def _nearest(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def _short(value: Fraction) -> str:
    """To a millionth: so every tick has its own text, whatever the file's division."""
    return f"{float(value):.6f}".rstrip("0").rstrip(".")
