"""A score: parts of notes in exact time, with the metres, keys, tempos and chord symbols above them.

Time is in quarter notes from the beginning, as Fractions. Rests are where no note is; notes that begin together are a
chord. A note is as long as it sounds: ties are made by whoever writes notation. The first bar may be short (a pickup);
it is measure 0, and full bars count from 1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from consort_music.bars import Bar, Bars, Place
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
    def bar_lines(self) -> Bars:
        return Bars(self.metres, pickup=self.pickup)

    @cached_property
    def bars(self) -> tuple[Bar, ...]:
        """Every bar up to the end, the last one whole."""
        return tuple(self.bar_lines.until(self.length))

    def place(self, moment: Fraction) -> Place:
        """The measure and beat of a moment."""
        return self.bar_lines.place(moment)

    def bar_at(self, moment: Fraction) -> Bar:
        return self.bar_lines.bar_at(moment)

    def strength(self, moment: Fraction) -> int:
        """How strong a moment is in its bar: see `consort_music.metre`."""
        known = self._strengths.get(moment)
        if known is None:
            known = self._strengths[moment] = self.bar_lines.strength(moment)
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


def seconds(tempos: Sequence[tuple[Fraction, Fraction]], end: Fraction) -> float:
    """How long music lasts up to a quarter, through its tempos: where each begins and its quarters a minute."""
    total = Fraction(0)
    for (start, bpm), until in zip(tempos, [*(start for start, _ in tempos[1:]), end], strict=True):
        total += max(min(until, end) - start, Fraction(0)) * 60 / bpm
    return float(total)
