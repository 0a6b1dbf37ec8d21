"""Input and output of transform_phrase. Assistants read the descriptions."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from consort_compose.composer.fields import (
    MUSIC,
    MUSIC_ALIASES,
    IncludeMusicXml,
    IncludeNotes,
    InputFormat,
    MusicText,
    text_as_list,
)
from consort_compose.composer.models import Passage
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_music.fields import IntervalField, KeyField

PhraseTransformation = Literal[
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


def _one_or_list(schema: dict[str, Any]) -> None:
    """Make the schema accept a single name too. A union type is not used, because errors would name its branches."""
    listed = {name: schema.pop(name) for name in ("type", "items", "minItems", "maxItems")}
    schema["anyOf"] = [listed["items"], listed]


class TransformPhrase(ToolInput):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(MUSIC_ALIASES, "input_stream")

    input_stream: MusicText = Field(description=MUSIC)
    input_format: InputFormat | None = Field(None, description="Default: detected.")
    transformation: Annotated[list[PhraseTransformation], BeforeValidator(text_as_list)] = Field(
        description="One of these, or a list in order.",
        min_length=1,
        max_length=8,
        json_schema_extra=_one_or_list,
    )
    repetitions: int = Field(1, ge=1, le=16, description="How often; for fragment_*, notes to keep.")
    interval: IntervalField = Field("M2", validate_default=True, description="Step of a sequence: m3, P5…")
    direction: Literal["up", "down"] = Field(
        "up", description="Of a sequence. Inversion at the first note (up) or the last (down)."
    )
    append: bool = Field(True, description="false: only the result.")
    key: KeyField | None = Field(None, description="D dorian… Default: the music's, or detected.")
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
    transformed: Passage | None = Field(None, description="Only the result.")
    combined: Passage | None = None
    transformation_applied: str
    parameters: AppliedParameters
