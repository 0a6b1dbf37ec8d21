"""Bars and beats in songs with several metres, compared with counting the bars one by one."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from consort_compose.songs.document.song import Section, Song
from consort_compose.songs.document.timeline import Timeline
from consort_music.metre import parse_metre

METRES = ["4/4", "3/4", "6/8", "7/8", "2/2", "5/16"]


@st.composite
def songs(draw: st.DrawFn) -> Song:
    sections, measure = [], 1
    for number in range(draw(st.integers(0, 5))):
        first = measure + draw(st.integers(0, 3))
        measure = first + draw(st.integers(1, 6))
        metre = draw(st.sampled_from([None, *METRES]))
        sections.append(Section(f"S{number}", first, measure - 1, time_signature=metre))
    return Song("T", time_signature=draw(st.sampled_from(METRES)), sections=tuple(sections))


def counted(song: Song, measures: int) -> list[tuple[Fraction, Fraction, str | None]]:
    """Return start, length and section of each bar, from bar 1."""
    bars, at = [], Fraction(0)
    for measure in range(1, measures + 1):
        section = next((s for s in song.sections if s.start_measure <= measure <= s.end_measure), None)
        length = parse_metre((section and section.time_signature) or song.time_signature).bar
        bars.append((at, length, section.name if section else None))
        at += length
    return bars


@given(songs(), st.builds(Fraction, st.integers(0, 300), st.sampled_from([2, 3, 8])))
def test_bars_and_positions(song: Song, beat: Fraction) -> None:
    timeline = Timeline(song)
    bars = counted(song, 250)
    assert [timeline.start_of(measure + 1) for measure in range(60)] == [start for start, _, _ in bars[:60]]
    number = next(n for n, (start, length, _) in enumerate(bars, 1) if start <= beat < start + length)
    place = timeline.place(beat)
    assert (place.measure, place.section.name if place.section else None) == (number, bars[number - 1][2])
    assert timeline.measure_at(beat) == number


def test_last_measure() -> None:
    song = Song("T", sections=(Section("A", 1, 4),))
    assert Timeline(Song("T")).last_measure(Fraction(0)) == 0
    assert Timeline(Song("T")).last_measure(Fraction(4)) == 1
    assert Timeline(Song("T")).last_measure(Fraction(9, 2)) == 2
    assert Timeline(song).last_measure(Fraction(4)) == 4
    assert Timeline(song).last_measure(Fraction(17)) == 5
