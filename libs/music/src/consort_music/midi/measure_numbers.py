"""The measure numbers that are printed in music, in a MIDI file, which counts its bars from 1.

The studio writes them into the files that it makes of scores, as sequencer-specific events (with the manufacturer id
7D, which needs no registration):

    FF 7F … 7D "measure NUMBER MISSING"

Such an event stands at the start of a bar whose number does not follow from the bar before it. `MISSING` is how many
quarter notes of the measure come before the bar: in a pickup, and in the second part of a split measure, which has the
number of the first part. Other programs ignore these events.
"""

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

from consort_music.bars import BarPosition, Bars, ExactTime
from consort_music.metre import Metre
from consort_music.midi.model import META, Event, Track
from consort_music.midi.time_signatures import bars_of

_SEQUENCER_SPECIFIC = 0x7F
_HEAD = bytes((_SEQUENCER_SPECIFIC, 0x7D)) + b"measure "
_TEXT = re.compile(rb"([0-9]{1,6}) ([0-9]{1,4}(?:/[0-9]{1,4})?)")


class NumberedBar(NamedTuple):
    """A bar whose number does not follow from the bar before it."""

    bar: int
    """The bar, counted from 1."""
    number: int
    missing: Fraction = Fraction(0)


class MeasureNumbers:
    """Converts between bars counted from 1, printed measure numbers and ticks."""

    def __init__(self, bars: Bars, ppq: int, changes: Iterable[NumberedBar] = ()) -> None:
        self.bars = bars
        self._ppq = ppq
        found = sorted({change.bar: change for change in changes}.values())
        if not found or found[0].bar > 1:
            found.insert(0, NumberedBar(1, 1))
        self._changes = found

    @property
    def are_counted(self) -> bool:
        """Whether all bars are simply counted from 1."""
        return self._changes == [NumberedBar(1, 1)]

    def number_of(self, bar: int) -> int:
        """Return the printed number of a bar."""
        change = self._change_at(bar)
        return change.number + bar - change.bar

    def missing_before(self, bar: int) -> Fraction:
        """Return how many quarter notes of the measure come before a bar."""
        change = self._change_at(bar)
        return change.missing if change.bar == bar else Fraction(0)

    def position_at(self, tick: ExactTime) -> BarPosition:
        """Return the printed measure and the beat at a tick."""
        bar = self.bars.number_at(tick)
        missing = self.missing_before(bar)
        if not missing:
            return BarPosition(self.number_of(bar), self.bars.position_at(tick).beat)
        since = Fraction(tick - self.bars.start_of(bar)) / self._ppq
        return BarPosition(self.number_of(bar), self.metre_of(bar).beat_number(since + missing))

    def metre_of(self, bar: int) -> Metre:
        """Return the metre of a bar. That of a pickup is the metre of the bar after it."""
        metre = self.bars.metre_span_of(bar).metre
        after = self.bars.metre_span_of(bar + 1).metre
        return after if metre.bar + self.missing_before(bar) == after.bar else metre

    def bar_of(self, number: int) -> int | None:
        """Return the first bar with a printed number, or None if there is none."""
        found = self.window(number, number)
        return found[0] if found else None

    def window(self, first: int, last: int) -> tuple[int, int] | None:
        """Return the first and the last bar with printed numbers from `first` to `last`, or None if there is none.

        A pickup comes with the first full bar. The music may end before the last bar.
        """
        ranges: list[tuple[int, int]] = []
        for change, after in zip_longest(self._changes, self._changes[1:]):
            begin = change.bar + max(first - change.number, 0)
            end = change.bar + last - change.number
            if after is not None:
                end = min(end, after.bar - 1)
            if begin <= end:
                ranges.append((begin, end))
        if not ranges:
            return None
        begin = min(start for start, _ in ranges)
        if begin == 2 and self._changes[0].missing:
            begin = 1
        return begin, max(end for _, end in ranges)

    def _change_at(self, bar: int) -> NumberedBar:
        return next((change for change in reversed(self._changes) if change.bar <= bar), self._changes[0])


def measure_numbers_of(tracks: Sequence[Track], ppq: int) -> MeasureNumbers:
    """Return the measure numbers of tracks that play together. Events that do not stand at a bar line are ignored."""
    bars = bars_of(tracks, ppq)
    changes = []
    for track in tracks:
        for tick, status, data in track:
            if status == META and data.startswith(_HEAD) and (text := _TEXT.fullmatch(data[len(_HEAD) :])):
                bar = bars.number_at(tick)
                if bars.start_of(bar) == tick and not text[2].endswith(b"/0"):
                    changes.append(NumberedBar(bar, int(text[1]), Fraction(text[2].decode())))
    return MeasureNumbers(bars, ppq, changes)


def measure_number_event(tick: int, number: int, missing: Fraction) -> Event:
    """Return the event that gives the measure at a tick its number."""
    return tick, META, _HEAD + f"{number} {missing}".encode()


def without_measure_numbers(tracks: Iterable[Track]) -> list[Track]:
    """Return the tracks without these events, for changes that move bar lines. A track without them is not copied."""
    return [
        [event for event in track if not _is_number(event)] if any(map(_is_number, track)) else track
        for track in tracks
    ]


def _is_number(event: Event) -> bool:
    return event[1] == META and event[2].startswith(_HEAD)
