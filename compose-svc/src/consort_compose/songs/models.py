"""What goes into the song tools and what comes out. Every text here is read by an assistant."""

from datetime import datetime
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, WithJsonSchema

from consort_compose.songs.checks import Kind
from consort_compose.songs.fields import (
    Beats,
    Cursor,
    Measure,
    MidiFileId,
    MidiValue,
    PageSize,
    SectionTempo,
    Semitones,
    ShortText,
    SongId,
    SongsOnPage,
    Tempo,
)
from consort_compose.songs.other_spellings import (
    BarsInOneField,
    bar_aliases,
    sections_in_a_list,
    tracks_by_name,
)
from consort_kit.models import ToolInput, ToolOutput, one_or_more

_OBJECTS: dict[str, Any] = {"type": "array", "items": {"type": "object"}}
_STRINGS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
_CHORDS: dict[str, Any] = {"type": ["string", "array"], "items": {"type": "object"}}


class SongRequest(ToolInput):
    song_id: SongId | None = Field(None, description="Default: last.")


class SongChange(SongRequest):
    """For tools that change what they name, and so are in nobody's way."""


class CheckedChange(SongChange):
    expected_version: int | None = Field(None, description="Refuse if changed since.")


class SectionFields(BarsInOneField):
    aliases: ClassVar[dict[str, str]] = bar_aliases("start_measure", "end_measure") | {
        "section": "name",
        "bpm": "tempo",
    }
    first_and_last: ClassVar[tuple[str, str]] = ("start_measure", "end_measure")
    takes_one_bar: ClassVar[bool] = False

    name: str = Field(description="Unique.")
    start_measure: Measure = Field(description="First bar.")
    end_measure: Measure = Field(description="Last bar, included.")
    key: str | None = Field(None, description="Such as Dm.")
    description: str | None = Field(None, description="Free text.")
    tempo: Tempo | None = Field(None, description="BPM. Default: the song's.")
    time_signature: str | None = Field(None, description="Default: the song's.")


class CreateSong(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"name": "title", "bpm": "tempo", "instruments": "tracks"}
    title: str | None = Field(None, description="Default: Untitled.")
    tempo: Tempo | None = Field(None, description="BPM. Default 120.")
    time_signature: str | None = Field(None, description="Default 4/4.")
    key: str | None = Field(None, description="Such as Dm, F# dorian.")
    tracks: Annotated[dict[str, str], BeforeValidator(tracks_by_name), WithJsonSchema({"type": "object"})] = Field(
        default_factory=dict,
        description="Name: General MIDI instrument, or drums.",
    )
    sections: Annotated[
        list[SectionFields], Field(max_length=100), BeforeValidator(sections_in_a_list), WithJsonSchema(_OBJECTS)
    ] = Field(default_factory=list, description="As in add_section.")
    midi_file_id: MidiFileId | None = Field(None, description="Start from this file.")
    from_song_id: SongId | None = Field(None, description="Start as a copy of it.")


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
    title: str | None = Field(None, description="New title.")
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
    overview: bool = Field(False, description="true: also who plays what in each section.")


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
    aliases: ClassVar[dict[str, str]] = bar_aliases("start_measure", "end_measure") | {
        "section": "name",
        "bpm": "tempo",
    }
    name: str = Field(description="Present name.")
    new_name: str | None = Field(None, description="New name.")
    start_measure: Measure | None = Field(None, description="First bar.")
    end_measure: Measure | None = Field(None, description="Last bar, included.")
    key: str | None = Field(None, description="Such as Dm.")
    description: str | None = Field(None, description="New text.")
    tempo: SectionTempo | None = Field(None, description="BPM.")
    time_signature: str | None = Field(None, description="Such as 3/4.")


class RemoveSection(SongChange):
    aliases: ClassVar[dict[str, str]] = {"section": "name"}
    name: str = Field(description="Section.")
    with_notes: bool = Field(False, description="true: its notes and chords too.")


class SectionChanged(Changed):
    section: SectionInfo


class SectionRemoved(Changed):
    removed: str
    removed_notes: int


class Sections(Changed):
    sections: list[SectionInfo] = Field(description="In the order of bars.")


class CopySection(SongChange):
    aliases: ClassVar[dict[str, str]] = bar_aliases("to_measure") | {
        **dict.fromkeys(("to_bar", "measure", "bar"), "to_measure"),
        "section": "name",
    }
    name: str = Field(description="Section.")
    to_measure: Measure = Field(description="First bar of the copy.")
    new_name: str | None = Field(None, description="Name for a section there.")
    key: str | None = Field(None, description="Its key.")
    transpose: Semitones | None = Field(None, description="Semitones; the key follows.")
    tracks: (
        Annotated[list[str], Field(max_length=100), BeforeValidator(one_or_more), WithJsonSchema(_STRINGS)] | None
    ) = Field(None, description="Only these; chords planned there stay.")
    replace: bool = Field(False, description="true: first remove the notes there.")


class SectionCopied(Changed):
    section: SectionInfo | None = None
    copied_notes: int
    removed_notes: int
    transposed: int = Field(description="Semitones.")


class AddTrack(SongChange):
    aliases: ClassVar[dict[str, str]] = {"track": "name", "program": "instrument"}
    name: str = Field(description="Unique.")
    instrument: str = Field(description="General MIDI name, or drums.", coerce_numbers_to_str=True)
    volume: MidiValue | None = Field(None, description="0 to 127.")
    pan: MidiValue | None = Field(None, description="0 left, 64 centre, 127.")


class EditTrack(SongChange):
    aliases: ClassVar[dict[str, str]] = {"track": "name", "program": "instrument"}
    name: str = Field(description="Present name.")
    new_name: str | None = Field(None, description="New name.")
    instrument: str | None = Field(None, description="New instrument.", coerce_numbers_to_str=True)
    volume: MidiValue | None = Field(None, description="0 to 127.")
    pan: MidiValue | None = Field(None, description="0 left, 64 centre, 127.")


class RemoveTrack(SongChange):
    aliases: ClassVar[dict[str, str]] = {"track": "name"}
    name: str = Field(description="Track.")


class TrackChanged(Changed):
    track: TrackInfo


class TrackRemoved(Changed):
    removed: str
    removed_notes: int


class Tracks(Changed):
    tracks: list[TrackInfo]


class SetChords(SongChange):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(("first_bar", "start_bar", "start_measure", "bar"), "measure")
    chords: Annotated[Any, WithJsonSchema(_CHORDS)] = Field(
        description="Text by bars, as below; % repeats a bar. Or objects {symbol, start}, or a score_id.",
    )
    measure: Measure = Field(1, description="First bar of the text.")


class ChordsSet(Changed):
    chord_count: int


class CheckSong(SongRequest):
    kinds: Annotated[list[Kind], BeforeValidator(one_or_more)] = Field(
        default_factory=list, description="Default: all."
    )
    places: PageSize = Field(5, description="Places of each.")
    limit: PageSize = Field(12, description="Up to 2000.")
    cursor: Cursor = Field(0, description="From next_cursor.")


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


class SongExportMidi(SongRequest):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(("filename", "file_name", "path", "export_name"), "filepath")

    name: str | None = Field(None, description="Name of the stored file.")
    filepath: str | None = Field(None, description="File in the export folder.")
    overwrite: bool = Field(True, description="false: refuse a taken name.")


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
    limit: SongsOnPage = Field(20, description="1 to 100.")
    title_contains: ShortText | None = Field(None, description="Part of the title.")
    cursor: ShortText | None = Field(None, description="From next_cursor.")


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
    song_id: SongId = Field(description="Id from list_songs.")


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
