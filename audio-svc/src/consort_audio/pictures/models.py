"""The input of render_waveform. The descriptions are sent with every tool listing, so keep them short."""

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from consort_audio.files.models import AUDIO_ALIASES, AUDIO_FILE_ID
from consort_audio.pictures.overlay.model import Layer
from consort_audio.pictures.picture_request import SpectrogramKind
from consort_kit.tools.models import ToolInput, one_or_more


class WaveformOptions(ToolInput):
    """The part, the contents, the size and the title of a picture."""

    aliases: ClassVar[dict[str, str]] = {**AUDIO_ALIASES, "start": "start_time", "end": "end_time"}
    units: ClassVar[dict[str, str]] = dict.fromkeys(("start_time", "end_time"), "seconds")

    start_time: float = Field(0, ge=0, description="In seconds.")
    end_time: float | None = Field(None, gt=0, description="In seconds. Default: the end.", examples=[5.0])
    spectrogram: SpectrogramKind = Field("log", description="log: by note, A0 to C8. linear: by frequency.")
    layers: Annotated[list[Layer], BeforeValidator(one_or_more)] | None = Field(
        None, description="Default: all that is known."
    )
    width: int = Field(1200, ge=320, le=4000, description="Pixels.")
    height: int = Field(700, ge=240, le=3000, description="Pixels.")
    title: str | None = Field(None, max_length=120, description="Default: the name of the file.")


class RenderWaveform(WaveformOptions):
    audio_file_id: str = Field(description="Id of an audio file.", pattern=AUDIO_FILE_ID)
    format: Literal["png", "svg"] = Field("png", description="Chat programs show png.")
