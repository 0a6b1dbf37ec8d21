"""The overview of `get_song_info`: what each track plays in each section, and which bars are empty."""

from collections.abc import Mapping
from fractions import Fraction

from consort_compose.songs.document.chord_plan import list_chords
from consort_compose.songs.document.song import Song, SongNote, Track
from consort_compose.songs.document.timeline import Timeline, measures_with_music
from consort_compose.songs.models.songs import OverviewCell, OverviewRow
from consort_music.measure_ranges import measure_ranges

MAX_ROWS = 100


def song_overview(song: Song, notes: Mapping[int, list[SongNote]]) -> list[OverviewRow]:
    """Return a row for each section, and one for bars with notes between sections; at most 100 rows."""
    timeline = Timeline(song)
    end = max((note.end for each in notes.values() for note in each), default=Fraction(0))
    last_measure = timeline.last_measure(end)
    rows: list[OverviewRow] = []
    following_spans = [*timeline.spans[1:], None]
    for span, following in zip(timeline.spans, following_spans, strict=True):
        last = following.first_measure - 1 if following else last_measure
        if last < span.first_measure or len(rows) >= MAX_ROWS:
            continue
        start, stop = span.start, timeline.start_of(last + 1)
        played = {
            track: found
            for track in song.tracks
            if (found := [note for note in notes.get(track.id, []) if start <= note.start < stop])
        }
        if span.section is None and not played:
            continue
        rows.append(
            OverviewRow(
                section=span.section.name if span.section else None,
                bars=f"{span.first_measure}-{last}",
                chords=list_chords(song, start, stop),
                playing=[
                    _cell(timeline, track, found, range(span.first_measure, last + 1))
                    for track, found in played.items()
                ],
                silent=[track.name for track in song.tracks if track not in played] or None,
            )
        )
    return rows


def _cell(timeline: Timeline, track: Track, notes: list[SongNote], measures: range) -> OverviewCell:
    pitches = [note.pitch for note in notes]
    lowest, highest = track.pitch_name(min(pitches)), track.pitch_name(max(pitches))
    sounding = measures_with_music(timeline, notes)
    return OverviewCell(
        track=track.name,
        note_count=len(notes),
        range=None if track.is_drums else f"{lowest}-{highest}",
        notes_a_bar=round(len(notes) / len(measures), 1),
        empty_bars=", ".join(measure_ranges(measure for measure in measures if measure not in sounding)) or None,
    )
