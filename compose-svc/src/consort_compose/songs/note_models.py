"""What goes into the tools for notes and what comes out. Every text here is read by an assistant."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from consort_compose.songs.fields import (
    Beats,
    Cursor,
    Measure,
    MidiValue,
    Milliseconds,
    PageSize,
    Pitch,
    ScoreId,
    Semitones,
    Share,
    Swing,
)
from consort_compose.songs.models import Changed, CheckedChange, SongRequest
from consort_compose.songs.other_spellings import BarsInOneField, bar_aliases, parts_by_name
from consort_kit.models import ToolOutput

_NOTES: dict[str, Any] = {"type": ["object", "string", "array"], "items": {"type": "object"}}


class AddNotes(BarsInOneField, CheckedChange):
    aliases: ClassVar[dict[str, str]] = bar_aliases("first_bar", "last_bar") | {
        "measure": "first_bar",
        "bar": "first_bar",
    }
    notes: Annotated[Any, WithJsonSchema(_NOTES)] = Field(
        None,
        description="{track: text}, text, or objects {track, pitch, start, duration, velocity}.",
    )
    score_id: ScoreId | None = Field(None, description="Or a composed score; its chords are planned.")
    parts: Annotated[dict[str, str], BeforeValidator(parts_by_name), WithJsonSchema({"type": "object"})] | None = Field(
        None, description='Track for each part of it: {"melody": "Flute", "2": "Cello"}.'
    )
    track: str | None = Field(None, description="For notes that name none, or all parts.")
    first_bar: Measure | None = Field(None, description="Bar of beat 0. Default 1.")
    last_bar: Measure | None = Field(None, description="No note may start after it.")
    section: str | None = Field(None, description="Instead of bars.")
    replace: bool = Field(False, description="true: first remove what these tracks have there.")


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


class NoteSelection(BarsInOneField):
    aliases: ClassVar[dict[str, str]] = {
        **bar_aliases("first_bar", "last_bar"),
        **dict.fromkeys(("start", "start_beat", "first_beat", "from_beat"), "start_time"),
        **dict.fromkeys(("end", "end_beat", "to_beat"), "end_time"),
    }
    units: ClassVar[dict[str, str]] = {"start_time": "beats", "end_time": "beats"}
    track: str | None = Field(None, description="Default: all.")
    first_bar: Measure | None = Field(None, description="From 1.")
    last_bar: Measure | None = Field(None, description="Default: the end.")
    section: str | None = Field(None, description="Instead of bars.")
    start_time: Beats | None = Field(None, description="Or beats: from here.")
    end_time: Beats | None = Field(None, description="Before this.")
    pitch: Pitch | None = Field(None, description="C4, or C3-G5.")


class GetNotes(NoteSelection, SongRequest):
    format: Literal["text", "objects"] = Field("text", description="objects: longer.")
    limit: PageSize = Field(200, description="Up to 2000.")
    cursor: Cursor = Field(0, description="From next_cursor.")


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
    move_by: Beats | None = Field(None, description="Beats; negative: earlier.")
    stretch: Beats | None = Field(None, description="Factor: 2 is twice as slow.")
    transpose: Semitones | None = Field(None, description="Semitones; drums stay.")
    duration: Beats | None = Field(None, description="Beats, or quarter.")
    velocity: Pitch | None = Field(None, description="1 to 127, or +10, -10, x0.8.")
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
