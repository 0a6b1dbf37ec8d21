"""A melody on its beats, in whole numbers: what the model and the search work on.

Times are ticks, of which the score's smallest step makes the size; a beat is a beat of the metre (a dotted quarter in
6/8). A pickup's beats are counted from the bar line that follows it. Beats after the last note are left out.
"""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Literal, NamedTuple

from consort_music.metre import STRONG
from consort_music.score import Note, Score

ChordRhythm = Literal["per_measure", "per_beat", "per_half"]


class LineNote(NamedTuple):
    start: int
    end: int
    midi: int


class Beat(NamedTuple):
    start: int
    end: int
    place: int
    """Which beat of its bar, from 0."""
    beats_in_bar: int
    """How many beats the bar has."""
    bar: int
    """Bars are counted from 0; a pickup is bar 0."""
    strength: int
    """As in `consort_music.metre`."""


class Span(NamedTuple):
    """What one chord is for."""

    start: int
    end: int
    first: int
    last: int
    """Its beats: from the first up to, not including, the last."""


@dataclass(frozen=True)
class Line:
    notes: tuple[LineNote, ...]
    """One at a time, in order."""
    beats: tuple[Beat, ...]
    ticks: int
    """Ticks in a quarter note."""
    fermatas: tuple[int, ...] = ()
    """Where one stands."""

    @cached_property
    def _starts(self) -> list[int]:
        return [note.start for note in self.notes]

    @cached_property
    def _beat_starts(self) -> list[int]:
        return [beat.start for beat in self.beats]

    def at(self, moment: int) -> LineNote | None:
        """The note that sounds at a moment."""
        index = bisect_right(self._starts, moment) - 1
        return self.notes[index] if index >= 0 and self.notes[index].end > moment else None

    def beat_at(self, moment: int) -> Beat:
        """The beat that a moment is in; the last one for what comes after it."""
        index = bisect_right(self._beat_starts, moment) - 1
        return self.beats[max(index, 0)]

    def within(self, start: int, end: int) -> tuple[LineNote, ...]:
        """The notes that sound at some time from start to end."""
        first = bisect_right(self._starts, start) - 1
        first = max(first, 0)
        if first < len(self.notes) and self.notes[first].end <= start:
            first += 1
        last = first
        while last < len(self.notes) and self.notes[last].start < end:
            last += 1
        return self.notes[first:last]

    def moment(self, tick: int) -> Fraction:
        return Fraction(tick, self.ticks)

    def spans(self, rhythm: ChordRhythm) -> list[Span]:
        """Where chords are set: each bar, each beat, or each half of a bar, split at the beat nearest to its middle
        (3/4: two beats and one)."""
        starts = []
        for index, beat in enumerate(self.beats):
            begins = rhythm == "per_beat" or index == 0 or beat.bar != self.beats[index - 1].bar
            if begins or (rhythm == "per_half" and beat.place == (beat.beats_in_bar + 1) // 2):
                starts.append(index)
        ends = [*starts[1:], len(self.beats)]
        return [
            Span(self.beats[first].start, self.beats[last - 1].end, first, last)
            for first, last in zip(starts, ends, strict=True)
        ]

    def strong_notes(self, span: Span) -> list[LineNote]:
        """The notes that sound at the strong beats of a span, the first beat's first."""
        found = [self.at(beat.start) for beat in self.beats[span.first : span.last] if beat.strength >= STRONG]
        return list(dict.fromkeys(note for note in found if note is not None))


def melody_of(score: Score) -> list[Note]:
    """The melody: the highest notes of the first part that has notes, each ended by the next."""
    part = next((part for part in score.parts if part.notes), None)
    highest: dict[Fraction, Note] = {}
    for note in part.notes if part else ():
        if note.start not in highest or note.midi > highest[note.start].midi:
            highest[note.start] = note
    line = [highest[start] for start in sorted(highest)]
    following: list[Fraction | None] = [*(note.start for note in line[1:]), None]
    return [
        note if after is None or note.end <= after else note._replace(duration=after - note.start)
        for note, after in zip(line, following, strict=True)
    ]


def read_line(score: Score) -> Line:
    """The melody of a score on its beats; the score has at least one note."""
    melody = melody_of(score)
    end = max(note.end for note in melody)
    moments: list[tuple[Fraction, Fraction, int, int, int, int]] = []
    for index, bar in enumerate(score.bars):
        if bar.start >= end:
            break
        beats = bar.metre.beats
        for place, (offset, after) in enumerate(zip(beats, [*beats[1:], bar.metre.bar], strict=True)):
            start, stop = bar.start + offset - bar.missing, bar.start + after - bar.missing
            start, stop = max(start, bar.start), min(stop, bar.end)
            if start < stop and start < end:
                moments.append((start, stop, place, len(beats), index, bar.metre.strength(offset)))
    ticks = lcm(
        *(value.denominator for note in melody for value in (note.start, note.duration)),
        *(value.denominator for moment in moments for value in moment[:2]),
        *(moment.denominator for moment in score.fermatas),
    )
    return Line(
        notes=tuple(LineNote(int(note.start * ticks), int(note.end * ticks), note.midi) for note in melody),
        beats=tuple(Beat(int(start * ticks), int(stop * ticks), *rest) for start, stop, *rest in moments),
        ticks=ticks,
        fermatas=tuple(int(moment * ticks) for moment in score.fermatas),
    )
