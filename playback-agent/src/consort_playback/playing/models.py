"""What goes into the playback tools and what comes out. Every text here is read by an assistant."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from consort_kit.ids import id_pattern
from consort_kit.models import SourceInput, ToolInput, ToolOutput

PLAYBACK_ID = id_pattern("play")
MAX_TRACKS = 100

State = Literal["counting_in", "playing", "paused", "finished", "stopped", "failed"]
Scale = Annotated[float, Field(ge=0.05, le=100)]
Tracks = Annotated[list[int | str], Field(max_length=MAX_TRACKS)]
Position = Annotated[str, BeforeValidator(lambda value: f"{value:.6f}" if type(value) in (int, float) else value)]
"""BAR:BEAT or milliseconds, these as a number too."""
_SOURCES = ("midi_file_id", "song_id", "score_id", "base64", "path", "midi_text", "notes")
_LOOP_START = "Where the loop begins: BAR:BEAT such as 5:1 (6/8 has 2 beats), or ms."
_PORT = "Name, part of it, or id from list_devices. Default: the only port, the first hardware port, or the synth."


class ListDevices(ToolInput):
    pass


class DeviceInfo(ToolOutput):
    id: str
    name: str
    kind: str = Field(description="hardware, software, virtual (others listen to it) or synth (built in).")
    in_use: int = Field(description="Playbacks on it now.")
    is_default: bool | None = Field(None, description="Used when a call names no port.")


class DeviceList(ToolOutput):
    outputs: list[DeviceInfo]
    warnings: list[str] | None = Field(None, description="What is missing, and how to mend it.")


class PlaybackMidi(SourceInput):
    aliases: ClassVar[dict[str, str]] = {"file_id": "midi_file_id"}

    midi_file_id: str | None = Field(None, description="A stored file.", pattern=id_pattern("midi"))
    song_id: str | None = Field(
        None, description="A song; looped, each round plays it as it is by then.", pattern=id_pattern("song")
    )
    score_id: str | None = Field(None, description="A composed score.", pattern=id_pattern("score"))
    midi_text: str | None = Field(None, description="MIDI text, as read_midi_notes writes it.")
    notes: str | None = Field(None, description="A note list.", examples=["C4:q E4:q G4:h"])
    base64: str | None = Field(None, description="A MIDI file's bytes.")
    path: str | None = Field(None, description="A file in the data folder.", examples=["import/song.mid"])
    port_name: str | None = Field(None, max_length=200, description=_PORT)
    loop: bool = Field(False, description="true: repeat until stopped.")
    loop_start: Position | None = Field(None, description=_LOOP_START)
    loop_end: Position | None = Field(None, description="Where it ends.")
    start_at_ms: float | None = Field(None, ge=0, le=86_400_000, description="Begin here. Default: loop_start, or 0.")
    tempo_scale: Scale = Field(1.0, description="2 is twice as fast.")
    transpose: int = Field(0, ge=-48, le=48, description="Semitones; drums stay.")
    mute: Tracks = Field([], description="Tracks not heard: names, or numbers from 0.")
    solo: Tracks = Field([], description="Only these tracks.")
    count_in_bars: int = Field(0, ge=0, le=4, description="Bars of clicks before it.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if sum(getattr(self, name) is not None for name in _SOURCES) != 1:
            raise PydanticCustomError(
                "source", f"give exactly one of {', '.join(_SOURCES)}", {"suggestions": ["midi_file_id"]}
            )
        _check_range(self.loop, "loop" in self.model_fields_set, self.loop_start, self.loop_end)
        return self

    @property
    def source(self) -> str:
        """The field that says what to play."""
        return next(name for name in _SOURCES if getattr(self, name) is not None)


class Started(ToolOutput):
    playback_id: str
    status: Literal["started"] = "started"
    port: str = Field(description="Where it plays.")
    port_reason: str | None = Field(None, description="Why there, if no port was named.")
    duration_est_ms: int = Field(description="Of the whole piece at this tempo.")
    tracks: list[str] = Field(description="Names, for mute and solo.")
    sound: str | None = None
    warnings: list[str] | None = None


def _check_range(loop: bool | None, is_said: bool, start: str | None, end: str | None) -> None:
    if is_said and loop is False and (start is not None or end is not None):
        raise PydanticCustomError(
            "range", "loop_start and loop_end need loop: true", {"suggestions": ["loop: true", "leave the range out"]}
        )


class StopPlayback(ToolInput):
    playback_id: str | None = Field(None, description="Which; id from playback_midi.", pattern=PLAYBACK_ID)
    all: bool = Field(False, description="true: stop everything, silence each port in use (panic).")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.playback_id is None) != self.all:
            raise PydanticCustomError("which", "give playback_id, or all: true", {"suggestions": ["all: true"]})
        return self


class Stopped(ToolOutput):
    status: Literal["stopped"] = "stopped"
    stopped: list[str] = Field(description="Playbacks that were still going.")


class ControlPlayback(ToolInput):
    playback_id: str = Field(description="Id from playback_midi.", pattern=PLAYBACK_ID)
    action: Literal["pause", "resume"] | None = Field(None, description="Pause or go on.")
    seek: Position | None = Field(None, description="Go to BAR:BEAT such as 9:1, or ms.")
    tempo_scale: Scale | None = Field(None, description="1 is as written.")
    loop: bool | None = Field(None, description="Repeat, or play to the end.")
    loop_start: Position | None = Field(None, description="As for playback_midi; loops.")
    loop_end: Position | None = Field(None, description="Where it ends.")
    mute: Tracks | None = Field(None, description="All muted tracks; [] for none.")
    solo: Tracks | None = Field(None, description="All soloed tracks; [] for none.")

    @model_validator(mode="after")
    def _something(self) -> Self:
        if all(getattr(self, name) is None for name in type(self).model_fields if name != "playback_id"):
            raise PydanticCustomError(
                "nothing", "say what to change", {"suggestions": ['action: "pause"', 'seek: "9:1"']}
            )
        _check_range(self.loop, True, self.loop_start, self.loop_end)
        return self

    @property
    def changes_rounds(self) -> bool:
        """Whether each round of a loop is another one from now on."""
        return {self.loop, self.loop_start, self.loop_end} != {None} or not (self.mute is None and self.solo is None)


class GetPlayback(ToolInput):
    playback_id: str | None = Field(
        None, description="Which; left out, all and the last that ended.", pattern=PLAYBACK_ID
    )


class LatenessInfo(ToolOutput):
    count: int = Field(description="Messages sent on time or late.")
    p50: float
    p99: float
    max: float


class Playback(ToolOutput):
    playback_id: str
    state: State
    reason: str | None = Field(None, description="Why it failed, or plays on unchanged.")
    source: str
    port: str
    position_ms: float
    position: str | None = Field(None, description="BAR:BEAT.")
    tick: int
    duration_ms: float
    loop: bool
    loops: int = Field(description="Rounds completed.")
    tempo_scale: float
    muted: list[int] | None = Field(None, description="Tracks not heard.")
    lateness_ms: LatenessInfo | None = None
    realtime: str = Field(description="The player's priority, or why it has none.")
    sound: str | None = None


class Playbacks(ToolOutput):
    playbacks: list[Playback] = Field(description="Newest first.")
    warnings: list[str] | None = None


class SendMidi(ToolInput):
    port_name: str | None = Field(None, max_length=200, description="As for playback_midi.")
    channel: int = Field(1, ge=1, le=16, description="10 is drums.")
    instrument: str | None = Field(None, max_length=80, description="General MIDI name.", examples=["violin"])
    controllers: dict[str, int] | None = Field(
        None, max_length=32, description="Number to value, 0 to 127.", examples=[{"7": 100}]
    )
    pitch_bend: int | None = Field(None, ge=-8192, le=8191, description="0 is none.")
    notes: str = Field("", max_length=2000, description="A note list at 120 bpm.", examples=["C4+E4+G4:h"])
    velocity: int = Field(80, ge=1, le=127, description="Of the notes.")


class Sent(ToolOutput):
    port: str
    port_reason: str | None = None
    messages: int
    sound: str | None = None
