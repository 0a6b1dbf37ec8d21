"""What goes into transform_phrase and what comes out. Every text here is read by an assistant."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from consort_compose.composer.fields import (
    MUSIC,
    MUSIC_ALIASES,
    IncludeMusicXml,
    IncludeNotes,
    InputFormat,
    IntervalName,
    KeyName,
    MusicText,
)
from consort_compose.composer.models import Passage
from consort_kit.models import ToolInput, ToolOutput

Transformation = Literal[
    "repeat",
    "sequence",
    "inversion",
    "retrograde",
    "retrograde_inversion",
    "augmentation",
    "diminution",
    "fragment_first",
    "fragment_last",
]


def _as_list(given: object) -> object:
    return [given] if isinstance(given, str) else given


def _one_or_list(schema: dict[str, Any]) -> None:
    """A single one may stand alone; a union would name its branches in errors."""
    listed = {name: schema.pop(name) for name in ("type", "items", "minItems", "maxItems")}
    schema["anyOf"] = [listed["items"], listed]


class TransformPhrase(ToolInput):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(MUSIC_ALIASES, "input_stream")

    input_stream: MusicText = Field(description=MUSIC)
    input_format: InputFormat | None = Field(None, description="Default: detected.")
    transformation: Annotated[list[Transformation], BeforeValidator(_as_list)] = Field(
        description="One of these, or a list in order.",
        min_length=1,
        max_length=8,
        json_schema_extra=_one_or_list,
    )
    repetitions: int = Field(1, ge=1, le=16, description="Times; for fragment_* the notes to keep.")
    interval: IntervalName = Field("M2", description="Step of a sequence: m3, P5…")
    direction: Literal["up", "down"] = Field(
        "up", description="Of a sequence; inversion axis: up = first note, down = last."
    )
    append: bool = Field(True, description="false: the result alone.")
    key: KeyName | None = Field(None, description="D dorian… Default: the music's, or detected.")
    chromatic: bool = Field(False, description="Invert by exact semitones, not in the key.")
    tonal: bool = Field(False, description="Sequence in the key, not by the exact interval.")
    include_musicxml: IncludeMusicXml = False
    include_notes: IncludeNotes = False


class AppliedParameters(ToolOutput):
    repetitions: int
    interval: str
    direction: str
    key: str
    chromatic: bool
    tonal: bool


class TransformedPhrase(ToolOutput):
    original: Passage | None = None
    transformed: Passage | None = Field(None, description="The result alone.")
    combined: Passage | None = None
    transformation_applied: str
    parameters: AppliedParameters
