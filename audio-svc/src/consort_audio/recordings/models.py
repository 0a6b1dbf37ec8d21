"""The inputs and results of the tools for recordings, and of the routes that the recording page calls."""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from consort_kit.ids import id_pattern
from consort_kit.jobs.models import WAIT_S
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_music.fields import MetreField
from consort_music.music_ids import MUSIC_ROUTES

RECORDING_ID = id_pattern("rec")
REFERENCE_ID = id_pattern(*MUSIC_ROUTES, "audio")
MAX_DURATION_S = 1800
SLOWEST, FASTEST = 20, 400
"""Quarter notes per minute."""


class RequestAudioRecording(ToolInput):
    aliases: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("midi_file_id", "song_id", "score_id", "audio_file_id", "reference"), "reference_id"),
        "bpm": "tempo",
        "max_duration_s": "max_duration",
    }
    units: ClassVar[dict[str, str]] = {"max_duration": "seconds", "count_in": "bars"}

    prompt: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=1,
        max_length=2000,
        description="What to play or sing, shown on the page.",
        examples=["Please play the C major scale"],
    )
    max_duration: float = Field(60, ge=1, le=MAX_DURATION_S, description="Seconds; then the recording stops.")
    reference_id: str | None = Field(
        None, pattern=REFERENCE_ID, description="MIDI file, song, score or audio file to hear first."
    )
    tempo: float | None = Field(
        None,
        ge=SLOWEST,
        le=FASTEST,
        description="Clicks per minute (quarter notes). Default: that of the reference, or 100.",
    )
    time_signature: MetreField | None = Field(None, description="Default: that of the reference, or 4/4.")
    count_in: int = Field(0, ge=0, le=4, description="Bars of clicks before it begins.")
    metronome: bool = Field(False, description="Clicks while recording; needs headphones.")
    name: str | None = Field(None, description="File name. Default: made from the prompt.", examples=["scale.wav"])


class RequestedRecording(ToolOutput):
    status: Literal["recording_requested"] = "recording_requested"
    prompt: str
    max_duration: float
    tempo: float = Field(description="Quarter notes per minute, of count-in and metronome.")
    time_signature: str
    recording_id: str = Field(description="For get_recording.")
    record_url: str = Field(description="Give this link to the user: the page records and uploads. It works once.")
    expires_at: datetime


class GetRecording(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"id": "recording_id"}

    recording_id: str = Field(pattern=RECORDING_ID, description="Id from request_audio_recording.")
    wait_s: float = Field(0, ge=0, le=WAIT_S, description="Seconds to wait for the user.")


class TakeDetails(BaseModel):
    """How a recording was made, as its page reports it."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    device: str | None = Field(None, max_length=300, description="Name of the microphone.")
    latency_ms: float | None = Field(
        None, ge=0, le=2000, description="Delay from speaker to microphone; already subtracted."
    )
    latency_is_measured: bool | None = Field(None, description="false: the browser's estimate.")
    tempo: float | None = Field(
        None, ge=SLOWEST, le=FASTEST, description="Quarter notes per minute of the clicks, if there were any."
    )
    time_signature: str | None = Field(None, max_length=7)
    count_in: int | None = Field(None, ge=0, le=4, description="Bars of clicks before the first beat.")
    metronome: bool | None = None
    first_beat: float | None = Field(
        None, ge=0, le=10, description="Seconds from the start of the file to the first beat after the count-in."
    )


class RecordingReport(ToolOutput):
    status: Literal["recording_requested", "completed", "expired"]
    recording_id: str
    prompt: str | None = None
    audio_file_id: str | None = None
    duration: float | None = Field(None, description="In seconds.")
    listen_url: str | None = Field(None, description="Page that plays it, for a browser.")
    download_url: str | None = Field(None, description="Link to the file, for a browser.")
    take: TakeDetails | None = Field(None, description="How it was recorded.")
    analyses: dict[str, Any] | None = Field(None, description="Analyses that are ready.")
    expires_at: datetime | None = None


class TakeUpload(BaseModel):
    """The answer to a page that wants to upload a take."""

    audio_file_id: str
    upload_url: str
    expires_at: datetime


class ReferenceState(BaseModel):
    """Whether the reference can be heard."""

    status: Literal["ready", "rendering"]
    progress: float = Field(1.0, description="0 to 1.")
    url: str | None = Field(None, description="The sound, when it is ready.")
