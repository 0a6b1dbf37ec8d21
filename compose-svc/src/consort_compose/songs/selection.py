"""Which notes a tool means: by track, by section or beats, by pitch. Ranges are half-open and go by a note's start."""

from dataclasses import dataclass
from fractions import Fraction

from consort_compose.songs.beats import range_given
from consort_compose.songs.chunks import Chunk
from consort_compose.songs.models import NoteSelection
from consort_compose.songs.note_text import read_pitch
from consort_compose.songs.song import Note, Song, Track
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.words import section_of, track_of
from consort_music.errors import MusicError, in_field


@dataclass(frozen=True)
class Selection:
    tracks: tuple[Track, ...]
    start: Fraction | None = None
    end: Fraction | None = None
    lowest: int = 0
    highest: int = 127

    def of(self, chunk: Chunk) -> list[Note]:
        """Which notes of a chunk are meant."""
        notes = chunk.part(*self._places(chunk))
        return notes if self._covers_pitches_of(chunk) else [note for note in notes if self._has_pitch_of(note)]

    def count(self, chunk: Chunk) -> int:
        if self.covers(chunk):
            return chunk.note_count
        first, last = self._places(chunk)
        if self._covers_pitches_of(chunk):
            return last - first
        return chunk.count_pitches(first, last, self.lowest, self.highest)

    def split(self, chunk: Chunk) -> tuple[list[Note], list[Note]]:
        """The notes of a chunk that are meant, and the others; both in order."""
        notes = chunk.notes
        first, last = self._places(chunk)
        chosen = [note for note in notes[first:last] if self._has_pitch_of(note)]
        others = [note for note in notes[first:last] if not self._has_pitch_of(note)]
        return chosen, [*notes[:first], *others, *notes[last:]]

    def _places(self, chunk: Chunk) -> tuple[int, int]:
        if self.covers_time_of(chunk):
            return 0, chunk.note_count
        first = chunk.place_of(self.start) if self.start is not None else 0
        return first, chunk.place_of(self.end) if self.end is not None else chunk.note_count

    def _has_pitch_of(self, note: Note) -> bool:
        return self.lowest <= note.pitch <= self.highest

    def _covers_pitches_of(self, chunk: Chunk) -> bool:
        return self.lowest <= chunk.lowest and chunk.highest <= self.highest

    def covers_time_of(self, chunk: Chunk) -> bool:
        """Whether all its notes surely start in the range: a chunk at the edge is to be looked at."""
        return (self.start is None or chunk.first_start > float(self.start)) and (
            self.end is None or chunk.last_start < float(self.end)
        )

    def covers(self, chunk: Chunk) -> bool:
        return self.covers_time_of(chunk) and self._covers_pitches_of(chunk)

    def misses(self, chunk: Chunk) -> bool:
        return chunk.highest < self.lowest or chunk.lowest > self.highest


def selected(song: Song, request: NoteSelection) -> Selection:
    tracks = (track_of(song, request.track),) if request.track is not None else song.tracks
    if request.section is not None:
        if request.start_time is not None or request.end_time is not None:
            raise MusicError(
                "INVALID_INPUT", "Give a section or start_time and end_time, not both.", ["section"], "section"
            )
        start, end = Timeline(song).range_of(section_of(song, request.section, "section"))
        return Selection(tracks, start, end, *_pitches(request))
    return Selection(tracks, *range_given(request.start_time, request.end_time), *_pitches(request))


def _pitches(request: NoteSelection) -> tuple[int, int]:
    if request.pitch is None:
        return 0, 127
    with in_field("pitch"):
        bounds = [read_pitch(word.strip())[0] for word in str(request.pitch)[:40].split("-")]
    if len(bounds) > 2 or bounds[0] > bounds[-1]:
        raise MusicError("INVALID_PITCH", "'pitch' is one, or a range from low to high.", ["C3-G5"], "pitch")
    return bounds[0], bounds[-1]
