"""What goes into generate_melody and what comes out. Every text here is read by an assistant."""

from pydantic import Field

from consort_compose.composer.fields import (
    ChordBars,
    IncludeMusicXml,
    IncludeNotes,
    IntervalName,
    KeyName,
    MetreName,
    NoteName,
    Seed,
)
from consort_compose.composer.melody.request import Contour, Density
from consort_compose.composer.models import Passage
from consort_kit.models import ToolInput, ToolOutput


class GenerateMelody(ToolInput):
    key: KeyName = Field(description="C major, F# minor, D dorian, E blues…")
    length_measures: int = Field(ge=1, le=64, description="Bars.")
    time_signature: MetreName = Field("4/4", description="3/4, 6/8, 7/8…")
    range_low: NoteName = Field("C4", description="Lowest note.")
    range_high: NoteName = Field("C6", description="Highest note.")
    contour: Contour | None = Field(None, description="Default: as a folk tune goes.")
    rhythmic_density: Density = Field("medium", description="1-2, 2-4 or 4-8 notes a bar.")
    start_note: NoteName | None = Field(None, description="First note.")
    end_note: NoteName | None = Field(None, description="Last note.")
    avoid_leaps_greater_than: IntervalName | None = Field(None, description="Largest move, such as P5.")
    prefer_stepwise: float = Field(0.7, ge=0, le=1, description="Share of steps.")
    chords: ChordBars | None = Field(None, description="Chords to follow: C | Am | F G.")
    pickup: float = Field(0, ge=0, le=16, multiple_of=0.25, description="Quarter notes before bar 1.")
    swing: bool = Field(False, description="Swing the eighths.")
    seed: Seed | None = Field(None, description="Same seed, same melody.")
    max_attempts: int = Field(100, ge=1, le=1000, description="Tries before a wish is relaxed.")
    include_musicxml: IncludeMusicXml = False
    include_notes: IncludeNotes = False


class MelodyMetadata(ToolOutput):
    measures: int
    note_count: int
    actual_range: str = Field(examples=["C4-G5"])
    key: str
    time_signature: str
    seed_used: int
    step_ratio: float = Field(description="Share of moves that are no leaps.")
    contour_fit: float | None = Field(None, description="Correlation with the contour asked for; 0.5 is enough.")


class GeneratedMelody(ToolOutput):
    melody: Passage | None = None
    metadata: MelodyMetadata
