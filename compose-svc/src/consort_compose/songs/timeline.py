"""Where measures begin, and where a beat is: sections may have a metre, tempo and key of their own."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from consort_compose.songs.song import Section, Song
from consort_music.bars import Bars
from consort_music.keys import Spelling, parse_key
from consort_music.metre import Metre, parse_metre

metre_of = lru_cache(256)(parse_metre)


@dataclass(frozen=True)
class Stretch:
    """Measures of one metre, in one section or between two; the last one has no end."""

    first_measure: int
    start: Fraction
    metre: Metre
    section: Section | None


class Place(NamedTuple):
    """As a musician says it: measure 3, beat 2 1/2 (in the beats of the metre), in the verse."""

    measure: int
    beat: Fraction
    section: Section | None


class Timeline:
    def __init__(self, song: Song) -> None:
        self._song = song
        common = metre_of(song.time_signature)
        self.stretches: list[Stretch] = []
        measure, beat = 1, Fraction(0)
        for section in song.sections:
            if section.start_measure > measure:
                self.stretches.append(Stretch(measure, beat, common, None))
                beat += (section.start_measure - measure) * common.bar
            metre = metre_of(section.time_signature) if section.time_signature else common
            self.stretches.append(Stretch(section.start_measure, beat, metre, section))
            beat += section.measures * metre.bar
            measure = section.end_measure + 1
        self.stretches.append(Stretch(measure, beat, common, None))
        self.bars = Bars((stretch.start, stretch.metre) for stretch in self.stretches)

    def start_of(self, measure: int) -> Fraction:
        return self.bars.start_of(measure)

    def stretch_at(self, beat: Fraction) -> Stretch:
        return self.stretches[self.bars.index_at(beat)]

    def measure_at(self, beat: Fraction) -> int:
        return self.bars.number_at(beat)

    def place(self, beat: Fraction) -> Place:
        return Place(*self.bars.place(beat), self.stretch_at(beat).section)

    def range_of(self, section: Section) -> tuple[Fraction, Fraction]:
        return self.start_of(section.start_measure), self.start_of(section.end_measure + 1)

    def needed(self, end: Fraction) -> list[Stretch]:
        """Return all stretches; the one after the last section only if something sounds there before `end`."""
        *before, last = self.stretches
        return [*before, last] if last.start < end or not before else before

    @property
    def planned_end(self) -> Fraction:
        """Where the last section ends."""
        return self.stretches[-1].start

    def key_at(self, beat: Fraction) -> str | None:
        section = self.stretch_at(beat).section
        return section.key if section and section.key else self._song.key

    def spelling(self) -> Spelling:
        names = ((stretch.start, self.key_at(stretch.start)) for stretch in self.stretches)
        return Spelling((start, parse_key(name) if name else None) for start, name in names)

    def last_measure(self, end: Fraction) -> int:
        """The last measure with music or plan in it, when the last note ends at `end`; 0 if there is neither."""
        planned = self._song.sections[-1].end_measure if self._song.sections else 0
        if end <= 0:
            return planned
        before_end = self.measure_at(end)
        return max(planned, before_end if end > self.start_of(before_end) else before_end - 1)
