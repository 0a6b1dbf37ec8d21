"""A score: parts with notes, and the metres, keys, tempos and chord symbols that all parts share.

Times are in quarter notes from the beginning, as Fractions. A rest is where there is no note; notes that start together
are a chord. A note has its full sounding length: the writers of notation split it into tied notes. The first bar may
be short (a pickup); it is measure 0. Full bars are numbered from 1. If the source prints other numbers, `position_at`
returns those.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from consort_music.bars import Bar, BarPosition, Bars
from consort_music.chords.timed_chords import ChordMark, ChordSpan, chord_spans
from consort_music.keys import Key
from consort_music.metre import COMMON_TIME, Metre
from consort_music.pitch import Pitch
from consort_music.printed_measures import PrintedMeasure, printed_position

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
class Lyric:
    """A syllable of one verse. `syllabic` is single, begin, middle or end, as in MusicXML."""

    text: str
    syllabic: str = "single"
    verse: int = 1


TimedLyrics = tuple[tuple[Fraction, Lyric], ...]
"""Pairs of the start of a note and a syllable under it, sorted by start and verse."""


@dataclass(frozen=True)
class Part:
    """One voice or instrument. `notes` are sorted by start, then by pitch."""

    name: str
    notes: tuple[Note, ...]
    instrument: str | None = None
    """A General MIDI name, if known."""
    lyrics: TimedLyrics = ()

    @classmethod
    def of(cls, name: str, notes: Iterable[Note], instrument: str | None = None, lyrics: TimedLyrics = ()) -> "Part":
        return cls(name, tuple(sorted(notes, key=lambda note: (note.start, note.pitch.midi))), instrument, lyrics)

    @cached_property
    def end(self) -> Fraction:
        return max((note.end for note in self.notes), default=Fraction(0))


@dataclass(frozen=True)
class Score:
    parts: tuple[Part, ...]
    metres: tuple[tuple[Fraction, Metre], ...] = ((Fraction(0), COMMON_TIME),)
    keys: tuple[tuple[Fraction, Key], ...] = ()
    tempos: tuple[tuple[Fraction, Fraction], ...] = ()
    """Pairs of a start and quarter notes per minute, sorted by start."""
    chords: tuple[ChordMark, ...] = ()
    pickup: Fraction = Fraction(0)
    """The length of the short first bar; 0 if there is none."""
    title: str | None = None
    rest_to: Fraction = Fraction(0)
    """The score lasts at least this long, with rests after the last note."""
    fermatas: tuple[Fraction, ...] = ()
    """Times of the fermatas, sorted. At each of them a note starts or a tied note is written."""
    is_spelled: bool = True
    """False if the note names were guessed from the key, as for a MIDI file, which has only note numbers."""
    printed_measures: tuple[PrintedMeasure, ...] = ()
    """All measures as printed, sorted by start; empty if they are numbered as in `bars`."""

    @cached_property
    def length(self) -> Fraction:
        return max([self.rest_to, *(part.end for part in self.parts)])

    @property
    def key(self) -> Key | None:
        """The key at the beginning, or None if it is unknown."""
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
        """All bars up to the end of the music. The last bar is a full one."""
        return tuple(self.bar_lines.until(self.length))

    def position_at(self, moment: Fraction) -> BarPosition:
        """Return the measure and beat at a moment, as printed."""
        return printed_position(self.printed_measures, self.bar_lines, moment)

    def bar_at(self, moment: Fraction) -> Bar:
        return self.bar_lines.bar_at(moment)

    def strength(self, moment: Fraction) -> int:
        """Return the metrical strength of a moment: DOWNBEAT, STRONG, BEAT or OFFBEAT of `consort_music.metre`."""
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
        """The chords with start and end. The last one lasts to the end of the score. Unreadable ones are left out."""
        return chord_spans(self.chords, max(self.length, self.bars[-1].end))

    def with_parts(self, parts: Iterable[Part]) -> "Score":
        return replace(self, parts=tuple(parts))

    @cached_property
    def _strengths(self) -> dict[Fraction, int]:
        """A cache of `strength`, because the parts of a score have many moments in common."""
        return {}


def seconds(tempos: Sequence[tuple[Fraction, Fraction]], end: Fraction) -> float:
    """Return the seconds up to `end` (in quarter notes). `tempos` are pairs of a start and quarter notes per minute."""
    total = Fraction(0)
    for (start, bpm), until in zip(tempos, [*(start for start, _ in tempos[1:]), end], strict=True):
        total += max(min(until, end) - start, Fraction(0)) * 60 / bpm
    return float(total)
