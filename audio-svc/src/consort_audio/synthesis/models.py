"""The input and result of midi_to_audio. The descriptions are sent with every tool listing, so keep them short."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from consort_audio.codecs.formats import MP3_SAMPLE_RATES
from consort_kit.ids import id_pattern
from consort_kit.jobs.models import WAIT_S, WaitSeconds
from consort_kit.tools.models import ToolInput, ToolOutput, lower_case, one_or_more
from consort_music.fields import InstrumentField
from consort_music.music_ids import MUSIC_ALIASES, MUSIC_ROUTES

MUSIC_ID = id_pattern(*MUSIC_ROUTES)
"""The id of a stored file, a song or a score."""
LOWEST_RATE = 22_050
MP3_RATES = tuple(rate for rate in MP3_SAMPLE_RATES if rate >= LOWEST_RATE)

RenderTracks = Annotated[list[int | str], BeforeValidator(one_or_more), Field(max_length=100)]
"""Tracks by index (from 0) or name. A single track may be given without a list."""


class MidiToAudio(ToolInput):
    aliases: ClassVar[dict[str, str]] = {**MUSIC_ALIASES, "count_in_bars": "count_in", "tail_s": "tail"}
    units: ClassVar[dict[str, str]] = {"tail": "seconds", "count_in": "bars"}
    hints: ClassVar[dict[str, str]] = {
        "bars": "Give 'first_bar' and 'last_bar', for example 2 and 3.",
        "instruments": "'instrument' is one instrument for all tracks but the drums. edit_track changes that of one "
        "track of a song.",
        "audio_file_id": "This tool makes audio from music: give 'midi_file_id', the id of a MIDI file, song or score.",
    }

    midi_file_id: str = Field(description="Id of a file, song or score.", pattern=MUSIC_ID)
    instrument: InstrumentField | None = Field(
        None,
        description="Plays all but the drums. Default: those of the file.",
        examples=["violin"],
    )
    format: Annotated[Literal["wav", "flac", "ogg", "mp3"], BeforeValidator(lower_case)] = Field(
        "flac", description="Of the file."
    )
    sample_rate: int = Field(44_100, ge=LOWEST_RATE, le=96_000, description="In Hz.")
    loudness: Annotated[float, Field(ge=-60, le=-5)] | Literal["off"] = Field(
        -16, description='In LUFS; "off": leave the level.'
    )
    reverb: float = Field(0.25, ge=0, le=1, description="0: dry.")
    tail: float = Field(2, ge=0, le=30, description="Seconds of decay after the end.")
    count_in: int = Field(0, ge=0, le=4, description="Bars of clicks before the music.")
    metronome: bool = Field(False, description="Clicks on the beats.")
    mute: RenderTracks | None = Field(None, description="Tracks not heard: names, or numbers from 0.")
    solo: RenderTracks | None = Field(None, description="Only these tracks.")
    first_bar: int | None = Field(None, ge=1, description="Default: the first.")
    last_bar: int | None = Field(None, ge=1, description="Default: the last.")
    name: str | None = Field(None, max_length=200, description="Default: made from the title.", examples=["demo"])
    wait_s: WaitSeconds = WAIT_S

    @field_validator("instrument", mode="before")
    @classmethod
    def _read_number(cls, given: Any) -> Any:
        """Convert a program number to text, which the field accepts."""
        return str(given) if type(given) is int else given

    @field_validator("loudness", mode="before")
    @classmethod
    def _read_null(cls, given: Any) -> Any:
        return "off" if given is None else given

    @model_validator(mode="after")
    def _check_rate(self) -> Self:
        if self.format == "mp3" and self.sample_rate not in MP3_RATES:
            allowed = ", ".join(map(str, MP3_RATES))
            raise PydanticCustomError(
                "sample_rate",
                "'sample_rate' is {given}, and MP3 files can have {allowed}. Give one of these, or format: \"flac\".",
                {"given": self.sample_rate, "allowed": allowed, "suggestions": ["sample_rate: 48000", "format: flac"]},
            )
        return self


class RenderedAudio(ToolOutput):
    audio_file_id: str
    midi_file_id: str | None = None
    song_id: str | None = None
    score_id: str | None = None
    name: str
    instrument: str = Field(description="What plays; several with commas between.")
    duration: float = Field(description="In seconds, with count-in and tail.")
    synthesis_method: Literal["fluidsynth"] = "fluidsynth"
    soundfont: str
    format: str
    sample_rate: int
    loudness: float | None = Field(None, description="The loudness reached, in LUFS; absent if silent.")
    listen_url: str = Field(description="Page that plays it, for a browser; valid for one day.")
    download_url: str = Field(description="Link to the file, for a browser; valid for one day.")
    warnings: list[str] | None = None
