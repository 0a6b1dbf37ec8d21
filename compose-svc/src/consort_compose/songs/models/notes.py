"""Inputs and outputs of the note tools."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from consort_compose.songs.models.alternative_inputs import BarsInOneField, bar_aliases, parts_by_name
from consort_compose.songs.models.common import SongAnswer, SongRequest, VersionedChangeRequest
from consort_compose.songs.models.fields import (
    Beats,
    Cursor,
    Measure,
    MidiValue,
    Milliseconds,
    PageSize,
    PitchInput,
    ScoreId,
    Semitones,
    Share,
    SwingPercent,
    VelocityOrChange,
)
from consort_kit.tools.models import ToolOutput

_NOTES: dict[str, Any] = {"type": ["object", "string", "array"], "items": {"type": "object"}}


class AddNotes(BarsInOneField, VersionedChangeRequest):
    aliases: ClassVar[dict[str, str]] = bar_aliases("first_bar", "last_bar") | {
        "measure": "first_bar",
        "bar": "first_bar",
    }
    notes: Annotated[Any, WithJsonSchema(_NOTES)] = Field(
        None,
        description="{track: text}, text, or objects {track, pitch, start, duration, velocity}.",
    )
    score_id: ScoreId | None = Field(None, description="Or a composed score; also plans its chords.")
    parts: Annotated[dict[str, str], BeforeValidator(parts_by_name), WithJsonSchema({"type": "object"})] | None = Field(
        None, description='Track of each part: {"melody": "Flute"}.'
    )
    track: str | None = Field(None, description="Track for plain text, or for all parts.")
    first_bar: Measure | None = Field(None, description="Bar where beat 0 is. Default 1.")
    last_bar: Measure | None = Field(None, description="No note may start after it.")
    section: str | None = Field(None, description="Instead of bars.")
    replace: bool = Field(False, description="First remove notes in these bars; without bars, under the new.")


class NotesInTrack(ToolOutput):
    track: str
    note_count: int
    start_time: Beats
    end_time: Beats


class NotesAdded(SongAnswer):
    added: int
    removed_notes: int | None = Field(None, description="Notes that were replaced.")
    planned_chords: int | None = Field(None, description="Chords taken from the score.")
    tracks: list[NotesInTrack]
    new_tracks: list[str] | None = Field(None, description="Added for parts of the score.", examples=["Cello: Cello"])


class NoteSelectionFields(BarsInOneField):
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
    start_time: Beats | None = Field(None, description="Instead of bars: first beat.")
    end_time: Beats | None = Field(None, description="Beat after the last.")
    pitch: PitchInput | None = Field(None, description="C4, or C3-G5.")


class GetNotes(NoteSelectionFields, SongRequest):
    format: Literal["text", "objects"] = Field("text", description="objects: one for each note.")
    limit: PageSize = Field(200, description="Up to 2000.")
    cursor: Cursor = Field(0, description="From next_cursor.")


class NoteInfo(ToolOutput):
    track: str
    pitch: int
    start: Beats
    duration: Beats
    velocity: int


class SongNotePage(SongAnswer):
    notes: list[NoteInfo] | dict[str, str] = Field(description="By track, in order of time.")
    beat_0_is_bar: int | None = Field(None, description="With first_bar: beats count from this bar, as in add_notes.")
    note_count: int = Field(description="Selected notes, on all pages.")
    next_cursor: int | None = Field(None, description="Absent on the last page.")


class RemoveNotes(NoteSelectionFields, VersionedChangeRequest):
    pass


class NotesRemoved(SongAnswer):
    removed_notes: int


class EditNotes(NoteSelectionFields, VersionedChangeRequest):
    move_by: Beats | None = Field(None, description="Beats; negative: earlier.")
    stretch: Beats | None = Field(None, description="Factor: 2 is twice as slow.")
    transpose: Semitones | None = Field(None, description="Semitones; drums stay.")
    duration: Beats | None = Field(None, description="Beats, or quarter.")
    velocity: VelocityOrChange | None = Field(None, description="1 to 127, or +10, -10, x0.8.")
    quantize: str | None = Field(None, description="Grid: 1/16, 1/8t (triplets).")
    strength: Share = Field(1, description="0 to 1: how far to the grid.")
    swing: SwingPercent | None = Field(None, description="Percent, 50 to 75; 66.7: triplets.")
    swing_grid: str = Field("1/8", description="Note value that swings.")
    humanize: Milliseconds | None = Field(None, description="Max shift in ms, up to 200.")
    humanize_velocity: MidiValue = Field(8, description="Max change, with humanize.")
    seed: int = Field(0, description="For humanize.")


class NotesEdited(SongAnswer):
    edited_notes: int
    changed: dict[str, int] | None = Field(None, description="Counts of rhythm edits: moved, shortened …")
