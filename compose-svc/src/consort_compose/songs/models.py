"""What goes into the song tools and what comes out. Every text here is read by an assistant."""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, WithJsonSchema

from consort_compose.songs.checks import Kind
from consort_compose.songs.fields import (
    SONG_ID,
    Beats,
    Cursor,
    Measure,
    MidiFileId,
    MidiValue,
    Milliseconds,
    PageSize,
    Pitch,
    ScoreId,
    SectionTempo,
    Semitones,
    Share,
    SongId,
    Swing,
    Tempo,
)
from consort_kit.models import ToolInput, ToolOutput

_OBJECTS: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
_STRINGS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_NOTES: dict[str, Any] = {"anyOf": [_OBJECTS, {"type": "object"}, {"type": "string"}]}
_CHORDS: dict[str, Any] = {"anyOf": [{"type": "string"}, _OBJECTS]}


class SongRequest(ToolInput):
    song_id: SongId | None = Field(None, description="Default: last used.")


class SongChange(SongRequest):
    """For tools that change what they name, and so are in nobody's way."""


class CheckedChange(SongChange):
    expected_version: int | None = Field(None, description="Refuse if others changed this place since.")


class SectionFields(ToolInput):
    name: str = Field(description="Unique name.")
    start_measure: Measure = Field(description="First bar, from 1.")
    end_measure: Measure = Field(description="Last bar, included.")
    key: str | None = Field(None, description="Such as Dm, F# dorian.")
    description: str | None = Field(None, description="Plan or notes, free text.")
    tempo: Tempo | None = Field(None, description="BPM, if not the song's.")
    time_signature: str | None = Field(None, description="If not the song's.")


class CreateSong(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"name": "title", "bpm": "tempo"}
    title: str | None = Field(None, description="Default: Untitled, or that of the source.")
    tempo: Tempo | None = Field(None, description="Quarter notes a minute. Default 120.")
    time_signature: str | None = Field(None, description="Default 4/4.")
    key: str | None = Field(None, description="Key where no section says another.")
    tracks: dict[str, str] = Field(
        default_factory=dict,
        description="Name: General MIDI instrument, or drums.",
    )
    sections: Annotated[list[SectionFields], Field(max_length=100), WithJsonSchema(_OBJECTS)] = Field(
        default_factory=list, description="Objects with the fields of add_section."
    )
    midi_file_id: MidiFileId | None = Field(None, description="Start from this stored MIDI file.")
    from_song_id: SongId | None = Field(None, description="Start as a copy of this song.")


class Changed(ToolOutput):
    song_id: str
    title: str
    version: int = Field(description="Goes up with each change.")
    warnings: list[str] | None = None


class SectionInfo(ToolOutput):
    name: str
    start_measure: int
    end_measure: int
    start_time: Beats = Field(description="Beat on which it begins.")
    end_time: Beats = Field(description="Beat after its end.")
    key: str | None = None
    tempo: float
    time_signature: str
    description: str | None = None
    note_count: int | None = None


class TrackInfo(ToolOutput):
    name: str
    instrument: str
    program: int | None = Field(None, description="0 to 127; none for drums.")
    is_drums: bool
    volume: int | None = None
    pan: int | None = None
    instrument_changes: str | None = Field(None, description="Beat: instrument, or number of the drum kit.")
    note_count: int
    lowest: str | None = None
    highest: str | None = None
    end_time: Beats | None = Field(None, description="Beat where its last note ends.")


class EditSong(SongChange):
    aliases: ClassVar[dict[str, str]] = {"name": "title", "bpm": "tempo"}
    title: str | None = Field(None, description="Another title.")
    tempo: Tempo | None = Field(None, description="BPM.")
    time_signature: str | None = Field(None, description="Such as 3/4.")
    key: str | None = Field(None, description='"" for none.')
    tempo_changes: str | None = Field(None, description='Beat: BPM, such as 16: 96, 20: 80; "" for none.')


class SongChanged(Changed):
    tempo: float
    time_signature: str
    key: str | None = None


class SongCreated(SongChanged):
    tracks: list[str]
    sections: list[str]
    note_count: int
    next: str = Field(description="What to do with it.")


class GetSongInfo(SongRequest):
    overview: bool = Field(False, description="true: also what each track plays in each section, and what is empty.")


class OverviewCell(ToolOutput):
    track: str
    note_count: int
    range: str | None = Field(None, description="Lowest and highest pitch.", examples=["C3-G5"])
    notes_a_bar: float | None = None
    empty_bars: str | None = Field(None, description="Bars without a note.", examples=["3-4, 7"])


class OverviewRow(ToolOutput):
    section: str | None = Field(None, description="Absent for bars between sections.")
    bars: str = Field(examples=["1-8"])
    chords: str | None = None
    playing: list[OverviewCell]
    silent: list[str] | None = Field(None, description="Tracks without a note here.")


class SongInfo(SongChanged):
    total_measures: int
    total_beats: Beats
    duration_s: float
    note_count: int
    tracks: list[str]
    sections: list[str]
    chord_count: int
    tempo_changes: str | None = Field(None, description="Beat: BPM, besides the tempos of sections.")
    can_undo: list[str] | None = Field(None, description="Latest first.")
    can_redo: list[str] | None = Field(None, description="Next first.")
    overview: list[OverviewRow] | None = None
    created_at: datetime
    updated_at: datetime


class AddSection(SectionFields, SongChange):
    pass


class EditSection(SongChange):
    name: str = Field(description="Its present name.")
    new_name: str | None = Field(None, description="Another name.")
    start_measure: Measure | None = Field(None, description="First bar.")
    end_measure: Measure | None = Field(None, description="Last bar, included.")
    key: str | None = Field(None, description='"" for the song\'s.')
    description: str | None = Field(None, description="Replaces the text.")
    tempo: SectionTempo | None = Field(None, description="BPM; 0 for the song's.")
    time_signature: str | None = Field(None, description='"" for the song\'s.')


class RemoveSection(SongChange):
    name: str = Field(description="Name of the section.")
    with_notes: bool = Field(False, description="true: also the notes and chords that start in it.")


class SectionChanged(Changed):
    section: SectionInfo


class SectionRemoved(Changed):
    removed: str
    removed_notes: int


class Sections(Changed):
    sections: list[SectionInfo] = Field(description="In the order of bars.")


class CopySection(SongChange):
    aliases: ClassVar[dict[str, str]] = {
        "section": "name",
        **dict.fromkeys(("to_bar", "first_bar", "start_measure", "start_bar", "measure", "bar"), "to_measure"),
    }
    name: str = Field(description="The section to repeat.")
    to_measure: Measure = Field(description="Bar where the copy begins.")
    new_name: str | None = Field(None, description="Make a section of this name there.")
    key: str | None = Field(None, description="Key of the new section.")
    transpose: Semitones | None = Field(None, description="Semitones; the key follows. Default: from key to key.")
    tracks: Annotated[list[str], Field(max_length=100), WithJsonSchema(_STRINGS)] | None = Field(
        None, description="Only these; chords planned there stay."
    )
    replace: bool = Field(False, description="true: remove the notes there first, instead of adding to them.")


class SectionCopied(Changed):
    section: SectionInfo | None = None
    copied_notes: int
    removed_notes: int
    transposed: int = Field(description="Semitones.")


class AddTrack(SongChange):
    name: str = Field(description="Unique name.")
    instrument: str = Field(description="General MIDI name, or drums.", coerce_numbers_to_str=True)
    volume: MidiValue | None = Field(None, description="0 to 127.")
    pan: MidiValue | None = Field(None, description="0 left, 64 centre, 127 right.")


class EditTrack(SongChange):
    name: str = Field(description="Its present name.")
    new_name: str | None = Field(None, description="Another name.")
    instrument: str | None = Field(None, description="Another instrument.", coerce_numbers_to_str=True)
    volume: MidiValue | None = Field(None, description="0 to 127.")
    pan: MidiValue | None = Field(None, description="0 left, 64 centre, 127 right.")


class RemoveTrack(SongChange):
    name: str = Field(description="Name of the track.")


class TrackChanged(Changed):
    track: TrackInfo


class TrackRemoved(Changed):
    removed: str
    removed_notes: int


class Tracks(Changed):
    tracks: list[TrackInfo]


class AddNotes(CheckedChange):
    aliases: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("measure", "bar", "start_bar", "start_measure", "from_bar", "at_bar"), "first_bar"),
        **dict.fromkeys(("end_bar", "end_measure", "to_bar", "last_measure"), "last_bar"),
    }
    notes: Annotated[Any, WithJsonSchema(_NOTES)] = Field(
        None,
        description="{track: text}, or a text for `track`, or objects {track, pitch, start, duration, velocity}.",
    )
    score_id: ScoreId | None = Field(None, description="Instead: a composed score, with its chords.")
    parts: dict[str, str] | None = Field(
        None, description='Its parts (name or number) and their tracks: {"melody": "Flute", "bass": "Cello"}.'
    )
    track: str | None = Field(None, description="For notes that name none, or for a whole score.")
    first_bar: Measure | None = Field(
        None, description="Bar of their beat 0; a score's pickup goes before it. Default 1."
    )
    last_bar: Measure | None = Field(None, description="Notes after this bar are refused.")
    replace: bool = Field(
        False, description="true: first remove what their tracks have in these bars, or else where the new notes are."
    )


class NotesInTrack(ToolOutput):
    track: str
    note_count: int
    start_time: Beats
    end_time: Beats


class NotesAdded(Changed):
    added: int
    removed_notes: int | None = Field(None, description="What was replaced.")
    planned_chords: int | None = Field(None, description="The score's chords.")
    tracks: list[NotesInTrack]
    new_tracks: list[str] | None = Field(None, description="Made for parts of a score.", examples=["Cello: Cello"])


class SetChords(SongChange):
    chords: Annotated[Any, WithJsonSchema(_CHORDS)] = Field(
        description="Bars with | between, else a chord each; % repeats. Or objects {symbol, start}, or a score_id.",
    )
    measure: Measure = Field(1, description="Bar where the text begins.")


class ChordsSet(Changed):
    chord_count: int


class CheckSong(SongRequest):
    kinds: list[Kind] = Field(default_factory=list, description="Only these. Default: all.")
    places: PageSize = Field(5, description="Places told for equal problems.")
    limit: PageSize = Field(12, description="Up to 2000.")
    cursor: Cursor = Field(0, description="next_cursor of the page before.")


class ProblemInfo(ToolOutput):
    kind: str
    track: str | None = None
    message: str
    count: int
    places: str | None = Field(
        None, description="Bars, and beats of the metre from 1.", examples=["bar 3 beat 2.5, bar 7 beat 1 and 4 more"]
    )


class SongChecked(Changed):
    ok: bool = Field(description="Nothing but passing notes.")
    counts: dict[str, int]
    problems: list[ProblemInfo] = Field(description="Equal ones together; likely mistakes first, passing notes last.")
    next_cursor: int | None = None


class NoteSelection(ToolInput):
    aliases: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("start_bar", "start_measure", "from_bar", "from_measure", "first_measure"), "first_bar"),
        **dict.fromkeys(("end_bar", "end_measure", "to_bar", "to_measure", "last_measure"), "last_bar"),
        **dict.fromkeys(("start", "start_beat", "first_beat", "from_beat"), "start_time"),
        **dict.fromkeys(("end", "end_beat", "to_beat"), "end_time"),
    }
    units: ClassVar[dict[str, str]] = {"start_time": "beats", "end_time": "beats"}
    track: str | None = Field(None, description="Default: all.")
    first_bar: Measure | None = Field(None, description="Bars count from 1.")
    last_bar: Measure | None = Field(None, description="Included. Default: to the end.")
    section: str | None = Field(None, description="Instead of bars.")
    start_time: Beats | None = Field(None, description="Or beats: from this one on.")
    end_time: Beats | None = Field(None, description="Before this beat.")
    pitch: Pitch | None = Field(None, description="One, or a range: C3-G5.")


class GetNotes(NoteSelection, SongRequest):
    format: Literal["text", "objects"] = Field("text", description="Text is short, and add_notes takes it.")
    limit: PageSize = Field(200, description="Up to 2000.")
    cursor: Cursor = Field(0, description="next_cursor of the page before.")


class NoteInfo(ToolOutput):
    track: str
    pitch: int
    start: Beats
    duration: Beats
    velocity: int


class NotePage(Changed):
    notes: list[NoteInfo] | dict[str, str] = Field(description="Track by track, in the order of time.")
    beat_0_is_bar: int | None = Field(None, description="With first_bar: beats count from there, as in add_notes.")
    note_count: int = Field(description="Notes that fit, on all pages.")
    next_cursor: int | None = Field(None, description="Absent on the last page.")


class RemoveNotes(NoteSelection, CheckedChange):
    pass


class NotesRemoved(Changed):
    removed_notes: int


class EditNotes(NoteSelection, CheckedChange):
    move_by: Beats | None = Field(None, description="Beats later; negative: earlier.")
    stretch: Beats | None = Field(None, description="Factor for times and lengths.")
    transpose: Semitones | None = Field(None, description="Semitones; drums stay.")
    duration: Beats | None = Field(None, description="New length, in beats.")
    velocity: Pitch | None = Field(None, description="1 to 127, or a change: +10, -10, x0.8.")
    quantize: str | None = Field(None, description="Grid: 1/16, 1/8t (triplets).")
    strength: Share = Field(1, description="Way to the grid, 0 to 1.")
    swing: Swing | None = Field(None, description="Percent, 50 to 75; 66.7: triplets.")
    swing_grid: str = Field("1/8", description="What swings.")
    humanize: Milliseconds | None = Field(None, description="Most ms to move, up to 200.")
    humanize_velocity: MidiValue = Field(8, description="Most change, with humanize.")
    seed: int = Field(0, description="For humanize.")


class NotesEdited(Changed):
    edited_notes: int
    changed: dict[str, int] | None = Field(None, description="What rhythm edits did: notes moved, shortened …")


class SongExportMidi(SongRequest):
    name: str | None = Field(None, description="Name to store it under.")
    filepath: str | None = Field(None, description="Also a file of this name in the export folder.")
    overwrite: bool = Field(True, description="false: refuse a name that is taken.")


class SongExported(Changed):
    midi_file_id: str = Field(description="For every tool that takes music.")
    name: str
    bytes: int
    note_count: int
    duration_ms: int
    download_url: str
    path: str = Field(description="Relative to the data folder; valid as input.")
    export_path: str | None = Field(None, description="The copy in the export folder.")
    full_path: str | None = Field(None, description="Where the file is on the user's machine.")


class ListSongs(ToolInput):
    limit: int = Field(20, ge=1, le=100, description="Songs in one answer.")
    title_contains: str | None = Field(None, max_length=200, description="Only titles with this text in them.")
    cursor: str | None = Field(None, max_length=200, description="next_cursor of the page before.")


class SongListItem(ToolOutput):
    song_id: str
    title: str
    version: int
    note_count: int
    updated_at: datetime


class SongList(ToolOutput):
    items: list[SongListItem] = Field(description="Changed last, first.")
    next_cursor: str | None = None


class DeleteSong(ToolInput):
    song_id: str = Field(pattern=SONG_ID, description="Id from create_song or list_songs.")


class SongDeleted(ToolOutput):
    song_id: str
    title: str
    version: int = Field(description="The last one.")


class UndoLastAction(SongChange):
    pass


class Undone(Changed):
    action: str = Field(description="What was undone or redone.")
    undo_steps_left: int
    redo_steps_left: int
    note_count: int
