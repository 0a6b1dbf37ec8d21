"""The notes that a request selects: by track, by bars, section or beats, and by pitch.

A note belongs to the range in which it starts. Ranges of beats exclude their end; ranges of bars include the last bar.
"""

from dataclasses import dataclass
from fractions import Fraction

from consort_compose.songs.document.beat_input import parse_beat_range
from consort_compose.songs.document.names import find_section, find_track
from consort_compose.songs.document.song import Song, SongNote, Track
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.models.notes import NoteSelectionFields
from consort_compose.songs.storage.chunks import Chunk
from consort_music.drum_names import parse_pitch_or_drum
from consort_music.errors import MusicError, in_field, quoted


@dataclass(frozen=True)
class Selection:
    """Selected tracks, beats and pitches.

    Beats from `start` to before `end`; None is no limit. Pitches from `lowest` to `highest`, both included.
    """

    tracks: tuple[Track, ...]
    start: Fraction | None = None
    end: Fraction | None = None
    lowest: int = 0
    highest: int = 127

    def notes_in(self, chunk: Chunk) -> list[SongNote]:
        """Return the selected notes of a chunk."""
        notes = chunk.part(*self._indexes(chunk))
        return notes if self._covers_pitches_of(chunk) else [note for note in notes if self._has_pitch_of(note)]

    def count(self, chunk: Chunk) -> int:
        """Return the number of selected notes of a chunk. The chunk must be fetched unless `covers` is True for it."""
        if self.covers(chunk):
            return chunk.note_count
        first, last = self._indexes(chunk)
        if self._covers_pitches_of(chunk):
            return last - first
        return chunk.count_pitches(first, last, self.lowest, self.highest)

    def split(self, chunk: Chunk) -> tuple[list[SongNote], list[SongNote]]:
        """Return the selected notes of a chunk and its other notes, both sorted."""
        notes = chunk.notes
        first, last = self._indexes(chunk)
        chosen = [note for note in notes[first:last] if self._has_pitch_of(note)]
        others = [note for note in notes[first:last] if not self._has_pitch_of(note)]
        return chosen, [*notes[:first], *others, *notes[last:]]

    def _indexes(self, chunk: Chunk) -> tuple[int, int]:
        if self.covers_time_of(chunk):
            return 0, chunk.note_count
        first = chunk.index_of(self.start) if self.start is not None else 0
        return first, chunk.index_of(self.end) if self.end is not None else chunk.note_count

    def _has_pitch_of(self, note: SongNote) -> bool:
        return self.lowest <= note.pitch <= self.highest

    def _covers_pitches_of(self, chunk: Chunk) -> bool:
        return self.lowest <= chunk.lowest and chunk.highest <= self.highest

    def covers_time_of(self, chunk: Chunk) -> bool:
        """Return True if all notes of a chunk start in the range. May be False if one starts exactly on its edge."""
        return (self.start is None or chunk.first_start > float(self.start)) and (
            self.end is None or chunk.last_start < float(self.end)
        )

    def covers(self, chunk: Chunk) -> bool:
        """Return True if all notes of a chunk are selected. May be False if one starts exactly on an edge."""
        return self.covers_time_of(chunk) and self._covers_pitches_of(chunk)

    def misses(self, chunk: Chunk) -> bool:
        """Return whether no pitch of a chunk is selected."""
        return chunk.highest < self.lowest or chunk.lowest > self.highest


def read_selection(song: Song, request: NoteSelectionFields) -> Selection:
    """Return the selection that a request describes. Raise a MusicError with the name of the invalid field."""
    tracks = (find_track(song, request.track),) if request.track is not None else song.tracks
    return Selection(tracks, *_range(song, request), *_pitches(request))


def range_of_bars(timeline: Timeline, first: int | None, last: int | None) -> tuple[Fraction | None, Fraction | None]:
    """Return the first beat of bar `first` and the end of bar `last`; None for a bar that is None.

    Raise END_BEFORE_START if `last` is before `first`.
    """
    if first is not None and last is not None and last < first:
        raise MusicError(
            "END_BEFORE_START",
            f"'last_bar' is {last}, which is before 'first_bar', {first}. Both bars are included: one bar is {first} to"
            f" {first}.",
            [f"last_bar: {first}"],
            "last_bar",
        )
    start = timeline.start_of(first) if first is not None else None
    return start, timeline.start_of(last + 1) if last is not None else None


def _range(song: Song, request: NoteSelectionFields) -> tuple[Fraction | None, Fraction | None]:
    """Return the range of beats, given as a section, as bars or as beats.

    Raise INVALID_INPUT if it is given in more than one of these ways.
    """
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
        return Timeline(song).range_of(find_section(song, request.section, "section"))
    if request.first_bar is not None or request.last_bar is not None:
        return range_of_bars(Timeline(song), request.first_bar, request.last_bar)
    return parse_beat_range(request.start_time, request.end_time)


def _pitches(request: NoteSelectionFields) -> tuple[int, int]:
    """Return the lowest and highest pitch. Raise INVALID_PITCH if `pitch` is not a pitch or a range."""
    if request.pitch is None:
        return 0, 127
    with in_field("pitch"):
        bounds = [parse_pitch_or_drum(word.strip())[0] for word in str(request.pitch)[:40].split("-")]
    if len(bounds) > 2 or bounds[0] > bounds[-1]:
        raise MusicError(
            "INVALID_PITCH",
            f"'pitch' is {quoted(str(request.pitch))}; write one pitch, or a range from low to high, such as C3-G5.",
            ["C3-G5", "C4"],
            "pitch",
        )
    return bounds[0], bounds[-1]
