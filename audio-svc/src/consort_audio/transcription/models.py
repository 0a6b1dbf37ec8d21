"""The input and the answer of transcribe_audio."""

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_kit.tools.models import ToolOutput, lower_case


class TranscribeAudio(ListeningInput):
    aliases: ClassVar[dict[str, str]] = {
        **ListeningInput.aliases,
        "start": "start_time",
        "end": "end_time",
        "tempo": "bpm",
        "quantise": "quantize",
    }
    units: ClassVar[dict[str, str]] = dict.fromkeys(("start_time", "end_time"), "seconds")

    instrument: Annotated[Literal["voice", "mono", "piano", "any"], BeforeValidator(lower_case)] = Field(
        "any", description="mono: one note at a time. any: decide by what is heard."
    )
    quality: Annotated[Literal["quick", "high"], BeforeValidator(lower_case)] = Field(
        "quick", description="high: the piano model (piano only); about real time."
    )
    quantize: Literal["1/1", "1/2", "1/4", "1/8", "1/16", "1/32", "1/3", "1/6", "1/12", "1/24"] | None = Field(
        None, description="Round to this note value; 1/12: eighth triplets.", examples=["1/8"]
    )
    bpm: float | None = Field(None, ge=20, le=400, description="Quarters per minute. Default: as heard.")
    start_time: float = Field(0, ge=0, description="In seconds.")
    end_time: float | None = Field(None, gt=0, description="In seconds. Default: the end.", examples=[30.0])
    name: str | None = Field(None, max_length=200, description="Of the MIDI file.", examples=["my melody"])


class TranscribedMusic(ToolOutput):
    midi_file_id: str | None = Field(None, description="For midi_to_notation, create_song and others; null: no notes.")
    name: str | None = None
    note_count: int
    first_notes: str | None = Field(None, description="| is a bar line, + joins a chord.")
    bpm: float | None = Field(None, description="At the start; null: not clear.")
    time_signature: str | None = None
    key: str | None = None
    heard_as: Literal["voice", "mono", "piano", "any"] = Field(description="Which method was used.")
    confidence: float = Field(description="Expected share of right notes.")
    tuning_cents: float | None = Field(None, description="Of the recording; the MIDI file is in tune.")
    method: str
    reference: str = Field(description="What good looks like.")
    warnings: list[str] | None = None
