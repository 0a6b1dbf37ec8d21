"""The inputs and results of read_midi_notes and validate_midi. The descriptions are sent with every tool listing."""

from typing import Annotated, Literal

from pydantic import Field

from consort_kit.tools.chosen_music import TrackChoice
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_midi_store.files.models import MidiSource
from consort_midi_store.midi_text.note_pages import NoteQuery
from consort_music.errors import MusicError
from consort_music.pitch import Pitch, parse_pitch_or_number

PitchText = Annotated[str, Field(coerce_numbers_to_str=True)]
"""A pitch name or a MIDI number. A number is converted to text."""


class ReadMidiNotes(MidiSource):
    format: Literal["text", "objects"] = Field("text", description="text: as validate_midi takes it.")
    tracks: TrackChoice | None = Field(None, description="Only these: indexes from 0, or names.")
    first_bar: int | None = Field(None, ge=1, description="From this bar on.")
    last_bar: int | None = Field(None, ge=1, description="Up to this bar.")
    start_beat: float | None = Field(None, ge=0, description="Instead of bars: from here, in quarter notes.")
    end_beat: float | None = Field(None, gt=0, description="Only before it.")
    lowest: PitchText | None = Field(None, max_length=8, description="From this pitch up.", examples=["C3"])
    highest: PitchText | None = Field(None, max_length=8, description="Up to this pitch.", examples=["G5"])
    limit: int = Field(200, ge=1, le=2000, description="Notes per page.")
    cursor: int = Field(0, ge=0, description="From next_cursor.")

    def query(self) -> NoteQuery:
        """Return the parsed parameters. Raise MusicError if a pitch is invalid."""
        return NoteQuery(
            as_text=self.format == "text",
            tracks=self.tracks,
            first_bar=self.first_bar,
            last_bar=self.last_bar,
            start_beat=self.start_beat,
            end_beat=self.end_beat,
            lowest=_parse_pitch(self.lowest, "lowest"),
            highest=_parse_pitch(self.highest, "highest"),
            limit=self.limit,
            cursor=self.cursor,
        )


def _parse_pitch(text: str | None, field: str) -> Pitch | None:
    if not text:
        return None
    try:
        return parse_pitch_or_number(text)
    except MusicError as error:
        raise MusicError(error.code, f"'{field}': {error.message}", error.suggestions, field) from error


class MidiNote(ToolOutput):
    track: int
    channel: int = Field(description="1 to 16; 10 is drums.")
    pitch: str = Field(description="Name, or the number for 0 to 11.", examples=["F#4"])
    start: float | str = Field(description='In beats from 0; a fraction such as "4/3" where a decimal is not exact.')
    duration: float | str
    velocity: int


class MidiNotes(ToolOutput):
    midi_file_id: str | None = Field(None, description="For a song or score: the file that it was exported to.")
    notes: list[MidiNote] | None = None
    text: str | None = None
    note_count: int = Field(description="Notes that match, on all pages.")
    next_cursor: int | None = Field(None, description="For the next page; absent on the last.")
    warnings: list[str] | None = None


class ValidateMidi(ToolInput):
    midi_text: str = Field(
        description="MIDI text, a note list, ABC, MusicXML, or .mxl as base64.",
    )
    name: str | None = Field(None, description="Default: the title of the music, or untitled.", examples=["idea.mid"])
    overwrite: bool = Field(False, description="Replace a file with this name; it keeps its id.")
    store: bool = Field(True, description="false: only check the text.")


class MidiTextMetadata(ToolOutput):
    duration: float = Field(description="In seconds.")
    tempo: float = Field(description="At the start, in quarter notes per minute.")
    tracks: int
    note_count: int


class MidiVerdict(ToolOutput):
    valid: bool
    midi_file_id: str | None = None
    name: str | None = None
    path: str | None = Field(None, description="Relative to the data folder; valid as input.")
    full_path: str | None = Field(None, description="Where the file is on the user's machine.")
    download_url: str | None = None
    errors: list[str] = Field(description="Each with its line and what to write instead.")
    warnings: list[str]
    metadata: MidiTextMetadata | None = None
