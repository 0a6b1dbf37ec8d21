"""Where measures begin, and which section, metre and key hold at a beat. Sections may have their own metre and key."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from consort_compose.songs.document.song import Section, Song, SongNote
from consort_music.bars import Bars
from consort_music.keys import Key, Spelling, parse_key
from consort_music.metre import Metre, parse_metre

metre_of = lru_cache(256)(parse_metre)
key_of = lru_cache(256)(parse_key)


@dataclass(frozen=True)
class TimelineSpan:
    """Consecutive measures of one section, or between two sections, all in one metre. The last span has no end."""

    first_measure: int
    start: Fraction
    metre: Metre
    section: Section | None


class SongPosition(NamedTuple):
    """A position as musicians name it: measure 3, beat 2 1/2 of the metre (from 1), in the verse."""

    measure: int
    beat: Fraction
    section: Section | None


class Timeline:
    """The measures of a song."""

    def __init__(self, song: Song) -> None:
        self._song = song
        common = metre_of(song.time_signature)
        self.spans: list[TimelineSpan] = []
        measure, beat = 1, Fraction(0)
        for section in song.sections:
            if section.start_measure > measure:
                self.spans.append(TimelineSpan(measure, beat, common, None))
                beat += (section.start_measure - measure) * common.bar
            metre = metre_of(section.time_signature) if section.time_signature else common
            self.spans.append(TimelineSpan(section.start_measure, beat, metre, section))
            beat += section.measures * metre.bar
            measure = section.end_measure + 1
        self.spans.append(TimelineSpan(measure, beat, common, None))
        self.bars = Bars((span.start, span.metre) for span in self.spans)

    def start_of(self, measure: int) -> Fraction:
        return self.bars.start_of(measure)

    def span_at(self, beat: Fraction) -> TimelineSpan:
        return self.spans[self.bars.index_at(beat)]

    def measure_at(self, beat: Fraction) -> int:
        return self.bars.number_at(beat)

    def place(self, beat: Fraction) -> SongPosition:
        return SongPosition(*self.bars.position_at(beat), self.span_at(beat).section)

    def range_of(self, section: Section) -> tuple[Fraction, Fraction]:
        """Return the first beat of a section and the first beat after it."""
        return self.start_of(section.start_measure), self.start_of(section.end_measure + 1)

    def spans_before(self, end: Fraction) -> list[TimelineSpan]:
        """Return all spans. The span after the last section is left out unless it begins before `end`."""
        *before, last = self.spans
        return [*before, last] if last.start < end or not before else before

    @property
    def planned_end(self) -> Fraction:
        """The beat on which the last section ends; 0 without sections."""
        return self.spans[-1].start

    def key_at(self, beat: Fraction) -> Key | None:
        """Return the key of the section, otherwise of the song; None if neither has one."""
        text = self.key_text_at(beat)
        return key_of(text) if text else None

    def key_text_at(self, beat: Fraction) -> str | None:
        """Return the key as it was written, such as `Dm`; None if neither section nor song has one."""
        section = self.span_at(beat).section
        return section.key if section and section.key else self._song.key

    def spelling(self) -> Spelling:
        """Return the spelling of pitches at each beat, according to the keys of the sections."""
        return Spelling((span.start, self.key_at(span.start)) for span in self.spans)

    def last_measure(self, end: Fraction) -> int:
        """Return the last measure with notes or a section, if the last note ends at `end`; 0 for an empty song."""
        planned = self._song.sections[-1].end_measure if self._song.sections else 0
        if end <= 0:
            return planned
        before_end = self.measure_at(end)
        return max(planned, before_end if end > self.start_of(before_end) else before_end - 1)


def measures_with_music(timeline: Timeline, notes: list[SongNote]) -> set[int]:
    """Return the measures in which one of these notes starts or still sounds."""
    measures: set[int] = set()
    for note in notes:
        first = timeline.measure_at(note.start)
        last = timeline.measure_at(note.end)
        measures.update(range(first, last + (1 if note.end > timeline.start_of(last) else 0)))
    return measures
