"""A melody with the beats of its bars, in integer ticks. It is the input of the chord model and of the search.

The ticks per quarter note are chosen so that all times are integers. A beat is a beat of the metre (a dotted quarter in
6/8). A pickup has the last beats of a full bar. Beats after the last note are left out.
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


class GridNote(NamedTuple):
    start: int
    end: int
    midi: int


class GridBeat(NamedTuple):
    start: int
    end: int
    place: int
    """Index of the beat in its bar."""
    beats_in_bar: int
    bar: int
    """Index of the bar. A pickup is bar 0; without a pickup, the first full bar is."""
    strength: int
    """The metrical strength, as in `consort_music.metre`."""


class ChordSlot(NamedTuple):
    """The time of one chord. `start` and `end` are ticks."""

    start: int
    end: int
    first: int
    """Index of the first beat."""
    last: int
    """Index of the last beat plus 1."""


@dataclass(frozen=True)
class MelodyGrid:
    """A melody and the beats under it."""

    notes: tuple[GridNote, ...]
    """In order, without overlaps."""
    beats: tuple[GridBeat, ...]
    ticks: int
    """Ticks per quarter note."""
    fermatas: tuple[int, ...] = ()
    """Ticks of the fermatas."""

    @cached_property
    def _starts(self) -> list[int]:
        return [note.start for note in self.notes]

    @cached_property
    def _beat_starts(self) -> list[int]:
        return [beat.start for beat in self.beats]

    def at(self, moment: int) -> GridNote | None:
        """Return the note that sounds at a tick, or None."""
        index = bisect_right(self._starts, moment) - 1
        return self.notes[index] if index >= 0 and self.notes[index].end > moment else None

    def beat_at(self, moment: int) -> GridBeat:
        """Return the beat that contains a tick, or the last beat if the tick is later."""
        index = bisect_right(self._beat_starts, moment) - 1
        return self.beats[max(index, 0)]

    def bar_at(self, moment: int) -> int:
        """Return the length of a full bar at a tick."""
        beat = self.beat_at(moment)
        return (beat.end - beat.start) * beat.beats_in_bar

    def within(self, start: int, end: int) -> tuple[GridNote, ...]:
        """Return the notes that sound between two ticks."""
        first = bisect_right(self._starts, start) - 1
        first = max(first, 0)
        if first < len(self.notes) and self.notes[first].end <= start:
            first += 1
        last = first
        while last < len(self.notes) and self.notes[last].start < end:
            last += 1
        return self.notes[first:last]

    def moment(self, tick: int) -> Fraction:
        """Convert a tick to a time in the score, in quarter notes."""
        return Fraction(tick, self.ticks)

    def slots(self, rhythm: ChordRhythm) -> list[ChordSlot]:
        """Return the slots for chords: one per bar, beat or half bar.

        If a bar has an odd number of beats, its first half is one beat longer: in 3/4 two beats, then one.
        """
        starts = []
        for index, beat in enumerate(self.beats):
            begins = rhythm == "per_beat" or index == 0 or beat.bar != self.beats[index - 1].bar
            if begins or (rhythm == "per_half" and beat.place == (beat.beats_in_bar + 1) // 2):
                starts.append(index)
        ends = [*starts[1:], len(self.beats)]
        return [
            ChordSlot(self.beats[first].start, self.beats[last - 1].end, first, last)
            for first, last in zip(starts, ends, strict=True)
        ]

    def strong_notes(self, slot: ChordSlot) -> list[GridNote]:
        """Return the notes that sound on the strong beats of a slot, in order."""
        found = [self.at(beat.start) for beat in self.beats[slot.first : slot.last] if beat.strength >= STRONG]
        return list(dict.fromkeys(note for note in found if note is not None))


def melody_of(score: Score) -> list[Note]:
    """Return the melody of a score: the highest notes of the first part that has notes.

    A note that overlaps the next one is shortened.
    """
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


def melody_grid(score: Score) -> MelodyGrid:
    """Return the melody of a score with its beats. The score must have at least one note."""
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
    return MelodyGrid(
        notes=tuple(GridNote(int(note.start * ticks), int(note.end * ticks), note.midi) for note in melody),
        beats=tuple(GridBeat(int(start * ticks), int(stop * ticks), *rest) for start, stop, *rest in moments),
        ticks=ticks,
        fermatas=tuple(int(moment * ticks) for moment in score.fermatas),
    )
