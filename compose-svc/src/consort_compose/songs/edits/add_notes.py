"""Add the notes of an `add_notes` request: find the bar where they begin and their tracks, and remove old notes."""

from dataclasses import dataclass, field
from fractions import Fraction

from consort_compose.songs.document.chord_plan import with_score_chords
from consort_compose.songs.document.names import find_section, find_track
from consort_compose.songs.document.song import Song, SongNote, Track, span_of
from consort_compose.songs.document.timeline import Timeline
from consort_compose.songs.edits import change_notes
from consort_compose.songs.edits.tracks import with_missing_tracks
from consort_compose.songs.models.notes import AddNotes, NotesInTrack
from consort_compose.songs.notes.from_score import conflicting_chords, measure_after_pickup
from consort_compose.songs.notes.notes_for_track import NotesForTrack
from consort_compose.songs.notes.selection import Selection, range_of_bars
from consort_compose.songs.storage.changed_places import ChangedPlaces, everywhere_in
from consort_compose.songs.storage.store import LockedSong
from consort_music.beats import format_beats
from consort_music.errors import MusicError, quoted
from consort_music.score import Score


@dataclass
class AddOutcome:
    """What was added, for the answer."""

    tracks: list[NotesInTrack] = field(default_factory=list)
    new_tracks: list[str] = field(default_factory=list)
    removed: int = 0
    planned_chords: int = 0
    warnings: list[str] = field(default_factory=list)
    changed_places: ChangedPlaces = field(default_factory=list)

    @property
    def notes(self) -> int:
        return sum(each.note_count for each in self.tracks)


async def add_notes(
    locked: LockedSong, request: AddNotes, written: dict[str, NotesForTrack], score: Score | None = None
) -> AddOutcome:
    """Add notes from a bar on. With a score, also plan its chords and add the tracks that it needs."""
    added = AddOutcome()
    if score is not None:
        locked.song, new_tracks = with_missing_tracks(locked.song, written)
        added.new_tracks = [f"{each.name}: {each.instrument.name}" for each in new_tracks]
        added.changed_places += everywhere_in("tracks") if new_tracks else []
    timeline = Timeline(locked.song)
    pickup = score.pickup if score else Fraction(0)
    first_bar, last_bar = _bars_given(locked.song, request)
    wanted = first_bar or 1
    measure = measure_after_pickup(timeline, wanted, pickup)
    if measure != wanted:
        added.warnings.append(no_room_for_pickup(wanted, measure))
    origin = timeline.start_of(measure) - pickup
    found = [(find_track(locked.song, name, each.field), each) for name, each in written.items()]
    notes = [(track, _notes_from_origin(each, track, origin)) for track, each in found]
    if not any(each for _, each in notes):
        raise MusicError(
            "INVALID_INPUT",
            "'notes' has no notes. To remove notes, use remove_notes_in_range.",
            ['{"Lead": "C4 1; E4 1/2"}'],
            "notes",
        )
    bars = _range(first_bar, last_bar, timeline, origin, notes)
    if request.replace:
        await _remove_old_notes(locked, notes, bars, added)
    for track, each in notes:
        if each:
            added.changed_places += await change_notes.add(locked, track, each)
            added.tracks.append(_describe_notes(track, each))
    if score is not None and score.chords:
        _plan_chords(locked, request, score, origin, wanted, added)
    return added


def no_room_for_pickup(wanted: int, measure: int) -> str:
    """Return the warning that a score begins later than requested."""
    return f"There is no room for the pickup before bar {wanted}: the first full bar of the score is bar {measure}."


def _notes_from_origin(written: NotesForTrack, track: Track, origin: Fraction) -> list[SongNote]:
    if written.has_drums and not track.is_drums:
        raise MusicError(
            "INVALID_PITCH",
            f"Drums such as 'kick' need a drum track, and {track.name!r} is a {track.instrument.name}. Choose"
            " a drum track, or write pitches such as C4.",
            ["C4", "edit_track with instrument drums"],
            written.field,
        )
    return [note._replace(start=note.start + origin) for note in written.notes] if origin else written.notes


def _bars_given(song: Song, request: AddNotes) -> tuple[int | None, int | None]:
    """Return the first and the last bar, given by numbers or by a section; None for a bar that is not given."""
    if request.section is None:
        return request.first_bar, request.last_bar
    if request.first_bar is not None or request.last_bar is not None:
        raise MusicError(
            "INVALID_INPUT",
            "Give a section or bars (first_bar, last_bar), not both.",
            ["section", "first_bar: 17, last_bar: 24"],
            "section",
        )
    section = find_section(song, request.section, "section")
    return section.start_measure, section.end_measure


def _range(
    first_bar: int | None,
    last_bar: int | None,
    timeline: Timeline,
    origin: Fraction,
    notes: list[tuple[Track, list[SongNote]]],
) -> tuple[Fraction, Fraction] | None:
    """Return the first beat and the end of the given bars, or None if no bar is given.

    If only the first bar is given, the range ends with the bar of the last note. Raise INVALID_INPUT if a note starts
    after the last bar.
    """
    if first_bar is None and last_bar is None:
        return None
    first = first_bar or 1
    _, end = range_of_bars(timeline, first, last_bar)
    if end is None:
        return origin, timeline.bars.next_bar_line(max(span_of(each)[1] for _, each in notes if each))
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


async def _remove_old_notes(
    locked: LockedSong,
    notes: list[tuple[Track, list[SongNote]]],
    bars: tuple[Fraction, Fraction] | None,
    added: AddOutcome,
) -> None:
    """Remove the notes in the bars; without bars, those from the first to the last new note of each track."""
    for track, each in notes:
        if bars or each:
            start, end = bars or span_of(each)
            removed, changed_places = await change_notes.remove(locked, Selection((track,), start, end))
            added.removed += removed
            added.changed_places += changed_places


def _plan_chords(
    locked: LockedSong, request: AddNotes, score: Score, origin: Fraction, measure: int, added: AddOutcome
) -> None:
    """Plan the chords of a score. If the song has other chords there, keep them unless `replace` is true."""
    conflicting = conflicting_chords(locked.song, score, origin)
    if conflicting and not request.replace:
        added.warnings.append(
            f"The song kept its chords where the score has others ({', '.join(conflicting[:4])}). To use the"
            f' chords of the score: set_chords with {{"chords": "{request.score_id}", "measure": {measure}}}.'
        )
        return
    try:
        song = with_score_chords(locked.song, score, origin)
    except MusicError as error:
        added.warnings.append(f"The score's chords were not planned: {error.message}")
        return
    if song != locked.song:
        locked.song = song
        added.planned_chords = len(score.chords)
        added.changed_places += everywhere_in("chords")


def _describe_notes(track: Track, notes: list[SongNote]) -> NotesInTrack:
    start, end = span_of(notes)
    return NotesInTrack(
        track=track.name, note_count=len(notes), start_time=format_beats(start), end_time=format_beats(end)
    )
