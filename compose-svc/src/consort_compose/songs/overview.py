"""A song at a glance: for each section what every track plays, and what is empty."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from consort_compose.songs.checks import measures_with_music
from consort_compose.songs.chord_plan import described
from consort_compose.songs.models import OverviewCell, OverviewRow
from consort_compose.songs.note_text import name_of
from consort_compose.songs.song import Note, Song, Track
from consort_compose.songs.timeline import Timeline

MAX_ROWS = 100


def overview(song: Song, notes: Mapping[int, list[Note]]) -> list[OverviewRow]:
    """A row for each section, and for bars between sections that are played."""
    timeline = Timeline(song)
    end = max((note.end for each in notes.values() for note in each), default=Fraction(0))
    last_measure = timeline.last_measure(end)
    rows: list[OverviewRow] = []
    following = [*timeline.stretches[1:], None]
    for stretch, behind in zip(timeline.stretches, following, strict=True):
        last = behind.first_measure - 1 if behind else last_measure
        if last < stretch.first_measure or len(rows) >= MAX_ROWS:
            continue
        start, stop = stretch.start, timeline.start_of(last + 1)
        played = {
            track: found
            for track in song.tracks
            if (found := [note for note in notes.get(track.id, []) if start <= note.start < stop])
        }
        if stretch.section is None and not played:
            continue
        rows.append(
            OverviewRow(
                section=stretch.section.name if stretch.section else None,
                bars=f"{stretch.first_measure}-{last}",
                chords=described(song, start, stop),
                playing=[
                    _cell(timeline, track, found, range(stretch.first_measure, last + 1))
                    for track, found in played.items()
                ],
                silent=[track.name for track in song.tracks if track not in played] or None,
            )
        )
    return rows


def _cell(timeline: Timeline, track: Track, notes: list[Note], measures: range) -> OverviewCell:
    lowest, highest = min(note.pitch for note in notes), max(note.pitch for note in notes)
    sounding = measures_with_music(timeline, notes)
    return OverviewCell(
        track=track.name,
        note_count=len(notes),
        range=None if track.is_drums else f"{name_of(lowest, track.instrument)}-{name_of(highest, track.instrument)}",
        notes_a_bar=round(len(notes) / len(measures), 1),
        empty_bars=as_ranges(measure for measure in measures if measure not in sounding) or None,
    )


def as_ranges(numbers: Iterable[int]) -> str:
    """1, 2, 3 and 7 as `1-3, 7`."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)
