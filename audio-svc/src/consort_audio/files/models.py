"""The inputs and results of the tools for audio files. Descriptions are sent with every tool listing: keep short."""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from consort_audio.files.store import AudioKind
from consort_kit.ids import id_pattern
from consort_kit.jobs.models import WAIT_S, WaitSeconds
from consort_kit.tools.models import ToolInput, ToolOutput, check_one_given, lower_case

AUDIO_FILE_ID = id_pattern("audio")
AUDIO_ALIASES = dict.fromkeys(("file_id", "audio_id"), "audio_file_id")
DownloadFormat = Annotated[Literal["wav", "flac", "ogg", "mp3"], BeforeValidator(lower_case)]

_ID = "Id of an audio file."
_EXAMPLE_ID = "audio_4r0c9v7j2m5x8b1n6q3t0w4y7z"
_LISTEN = "Page that plays it, for a browser; valid for one day."
_DOWNLOAD = "Link to the file, for a browser; valid for one day."


class StoreAudio(ToolInput):
    path: str | None = Field(None, description="A file in import/ or export/.", examples=["import/take.wav"])
    base64: str | None = Field(None, description="The file's bytes, up to 8 MB.")
    upload_link: bool = Field(False, description="Return a page to upload up to 500 MB.")
    name: str | None = Field(None, description="Default: the file's own name.", examples=["take.wav"])
    wait_s: WaitSeconds = WAIT_S

    @model_validator(mode="after")
    def _check_one_source(self) -> Self:
        check_one_given(self, ("path", "base64", "upload_link"), '{"path": "import/take.wav"}')
        return self


class StoredAudio(ToolOutput):
    audio_file_id: str = Field(description="Id for every tool that takes audio.", examples=[_EXAMPLE_ID])
    name: str | None = None
    duration: float | None = Field(None, description="In seconds.")
    sample_rate: int | None = None
    channels: int | None = None
    format: str | None = None
    file_size_bytes: int | None = None
    listen_url: str | None = Field(None, description=_LISTEN)
    download_url: str | None = Field(None, description=_DOWNLOAD)
    upload_url: str | None = Field(None, description="Give this to the user: a page to upload the file (or PUT it).")
    expires_at: datetime | None = Field(None, description="When the upload link expires.")


class GetAudioInfo(ToolInput):
    aliases: ClassVar[dict[str, str]] = AUDIO_ALIASES

    audio_file_id: str = Field(description=_ID, pattern=AUDIO_FILE_ID)
    download_format: DownloadFormat | None = Field(None, description="Of download_url. Default: as stored.")


class AudioInfo(ToolOutput):
    audio_file_id: str
    name: str
    kind: AudioKind
    duration: float = Field(description="In seconds.")
    sample_rate: int = Field(description="In Hz.")
    channels: int
    format: str = Field(examples=["wav"])
    file_size_bytes: int
    loudness: float | None = Field(None, description="Integrated, in LUFS (BS.1770); absent if silent or under 0.4 s.")
    peak: float | None = Field(None, description="Highest sample in dB; 0 is full scale; absent if silent.")
    origin: dict[str, Any] | None = Field(
        None, description="What it was made from, such as midi_file_id, and how: times in seconds, options."
    )
    created_at: datetime
    listen_url: str = Field(description=_LISTEN)
    download_url: str = Field(description=_DOWNLOAD)
    analyses: dict[str, Any] | None = Field(None, description="Results of analyses that are ready.")


class ListAudio(ToolInput):
    name_contains: str | None = Field(None, max_length=200, description="Part of the name.", examples=["scale"])
    kind: AudioKind | None = Field(None, description="Only files of this kind.")
    limit: int = Field(20, ge=1, le=100, description="Files per page.")
    cursor: str | None = Field(None, max_length=200, description="From next_cursor.")


class AudioListItem(ToolOutput):
    audio_file_id: str
    name: str
    kind: AudioKind
    duration: float = Field(description="In seconds.")
    file_size_bytes: int
    created_at: datetime


class AudioList(ToolOutput):
    items: list[AudioListItem] = Field(description="Newest first.")
    next_cursor: str | None = Field(None, description="For the next page; absent on the last.")


class DeleteAudio(ToolInput):
    aliases: ClassVar[dict[str, str]] = AUDIO_ALIASES

    audio_file_id: str = Field(description=_ID, pattern=AUDIO_FILE_ID)


class DeletedAudio(ToolOutput):
    audio_file_id: str
    name: str


class SegmentAudio(ToolInput):
    aliases: ClassVar[dict[str, str]] = {**AUDIO_ALIASES, "start": "start_time", "end": "end_time"}
    units: ClassVar[dict[str, str]] = dict.fromkeys(("start_time", "end_time", "fade_in", "fade_out"), "seconds")

    audio_file_id: str = Field(description=_ID, pattern=AUDIO_FILE_ID)
    start_time: float = Field(0, ge=0, description="In seconds, from 0.", examples=[2.0])
    end_time: float | None = Field(None, gt=0, description="In seconds. Default: the end.", examples=[5.0])
    fade_in: float = Field(0, ge=0, description="Seconds.")
    fade_out: float = Field(0, ge=0, description="Seconds.")
    name: str | None = Field(None, description="Default: made from the file's name.", examples=["chorus.wav"])
    wait_s: WaitSeconds = WAIT_S


class AudioSegment(ToolOutput):
    new_audio_file_id: str
    audio_file_id: str = Field(description="The same id.")
    original_audio_file_id: str
    name: str
    start_time: float = Field(description="In seconds, exact to the sample.")
    end_time: float
    duration: float
    format: str
    listen_url: str = Field(description=_LISTEN)
    download_url: str = Field(description=_DOWNLOAD)


class UploadProgress(BaseModel):
    """The answer to a request that uploads a piece of a file."""

    received: int = Field(description="How many bytes have arrived. The next piece begins there.")
    complete: bool = False


class CompletedUpload(StoredAudio):
    """The answer to the request that completes an upload."""

    complete: bool = True
