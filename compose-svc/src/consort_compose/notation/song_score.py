"""A song as a score: its notes spelled in the keys of its sections, its chords, tempos and sections."""

from collections.abc import Mapping
from fractions import Fraction

from consort_compose.songs.document.song import Song, SongNote, Track
from consort_compose.songs.document.tempos import tempo_map
from consort_compose.songs.document.timeline import Timeline
from consort_music.keys import Key
from consort_music.metre import Metre
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score


def song_to_score(song: Song, notes: Mapping[int, list[SongNote]]) -> tuple[Score, list[tuple[Fraction, str]]]:
    """Return the score of a song, and its sections as marks with their starts."""
    timeline = Timeline(song)
    end = max((note.end for each in notes.values() for note in each), default=Fraction(0))
    metres: list[tuple[Fraction, Metre]] = []
    keys: list[tuple[Fraction, Key]] = []
    marks: list[tuple[Fraction, str]] = []
    for span in timeline.spans_before(end):
        if not metres or metres[-1][1] != span.metre:
            metres.append((span.start, span.metre))
        key = timeline.key_at(span.start)
        if key and (not keys or keys[-1][1] != key):
            keys.append((span.start, key))
        if span.section:
            marks.append((span.start, span.section.name))
    score = Score(
        parts=tuple(_part(track, notes.get(track.id, []), timeline) for track in song.tracks),
        metres=tuple(metres),
        keys=tuple(keys),
        tempos=tuple(tempo_map(song, timeline, end)),
        chords=song.chords,
        title=song.title,
        rest_to=min(timeline.planned_end, timeline.bars.next_bar_line(end)),
    )
    return score, marks


def _part(track: Track, notes: list[SongNote], timeline: Timeline) -> Part:
    written = [
        Note(note.start, note.duration, _spell(note, timeline, is_drum=track.is_drums), note.velocity) for note in notes
    ]
    return Part.of(track.name, written, track.instrument.name)


def _spell(note: SongNote, timeline: Timeline, *, is_drum: bool) -> Pitch:
    key = None if is_drum else timeline.key_at(note.start)
    return key.spell(note.pitch) if key else Pitch.from_midi(note.pitch)
