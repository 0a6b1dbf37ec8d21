"""The input and result of render_strudel. The descriptions are sent with every tool listing, so keep them short."""

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from consort_kit.jobs.models import WAIT_S, WaitSeconds
from consort_kit.tools.models import ToolOutput, lower_case
from consort_strudel.events.models import ScriptSource

MOST_CYCLES = 1024


class RenderStrudel(ScriptSource):
    aliases: ClassVar[dict[str, str]] = {**ScriptSource.aliases, "tail_s": "tail", "track": "voice"}
    units: ClassVar[dict[str, str]] = {**ScriptSource.units, "tail": "seconds"}

    begin: int = Field(0, ge=0, le=100_000, description="First cycle, from 0.")
    cycles: int = Field(8, ge=1, le=MOST_CYCLES, description="How many.")
    tail: float = Field(2, ge=0, le=30, description="Seconds of decay after the end.")
    voice: str | None = Field(None, max_length=200, description="Only this voice: its label or id.")
    seed: int = Field(1, ge=0, le=2**31 - 1, description="Same seed, same random sounds.")
    format: Annotated[Literal["wav", "flac", "ogg", "mp3"], BeforeValidator(lower_case)] = Field(
        "flac", description="File format."
    )
    name: str | None = Field(None, max_length=200, description="File name. Default: from the project.")
    wait_s: WaitSeconds = WAIT_S


class HeardVoice(ToolOutput):
    voice: str
    event_count: int
    peak: float | None = Field(None, description="Highest sample in dB, without room and delay; absent if silent.")


class RenderedStrudel(ToolOutput):
    audio_file_id: str
    project_name: str | None = None
    version: int | None = None
    name: str
    duration: float = Field(description="In seconds, with the tail.")
    format: str
    event_count: int
    peak: float | None = Field(None, description="Of the file, in dB; absent if silent.")
    loudness: float | None = Field(None, description="In LUFS; absent if silent.")
    turned_down: float | None = Field(None, description="By how many dB, because it would have clipped.")
    voices: list[HeardVoice]
    silent_voices: list[str] | None = None
    replaced_sounds: dict[str, str] | None = Field(None, description="Sounds that are not here: what played instead.")
    missing_sounds: dict[str, int] | None = Field(None, description="Sounds that are not here: events left out.")
    failed_sounds: dict[str, int] | None = Field(None, description="Sound and reason: events that failed.")
    listen_url: str = Field(description="Page that plays it, for a browser; valid for one day.")
    download_url: str = Field(description="Link to the file, for a browser; valid for one day.")
    warnings: list[str] | None = None
