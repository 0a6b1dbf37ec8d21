"""The inputs and answers of the comparison tools. Descriptions are sent with every tool listing: keep short."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from consort_audio.comparison.reference.parameters import ReferenceType
from consort_audio.files.models import AUDIO_FILE_ID
from consort_kit.ids import id_pattern
from consort_kit.jobs.models import WAIT_S, WaitSeconds
from consort_kit.tools.models import ToolInput, ToolOutput, check_one_given, lower_case

_PARAMS = (
    'scale: {"scale": "D major", "octaves", "pattern": "up|down|up_down|thirds", "start_note", "tempo"}. '
    'exercise: {"kind": "arpeggio|interval|notes", "chord", "interval", "notes", "key", "tempo"}. '
    'midi_file, song, score: {"midi_file_id|song_id|score_id", "track", "first_bar", "last_bar", "tempo"}.'
)
_EXAMPLE = {"scale": "D major", "pattern": "up_down"}
ReferenceName = Annotated[ReferenceType, BeforeValidator(lower_case)]


class ReferencedTake(ToolInput):
    """A take, as audio or MIDI, and the reference that it is compared with."""

    aliases: ClassVar[dict[str, str]] = {"audio_id": "audio_file_id", "params": "reference_params"}

    audio_file_id: str | None = Field(None, description="The take.", pattern=AUDIO_FILE_ID)
    midi_file_id: str | None = Field(
        None, description="Or a take played on a MIDI keyboard.", pattern=id_pattern("midi")
    )
    reference_type: ReferenceName = Field(description="What should have been played.")
    reference_params: dict[str, Any] = Field(description=_PARAMS, examples=[_EXAMPLE])

    @model_validator(mode="after")
    def _check_one_take(self) -> Self:
        check_one_given(self, ("audio_file_id", "midi_file_id"), '{"audio_file_id": "audio_4r0c…"}')
        return self


class CompareToReference(ReferencedTake):
    wait_s: WaitSeconds = WAIT_S


class PracticeReport(ReferencedTake):
    reference_params: dict[str, Any] = Field(description="As of compare_to_reference.", examples=[_EXAMPLE])
    format: Literal["png", "svg"] = Field("png", description="Chat programs show png.")
    width: int = Field(1000, ge=320, le=2400, description="Pixels; 400 for a phone.")
    title: str | None = Field(None, max_length=120, description="Default: the file and the reference.")
    wait_s: WaitSeconds = WAIT_S


class CompareAudio(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"audio1": "audio_file_id_1", "audio2": "audio_file_id_2"}

    audio_file_id_1: str = Field(description="The earlier take.", pattern=AUDIO_FILE_ID)
    audio_file_id_2: str = Field(description="The later take.", pattern=AUDIO_FILE_ID)
    comparison_type: Annotated[Literal["rhythm", "pitch", "tempo", "overall"], BeforeValidator(lower_case)] = Field(
        "overall", description="What to compare."
    )
    reference_type: ReferenceName | None = Field(None, description="Judge both by this, as compare_to_reference.")
    reference_params: dict[str, Any] | None = Field(
        None, description="As in compare_to_reference.", examples=[_EXAMPLE]
    )
    wait_s: WaitSeconds = WAIT_S


class TakeError(ToolOutput):
    time: float = Field(description="Seconds.")
    type: str = Field(
        description="wrong_note, missing_note, extra_note, early, late, too_short, too_long, sharp, flat, wrong_octave."
    )
    expected: str | None = Field(None, examples=["E4"])
    played: str | None = Field(None, examples=["F4"])
    bar: int | None = Field(None, description="Left out if bars are not known.")
    beat: float | None = Field(None, description="In its bar, from 1.")
    severity: Literal["minor", "moderate", "major"]
    deviation_ms: float | None = Field(None, description="Negative: early.")
    cents: float | None = Field(None, description="Negative: flat.")
    length_ratio: float | None = Field(None, description="Played over expected length.")


class TakeComparison(ToolOutput):
    pitch_accuracy: float
    rhythm_accuracy: float
    tempo_match: float
    overall: float = Field(description="Mean of pitch_accuracy and rhythm_accuracy.")


class PracticeSpot(ToolOutput):
    bars: str
    time: float = Field(description="Seconds.")
    end_time: float
    problem: str
    advice: str


class TakeRestart(ToolOutput):
    time: float = Field(description="Seconds.")
    from_bar: int
    to_bar: int
    text: str


class ReferenceComparison(ToolOutput):
    reference_type: str
    scale: str | None = None
    title: str | None = None
    comparison: TakeComparison = Field(description="Scores, 0 to 1.")
    completeness: float = Field(description="Share of the expected notes that were played.")
    tempo: dict[str, float] | None = Field(None, description="BPM: played, and expected if it was asked for.")
    tuning_cents: float | None = Field(None, description="The take as a whole against A = 440 Hz.")
    errors: list[TakeError] = Field(description="By time; at most 60, the most severe.")
    error_count: int
    error_types: dict[str, int]
    worst_spots: list[PracticeSpot] = Field(description="Up to three, the worst first.")
    restarts: list[TakeRestart] = Field(description="Where the player went back or skipped.")
    remarks: list[str]
    confidence: float
    method: str
    reference: str = Field(description="What good looks like.")
    warnings: list[str] | None = None


class TempoDifference(ToolOutput):
    audio1: float | None = Field(None, description="BPM of the first take.")
    audio2: float | None = Field(None, description="BPM of the second take.")
    difference: float | None = Field(None, description="BPM.")


class AccuracyDifference(ToolOutput):
    audio1: float | None = Field(None, description="0 to 1.")
    audio2: float | None = Field(None, description="0 to 1.")
    improvement: float | None = Field(None, description="Negative: worse.")


class TakeDifferences(ToolOutput):
    tempo: TempoDifference | None = None
    tempo_match: AccuracyDifference | None = Field(None, description="If the reference has a tempo.")
    pitch_accuracy: AccuracyDifference | None = None
    rhythm_accuracy: AccuracyDifference | None = None


class AudioComparison(ToolOutput):
    comparison_type: str
    similarity_score: float = Field(description="0 to 1.")
    differences: TakeDifferences
    improvements: list[str] = Field(description="What is better in the second take.")
    regressions: list[str]
    fixed_errors: list[TakeError] | None = Field(None, description="With a reference: errors of the first take only.")
    new_errors: list[TakeError] | None = Field(None, description="With a reference: errors of the second take only.")
    remaining_errors: list[TakeError] | None = None
    error_counts: dict[str, int] | None = None
    note_differences: list[TakeError] | None = Field(None, description="Without a reference: where the takes differ.")
    note_difference_count: int | None = None
    confidence: float
    method: str
    reference: str = Field(description="What good looks like.")
    warnings: list[str] | None = None
