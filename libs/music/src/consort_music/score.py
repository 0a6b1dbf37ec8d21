"""A score: parts of notes in exact time, with the metres, keys, tempos and chord symbols above them.

Time is in quarter notes from the beginning, as Fractions. Rests are where no note is; notes that begin together are a
chord. A note is as long as it sounds: ties are made by whoever writes notation. The first bar may be short (a pickup);
it is measure 0, and full bars count from 1.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from consort_music.bars import Bar
from consort_music.chords.layout import ChordMark, ChordSpan, chord_spans
from consort_music.keys import Key
from consort_music.metre import COMMON_TIME, Metre
from consort_music.pitch import Pitch

DEFAULT_VELOCITY = 64


class Note(NamedTuple):
    start: Fraction
    duration: Fraction
    pitch: Pitch
    velocity: int = DEFAULT_VELOCITY

    @property
    def end(self) -> Fraction:
        return self.start + self.duration

    @property
    def midi(self) -> int:
        return self.pitch.midi


class Place(NamedTuple):
    """Where something is, as a musician says it: measure 3, beat 5/2."""

    measure: int
    beat: Fraction


@dataclass(frozen=True)
class Part:
    """One line or instrument. `notes` are in order of start, then from the lowest up."""

    name: str
    notes: tuple[Note, ...]
    instrument: str | None = None
    """A General MIDI name, where it matters."""

    @classmethod
    def of(cls, name: str, notes: Iterable[Note], instrument: str | None = None) -> "Part":
        return cls(name, tuple(sorted(notes, key=lambda note: (note.start, note.pitch.midi))), instrument)

    @cached_property
    def end(self) -> Fraction:
        return max((note.end for note in self.notes), default=Fraction(0))


@dataclass(frozen=True)
class Score:
    parts: tuple[Part, ...]
    metres: tuple[tuple[Fraction, Metre], ...] = ((Fraction(0), COMMON_TIME),)
    keys: tuple[tuple[Fraction, Key], ...] = ()
    tempos: tuple[tuple[Fraction, Fraction], ...] = ()
    """Quarter notes a minute."""
    chords: tuple[ChordMark, ...] = ()
    pickup: Fraction = Fraction(0)
    """The length of the short first bar; 0 where there is none."""
    title: str | None = None
    rest_to: Fraction = Fraction(0)
    """The score lasts at least this long, in rests if no note does."""
    fermatas: tuple[Fraction, ...] = ()
    """Where a fermata stands, in order: as it is written, over a note that begins there or is tied there."""
    is_spelled: bool = True
    """Whether somebody chose the names of the notes; those of a MIDI file are guessed from its key."""

    @cached_property
    def length(self) -> Fraction:
        return max([self.rest_to, *(part.end for part in self.parts)])

    @property
    def key(self) -> Key | None:
        """The key that it begins in, if one is known."""
        return self.keys[0][1] if self.keys else None

    @property
    def metre(self) -> Metre:
        return self.metres[0][1] if self.metres else COMMON_TIME

    @property
    def note_count(self) -> int:
        return sum(len(part.notes) for part in self.parts)

    @cached_property
    def bars(self) -> tuple[Bar, ...]:
        """Every bar up to the end, the last one whole."""
        return tuple(self._bars())

    def place(self, moment: Fraction) -> Place:
        """The measure and beat of a moment."""
        bar = self.bar_at(moment)
        return Place(bar.number, bar.metre.beat_number(moment - bar.start + bar.missing))

    def bar_at(self, moment: Fraction) -> Bar:
        bars = self.bars
        index = bisect_right(self._bar_starts, moment) - 1
        if index < 0 or moment < bars[-1].end:
            return bars[max(index, 0)]
        last = bars[-1]
        more = (moment - last.end) // last.metre.bar
        return Bar(last.number + 1 + more, last.end + more * last.metre.bar, last.metre.bar, last.metre)

    def strength(self, moment: Fraction) -> int:
        """How strong a moment is in its bar: see `consort_music.metre`."""
        known = self._strengths.get(moment)
        if known is None:
            bar = self.bar_at(moment)
            known = self._strengths[moment] = bar.metre.strength(moment - bar.start + bar.missing)
        return known

    def key_at(self, moment: Fraction) -> Key | None:
        found = None
        for start, key in self.keys:
            if start > moment and found is not None:
                break
            found = key
        return found

    @property
    def chord_spans(self) -> list[ChordSpan]:
        """How long each written chord holds, the last one to the end; symbols that cannot be read are left out."""
        return chord_spans(self.chords, max(self.length, self.bars[-1].end))

    def with_parts(self, parts: Iterable[Part]) -> "Score":
        return replace(self, parts=tuple(parts))

    @cached_property
    def _strengths(self) -> dict[Fraction, int]:
        """Those that were asked for: parts ask for the same moments again and again."""
        return {}

    @cached_property
    def _bar_starts(self) -> list[Fraction]:
        return [bar.start for bar in self.bars]

    def _bars(self) -> Iterator[Bar]:
        changes = dict(self.metres)
        metre = changes.get(Fraction(0), COMMON_TIME)
        at, number = Fraction(0), 1
        end = self.length
        if self.pickup:
            yield Bar(0, at, self.pickup, metre)
            at = self.pickup
        pending = sorted(moment for moment in changes if moment > 0)
        while at < end or number == 1:
            while pending and pending[0] <= at:
                metre = changes[pending.pop(0)]
            length = metre.bar
            if pending and pending[0] < at + length:  # a change inside of a bar cuts it short
                length = pending[0] - at
            yield Bar(number, at, length, metre)
            at += length
            number += 1


def seconds(tempos: Sequence[tuple[Fraction, Fraction]], end: Fraction) -> float:
    """How long music lasts up to a quarter, through its tempos: where each begins and its quarters a minute."""
    total = Fraction(0)
    for (start, bpm), until in zip(tempos, [*(start for start, _ in tempos[1:]), end], strict=True):
        total += max(min(until, end) - start, Fraction(0)) * 60 / bpm
    return float(total)
