"""Which notes a tool means: by track, by bars, section or beats, by pitch.

Ranges of beats are half-open, the last bar is included, and a note is where it starts.
"""

from dataclasses import dataclass
from fractions import Fraction

from consort_compose.songs.beats import range_given
from consort_compose.songs.chunks import Chunk
from consort_compose.songs.note_models import NoteSelection
from consort_compose.songs.note_text import read_pitch
from consort_compose.songs.song import Note, Song, Track
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.words import section_of, track_of
from consort_music.errors import MusicError, in_field, quoted


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
    return Selection(tracks, *_range(song, request), *_pitches(request))


def range_of_bars(timeline: Timeline, first: int | None, last: int | None) -> tuple[Fraction | None, Fraction | None]:
    """The beats of bars, both included; None is open."""
    if first is not None and last is not None and last < first:
        raise MusicError(
            "END_BEFORE_START",
            f"last_bar is {last}, which is before first_bar {first}. Both are included, so one bar is {first} to"
            f" {first}.",
            [f"last_bar: {first}"],
            "last_bar",
        )
    start = timeline.start_of(first) if first is not None else None
    return start, timeline.start_of(last + 1) if last is not None else None


def _range(song: Song, request: NoteSelection) -> tuple[Fraction | None, Fraction | None]:
    """The beats that are meant, given in one of three ways."""
    ways = {
        "a section": request.section is not None,
        "bars (first_bar, last_bar)": request.first_bar is not None or request.last_bar is not None,
        "beats (start_time, end_time)": request.start_time is not None or request.end_time is not None,
    }
    given = [way for way, is_given in ways.items() if is_given]
    if len(given) > 1:
        field = "section" if request.section is not None else "start_time"
        example = ["section"] if request.section is not None else []
        raise MusicError(
            "INVALID_INPUT",
            f"Give {' or '.join(given)}, not both.",
            [*example, "first_bar: 17, last_bar: 24"],
            field,
        )
    if request.section is not None:
        return Timeline(song).range_of(section_of(song, request.section, "section"))
    if request.first_bar is not None or request.last_bar is not None:
        return range_of_bars(Timeline(song), request.first_bar, request.last_bar)
    return range_given(request.start_time, request.end_time)


def _pitches(request: NoteSelection) -> tuple[int, int]:
    if request.pitch is None:
        return 0, 127
    with in_field("pitch"):
        bounds = [read_pitch(word.strip())[0] for word in str(request.pitch)[:40].split("-")]
    if len(bounds) > 2 or bounds[0] > bounds[-1]:
        raise MusicError(
            "INVALID_PITCH",
            f"'pitch' is {quoted(str(request.pitch))}; write one pitch, or a range from low to high, such as C3-G5.",
            ["C3-G5", "C4"],
            "pitch",
        )
    return bounds[0], bounds[-1]
