"""Adding notes to a song: from which bar on, to which tracks, and instead of what."""

from dataclasses import dataclass, field
from fractions import Fraction

from consort_compose.songs import note_changes
from consort_compose.songs.chord_plan import with_score_chords
from consort_compose.songs.note_models import AddNotes, NotesInTrack
from consort_compose.songs.note_text import WrittenNotes
from consort_compose.songs.score_notes import chords_in_the_way, measure_after_pickup, with_tracks_for
from consort_compose.songs.selection import Selection, range_of_bars
from consort_compose.songs.song import Note, Song, Track, span_of
from consort_compose.songs.store import HeldSong
from consort_compose.songs.timeline import Timeline
from consort_compose.songs.touched import Touched, whole
from consort_compose.songs.words import section_of, track_of
from consort_music.beats import shown_beats
from consort_music.errors import MusicError, quoted
from consort_music.score import Score


@dataclass
class Added:
    """What was done, for the answer."""

    tracks: list[NotesInTrack] = field(default_factory=list)
    new_tracks: list[str] = field(default_factory=list)
    removed: int = 0
    planned_chords: int = 0
    warnings: list[str] = field(default_factory=list)
    touched: Touched = field(default_factory=list)

    @property
    def notes(self) -> int:
        return sum(each.note_count for each in self.tracks)


async def add_notes(
    held: HeldSong, request: AddNotes, written: dict[str, WrittenNotes], score: Score | None = None
) -> Added:
    """Add what was written, from a bar on; a score brings its chords and the tracks that it needs."""
    added = Added()
    if score is not None:
        held.song, new_tracks = with_tracks_for(held.song, written)
        added.new_tracks = [f"{each.name}: {each.instrument.name}" for each in new_tracks]
        added.touched += whole("tracks") if new_tracks else []
    timeline = Timeline(held.song)
    pickup = score.pickup if score else Fraction(0)
    first_bar, last_bar = _bars_given(held.song, request)
    wanted = first_bar or 1
    measure = measure_after_pickup(timeline, wanted, pickup)
    if measure != wanted:
        added.warnings.append(no_room_for_pickup(wanted, measure))
    origin = timeline.start_of(measure) - pickup
    found = [(track_of(held.song, name, each.field), each) for name, each in written.items()]
    notes = [(track, _moved(each, track, origin)) for track, each in found]
    if not any(each for _, each in notes):
        raise MusicError(
            "INVALID_INPUT",
            "'notes' has no note in it. To remove notes, use remove_notes_in_range.",
            ['{"Lead": "C4 1; E4 1/2"}'],
            "notes",
        )
    bars = _range(first_bar, last_bar, timeline, origin, notes)
    if request.replace:
        await _remove_what_is_there(held, notes, bars, added)
    for track, each in notes:
        if each:
            added.touched += await note_changes.put(held, track, each)
            added.tracks.append(_told(track, each))
    if score is not None and score.chords:
        _plan_chords(held, request, score, origin, wanted, added)
    return added


def no_room_for_pickup(wanted: int, measure: int) -> str:
    return f"There is no room for the pickup before bar {wanted}: the first full bar of the score is bar {measure}."


def _moved(written: WrittenNotes, track: Track, origin: Fraction) -> list[Note]:
    if written.drums and not track.is_drums:
        raise MusicError(
            "INVALID_PITCH",
            f"Drums such as 'kick' are only for drum tracks, and {track.name!r} is a {track.instrument.name}. Name"
            " a drum track, or write pitches such as C4.",
            ["C4", "edit_track with instrument drums"],
            written.field,
        )
    return [note._replace(start=note.start + origin) for note in written.notes] if origin else written.notes


def _bars_given(song: Song, request: AddNotes) -> tuple[int | None, int | None]:
    """Return the first and the last bar, given by numbers or by a section."""
    if request.section is None:
        return request.first_bar, request.last_bar
    if request.first_bar is not None or request.last_bar is not None:
        raise MusicError(
            "INVALID_INPUT",
            "Give a section or bars (first_bar, last_bar), not both.",
            ["section", "first_bar: 17, last_bar: 24"],
            "section",
        )
    section = section_of(song, request.section, "section")
    return section.start_measure, section.end_measure


def _range(
    first_bar: int | None,
    last_bar: int | None,
    timeline: Timeline,
    origin: Fraction,
    notes: list[tuple[Track, list[Note]]],
) -> tuple[Fraction, Fraction] | None:
    """Return the beats of the given bars. Without a last bar, the range ends with the bar in which the notes end."""
    if first_bar is None and last_bar is None:
        return None
    first = first_bar or 1
    _, end = range_of_bars(timeline, first, last_bar)
    if end is None:
        return origin, timeline.bars.line_from(max(span_of(each)[1] for _, each in notes if each))
    for track, each in notes:
        late = next((note for note in each if note.start >= end), None)
        if late is not None:
            bar = timeline.measure_at(late.start)
            raise MusicError(
                "INVALID_INPUT",
                f"A note of {quoted(track.name)} would start after bar {last_bar}, the last one: beat"
                f" {late.start - origin}, counted from the beginning of bar {first}, is in bar {bar}.",
                [f"last_bar: {bar}", f"beats from 0 on, where 0 is the beginning of bar {first}"],
                "last_bar",
            )
    return origin, end


async def _remove_what_is_there(
    held: HeldSong, notes: list[tuple[Track, list[Note]]], bars: tuple[Fraction, Fraction] | None, added: Added
) -> None:
    """Remove the notes in the bars; without bars, from the first new note of each track to the end of its last."""
    for track, each in notes:
        if bars or each:
            start, end = bars or span_of(each)
            removed, touched = await note_changes.remove(held, Selection((track,), start, end))
            added.removed += removed
            added.touched += touched


def _plan_chords(held: HeldSong, request: AddNotes, score: Score, origin: Fraction, measure: int, added: Added) -> None:
    """Plan the chords of a score. Other chords that the song has there stay unless `replace` is true."""
    in_the_way = chords_in_the_way(held.song, score, origin)
    if in_the_way and not request.replace:
        added.warnings.append(
            f"The song's own chords were kept where the score has others ({', '.join(in_the_way[:4])}). To plan the"
            f' score\'s: set_chords with {{"chords": "{request.score_id}", "measure": {measure}}}.'
        )
        return
    try:
        song = with_score_chords(held.song, score, origin)
    except MusicError as refusal:
        added.warnings.append(f"The score's chords were not planned: {refusal.message}")
        return
    if song != held.song:
        held.song = song
        added.planned_chords = len(score.chords)
        added.touched += whole("chords")


def _told(track: Track, notes: list[Note]) -> NotesInTrack:
    start, end = span_of(notes)
    return NotesInTrack(
        track=track.name, note_count=len(notes), start_time=shown_beats(start), end_time=shown_beats(end)
    )
