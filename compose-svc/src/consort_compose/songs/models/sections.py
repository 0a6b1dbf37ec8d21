"""Inputs and outputs of the section tools."""

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, WithJsonSchema

from consort_compose.songs.models.alternative_inputs import (
    BarsInOneField,
    bar_aliases,
)
from consort_compose.songs.models.common import SongAnswer, SongChangeRequest
from consort_compose.songs.models.fields import (
    Beats,
    Measure,
    MetreOrEmpty,
    SectionTempo,
    Semitones,
    TempoBpm,
)
from consort_kit.tools.models import ToolOutput, one_or_more

_STRINGS: dict[str, Any] = {"type": "array", "items": {"type": "string"}}


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
    tempo: TempoBpm | None = Field(None, description="BPM. Default: the song's.")
    time_signature: MetreOrEmpty | None = Field(None, description="Default: the song's.")


class SectionInfo(ToolOutput):
    name: str
    start_measure: int
    end_measure: int
    start_time: Beats = Field(description="First beat.")
    end_time: Beats = Field(description="First beat after it.")
    key: str | None = None
    tempo: float
    time_signature: str
    description: str | None = None
    note_count: int | None = None


class AddSection(SectionFields, SongChangeRequest):
    pass


class EditSection(SongChangeRequest):
    aliases: ClassVar[dict[str, str]] = bar_aliases("start_measure", "end_measure") | {
        "section": "name",
        "bpm": "tempo",
    }
    name: str = Field(description="Current name.")
    new_name: str | None = Field(None, description="New name.")
    start_measure: Measure | None = Field(None, description="First bar.")
    end_measure: Measure | None = Field(None, description="Last bar, included.")
    key: str | None = Field(None, description="Such as Dm.")
    description: str | None = Field(None, description="New text.")
    tempo: SectionTempo | None = Field(None, description="BPM.")
    time_signature: MetreOrEmpty | None = Field(None, description="Such as 3/4.")


class RemoveSection(SongChangeRequest):
    aliases: ClassVar[dict[str, str]] = {"section": "name"}
    name: str = Field(description="Section.")
    with_notes: bool = Field(False, description="Its notes and chords too.")


class SectionChanged(SongAnswer):
    section: SectionInfo


class SectionRemoved(SongAnswer):
    removed: str
    removed_notes: int


class SectionList(SongAnswer):
    sections: list[SectionInfo] = Field(description="In order of bars.")


class CopySection(SongChangeRequest):
    aliases: ClassVar[dict[str, str]] = bar_aliases("to_measure") | {
        **dict.fromkeys(("to_bar", "measure", "bar"), "to_measure"),
        "section": "name",
    }
    name: str = Field(description="Section.")
    to_measure: Measure = Field(description="First bar of the copy.")
    new_name: str | None = Field(None, description="Add a section of this name.")
    key: str | None = Field(None, description="Key of the copy.")
    transpose: Semitones | None = Field(None, description="Semitones; the key follows.")
    tracks: (
        Annotated[list[str], Field(max_length=100), BeforeValidator(one_or_more), WithJsonSchema(_STRINGS)] | None
    ) = Field(None, description="Only these; chords there stay.")
    replace: bool = Field(False, description="First remove the notes there.")


class SectionCopied(SongAnswer):
    section: SectionInfo | None = None
    copied_notes: int
    removed_notes: int
    transposed: int = Field(description="Semitones.")
