"""Where measures begin, and where a beat is: sections may have a metre, tempo and key of their own."""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from consort_compose.songs.song import Section, Song
from consort_music.bars import Bar
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

    @cached_property
    def bar(self) -> Fraction:
        return self.metre.bar


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
        self._measures = [stretch.first_measure for stretch in self.stretches]
        self._starts = [stretch.start for stretch in self.stretches]
        self._floats = [float(start) for start in self._starts]

    def start_of(self, measure: int) -> Fraction:
        stretch = self.stretches[bisect_right(self._measures, measure) - 1]
        return stretch.start + (measure - stretch.first_measure) * stretch.bar

    def bar(self, measure: int) -> Bar:
        stretch = self.stretches[bisect_right(self._measures, measure) - 1]
        return Bar(measure, self.start_of(measure), stretch.bar, stretch.metre)

    def stretch_at(self, beat: Fraction) -> Stretch:
        rough = float(beat)  # comparing floats is many times as fast, and wrong only where they are equal
        place = bisect_right(self._floats, rough) - 1
        return self.stretches[place - 1 if rough == self._floats[place] and beat < self._starts[place] else place]

    def measure_at(self, beat: Fraction) -> int:
        stretch = self.stretch_at(beat)
        start, bar = stretch.start, stretch.bar
        along = beat.numerator * start.denominator - start.numerator * beat.denominator
        return stretch.first_measure + along * bar.denominator // (beat.denominator * start.denominator * bar.numerator)

    def bar_line(self, beat: Fraction) -> Fraction:
        """The bar line on a beat, or else the next one."""
        measure = self.measure_at(beat)
        start = self.start_of(measure)
        return start if start == beat else self.start_of(measure + 1)

    def place(self, beat: Fraction) -> Place:
        stretch = self.stretch_at(beat)
        bars, offset = divmod(beat - stretch.start, stretch.bar)
        return Place(stretch.first_measure + bars, stretch.metre.beat_number(offset), stretch.section)

    def range_of(self, section: Section) -> tuple[Fraction, Fraction]:
        return self.start_of(section.start_measure), self.start_of(section.end_measure + 1)

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
