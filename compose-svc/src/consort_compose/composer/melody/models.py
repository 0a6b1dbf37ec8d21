"""Input and output of generate_melody. Assistants read the descriptions."""

from pydantic import Field

from consort_compose.composer.fields import ChordBars, IncludeMusicXml, IncludeNotes, Seed
from consort_compose.composer.melody.engine.request_and_result import Contour, Density
from consort_compose.composer.models import Passage
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_music.fields import IntervalField, KeyField, MetreField, PitchField


class GenerateMelody(ToolInput):
    key: KeyField = Field(description="C major, F# minor, D dorian, E blues…")
    length_measures: int = Field(ge=1, le=64, description="Bars.")
    time_signature: MetreField = Field("4/4", validate_default=True, description="3/4, 6/8, 7/8…")
    range_low: PitchField = Field("C4", validate_default=True, description="Lowest note.")
    range_high: PitchField = Field("C6", validate_default=True, description="Highest note.")
    contour: Contour | None = Field(None, description="Default: a folk tune's.")
    rhythmic_density: Density = Field("medium", description="1-2, 2-4, 4-8 notes a bar; 6/8: 2-3, 3-5, 4-8.")
    start_note: PitchField | None = Field(None, description="First note.")
    end_note: PitchField | None = Field(None, description="Last note.")
    avoid_leaps_greater_than: IntervalField | None = Field(None, description="Largest leap: m2, M3, P5…")
    prefer_stepwise: float | None = Field(None, ge=0, le=1, description="Share of moves by step.")
    chords: ChordBars | None = Field(None, description="Chords to follow: C | Am | F G.")
    pickup: float = Field(0, ge=0, le=16, multiple_of=0.25, description="Quarters before bar 1.")
    swing: bool = Field(False, description="Swing the eighths.")
    seed: Seed | None = Field(None, description="Same seed, same melody.")
    max_attempts: int = Field(100, ge=1, le=1000, description="Tries before relaxing a wish.")
    include_musicxml: IncludeMusicXml = False
    include_notes: IncludeNotes = False


class MelodyMetadata(ToolOutput):
    measures: int
    note_count: int
    actual_range: str = Field(examples=["C4-G5"])
    key: str
    time_signature: str
    seed_used: int
    step_ratio: float = Field(description="Share of moves that are steps or repeated notes.")
    contour_fit: float | None = Field(None, description="Correlation with the contour, which is followed from 0.5 on.")


class GeneratedMelody(ToolOutput):
    melody: Passage | None = None
    metadata: MelodyMetadata
