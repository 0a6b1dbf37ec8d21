"""Input and output of add_voice. Assistants read the descriptions."""

from typing import ClassVar, Literal

from pydantic import Field

from consort_compose.composer.fields import (
    MUSIC,
    MUSIC_ALIASES,
    ChordBars,
    IncludeMusicXml,
    IncludeNotes,
    InputFormat,
    MusicText,
    Seed,
)
from consort_compose.composer.models import Passage
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_music.fields import KeyField, PitchField


class AddVoice(ToolInput):
    aliases: ClassVar[dict[str, str]] = dict.fromkeys(MUSIC_ALIASES, "existing_voice")

    existing_voice: MusicText = Field(description=MUSIC)
    input_format: InputFormat | None = Field(None, description="Default: detected.")
    new_voice_type: Literal["soprano", "alto", "tenor", "bass"] = Field(
        description="Sets the range. Soprano goes above, others below."
    )
    relationship: Literal["contrary", "oblique", "parallel_thirds", "parallel_sixths", "free"] = Field(
        "contrary", description="oblique holds notes; free keeps only the interval rules."
    )
    species: int = Field(
        0,
        ge=0,
        le=5,
        description="0: free. 1-5: strict (1:1, 2:1, 4:1, tied, florid) to a cantus in whole notes.",
    )
    range_low: PitchField | None = Field(None, description="Default: soprano C4, alto F3, tenor C3, bass E2.")
    range_high: PitchField | None = Field(None, description="Default: soprano A5, alto D5, tenor A4, bass E4.")
    harmonic_context: ChordBars | None = Field(None, description="Chords by bar: C | Am | F G. Default: the music's.")
    position: Literal["auto", "above", "below"] = Field("auto", description="Side of the new voice.")
    avoid_parallels: bool = Field(True, description="No parallel fifths or octaves.")
    key: KeyField | None = Field(None, description="D dorian… Default: the music's, or detected.")
    seed: Seed | None = Field(None, description="Same seed, same voice.")
    max_attempts: int = Field(50, ge=1, le=500, description="Tries before relaxing a rule.")
    include_musicxml: IncludeMusicXml = False
    include_notes: IncludeNotes = False


class VoiceLeadingFault(ToolOutput):
    location: int = Field(description="Index of the moment among those compared; for a leap, of the note.")
    measure: int
    beat: float
    interval: str = Field(examples=["P5"])
    voices: list[str]
    kind: str | None = Field(None, description="For a leap: no_recovery or same_direction.")


class VoiceLeadingAnalysis(ToolOutput):
    score: float = Field(description="From 0 to 1; 1 means no faults.")
    parallel_fifths: list[VoiceLeadingFault]
    parallel_octaves: list[VoiceLeadingFault]
    voice_crossings: list[VoiceLeadingFault]
    direct_intervals: list[VoiceLeadingFault]
    spacing_issues: list[VoiceLeadingFault]
    leaps: list[VoiceLeadingFault]


class CombinedScore(ToolOutput):
    musicxml: str | None = None
    parts: list[str]


class AddedVoiceMetadata(ToolOutput):
    key: str
    position: Literal["above", "below"]
    range: str = Field(examples=["F3-D5"], description="Lowest and highest note of the new voice.")
    seed_used: int


class AddedVoice(ToolOutput):
    new_voice: Passage | None = None
    combined_score: CombinedScore
    voice_leading_analysis: VoiceLeadingAnalysis
    metadata: AddedVoiceMetadata
