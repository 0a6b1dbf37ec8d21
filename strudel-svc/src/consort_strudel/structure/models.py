"""What `analyze_song_structure` answers."""

from typing import Literal

from pydantic import Field

from consort_kit.tools.models import ToolOutput

VoiceType = Literal["rhythm", "melody", "bass", "texture", "fx"]
Complexity = Literal["simple", "moderate", "complex"]


class SetupPart(ToolOutput):
    lines: list[int] = Field(description="First and last line, from 1; empty if there is none.")
    content: list[str]
    tempo: float | None = Field(None, description="Beats a minute.")
    packs: list[str]


class SoundPlace(ToolOutput):
    instrument: str = Field(description="For example snare.")
    sound: str = Field(description="The word in the script, for example sd.")
    line: int
    column: int


class VoicePart(ToolOutput):
    id: str
    name: str | None = Field(None, description="The label or variable.")
    lines: list[int] = Field(description="First and last line, from 1.")
    type: VoiceType
    instrument: str | None = Field(None, description="The instrument; `drums` if there are several drums.")
    instruments: list[SoundPlace] = Field(description="Every instrument, also if several share one string.")
    pattern: str
    effects: list[str]
    is_muted: bool = False


class SectionPart(ToolOutput):
    name: str
    lines: list[int]
    voices: list[str] = Field(description="Ids of voices.")
    description: str | None = None


class StructureParts(ToolOutput):
    setup: SetupPart
    voices: list[VoicePart]
    sections: list[SectionPart]


class StructureSummary(ToolOutput):
    total_lines: int
    voice_count: int
    section_count: int
    complexity: Complexity
    key: str | None = Field(None, description="The scale that the script names most, for example C minor.")


class SongStructure(ToolOutput):
    structure: StructureParts
    summary: StructureSummary
