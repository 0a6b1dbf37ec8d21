"""Inputs and outputs of preview_events and strudel_export_midi. An assistant reads every description here."""

from typing import ClassVar, Self

from pydantic import Field, model_validator

from consort_kit.tools.models import ToolInput, ToolOutput, check_one_given
from consort_strudel.projects.models.fields import Code, ProjectName

MOST_CYCLES = 256


class ScriptSource(ToolInput):
    """A script: that of a project, or any code."""

    aliases: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("name", "project"), "project_name"),
        **dict.fromkeys(("script", "code"), "script_content"),
    }
    units: ClassVar[dict[str, str]] = {"begin": "bars", "cycles": "bars"}

    project_name: ProjectName | None = Field(None, description="As in list_projects.")
    script_content: Code | None = Field(None, description="Instead: any code.")

    @model_validator(mode="after")
    def _check_one_source(self) -> Self:
        check_one_given(self, ("project_name", "script_content"), '{"project_name": "rain"}')
        return self


class PreviewEvents(ScriptSource):
    begin: int = Field(0, ge=0, le=100_000, description="First cycle, from 0.")
    cycles: int = Field(4, ge=1, le=MOST_CYCLES, description="How many.")
    max_rows: int = Field(60, ge=1, le=400, description="Rows at most.")
    picture: bool = Field(False, description="Show a piano roll and drum grid, too.")
    width: int = Field(1200, ge=320, le=3000, description="Pixels of the picture.")
    height: int = Field(600, ge=200, le=2000, description="Pixels of the picture.")


class PreviewedVoice(ToolOutput):
    voice: str
    line: int | None = Field(None, description="Where it is in the script.")
    event_count: int
    common: str | None = Field(None, description="Controls of all its events.")
    rows: list[str] = Field(description="Cycles: onsets, note or sound, length, other controls; … (in cycles).")
    rows_left_out: int | None = None


class EventsPreview(ToolOutput):
    begin: int
    end: int = Field(description="The cycle after the last one.")
    event_count: int
    tempo: float = Field(description="BPM at the beginning.")
    beats_per_cycle: float
    seconds: float = Field(description="How long these cycles last.")
    voices: list[PreviewedVoice]
    silent_voices: list[str] | None = Field(None, description="Voices that play nothing in these cycles.")
    picture_url: str | None = None
    warnings: list[str] | None = None


class StrudelExportMidi(ScriptSource):
    begin: int = Field(0, ge=0, le=100_000, description="First cycle, from 0.")
    cycles: int | None = Field(None, ge=1, le=MOST_CYCLES, description="Default: until the music repeats.")
    beats_per_cycle: float | None = Field(
        None, gt=0, le=64, description="Default: of the project, or N of setcpm(x/N), or 4."
    )
    name: str | None = Field(None, max_length=200, description="File name, such as groove.mid.")


class MidiTrackMade(ToolOutput):
    name: str
    instrument: str
    note_count: int


class StrudelMidi(ToolOutput):
    midi_file_id: str
    path: str | None = Field(None, description="Relative to the data folder.")
    full_path: str | None = None
    download_url: str | None = None
    note_count: int
    event_count: int
    unmapped_count: int = Field(description="Events that are not in the file; warnings say why.")
    cycles: int
    seconds: float
    tempo: float = Field(description="BPM at the beginning.")
    tempo_changes: int
    beats_per_cycle: float
    tracks: list[MidiTrackMade]
    warnings: list[str] | None = None
