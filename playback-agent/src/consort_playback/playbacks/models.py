"""The input and output of the playback tools. The descriptions are sent with every tool listing, so they are short."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError, PydanticKnownError

from consort_kit.errors import field_error
from consort_kit.ids import id_pattern, prefix_of
from consort_kit.tools.models import SourceInput, ToolInput, ToolOutput, check_one_given, one_or_more
from consort_music.errors import MusicError
from consort_music.music_ids import MUSIC_ALIASES, MUSIC_ROUTES
from consort_music.performance.positions import Position, parse_position
from consort_playback.protocol.commands import LatenessReport

PLAYBACK_ID = id_pattern("play")
MUSIC_ID = id_pattern(*MUSIC_ROUTES)
"""The id of a stored file, a song or a score."""
MAX_TRACKS = 100


def _check_count(tracks: list[int | str]) -> list[int | str]:
    if len(tracks) > MAX_TRACKS:
        raise PydanticCustomError(
            "tracks",
            "The list has {count} tracks, but at most {most} are accepted.",
            {"count": len(tracks), "most": MAX_TRACKS},
        )
    return tracks


def _read_position(value: Any, info: ValidationInfo) -> Position:
    """Parse a position. A bare number is converted to text first, so that the error lists the accepted forms."""
    text = str(value) if type(value) in (int, float) else value
    if not isinstance(text, str):
        raise PydanticKnownError("string_type")
    try:
        return parse_position(text, info.field_name or "position")
    except MusicError as error:
        raise field_error(error.code, error.message, error.suggestions) from None


PlaybackState = Literal["counting_in", "playing", "paused", "finished", "stopped", "failed"]
TempoScale = Annotated[float, Field(ge=0.05, le=100)]
TrackSelection = Annotated[list[int | str], BeforeValidator(one_or_more), AfterValidator(_check_count)]
PositionField = Annotated[Position, PlainValidator(_read_position), WithJsonSchema({"type": "string"})]
_SOURCES = ("midi_file_id", "midi_text", "notes", "base64", "path")


def _reject_stop(action: Any) -> Any:
    """Raise an error that names stop_playback if the action is `stop`. The Literal type rejects other values."""
    if action == "stop":
        message = "'action' must be 'pause', 'resume' or 'restart', not \"stop\". stop_playback stops a playback."
        raise field_error("INVALID_INPUT", message, ["stop_playback", "pause"])
    return action


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
    warnings: list[str] | None = Field(None, description="What is missing, and how to fix it.")


class PlaybackMidi(SourceInput):
    aliases: ClassVar[dict[str, str]] = MUSIC_ALIASES
    units: ClassVar[dict[str, str]] = {"loop_start": "bars", "loop_end": "bars", "count_in_bars": "clicks"}

    midi_file_id: str | None = Field(None, description="Id of a file, song or score.", pattern=MUSIC_ID)
    midi_text: str | None = Field(None, description="Instead: MIDI text of read_midi_notes.")
    notes: str | None = Field(None, description="Instead: a note list.", examples=["C4:q E4:q G4:h"])
    base64: str | None = Field(None, description="Instead: a file's bytes.")
    path: str | None = Field(None, description="Instead: a file in the data folder.", examples=["import/song.mid"])
    port_name: str | None = Field(None, description="Name, part of it, or id from list_devices.")
    loop: bool = Field(False, description="Repeat, each time the newest version of a song.")
    loop_start: PositionField | None = Field(None, description='Bar:beat or time: "5:1", "5000 ms".')
    loop_end: PositionField | None = Field(None, description="Where the loop ends.")
    start_at_ms: float | None = Field(None, ge=0, description="Default: loop_start, or 0.")
    tempo_scale: TempoScale = Field(1.0, description="2: twice as fast.")
    transpose: int = Field(0, ge=-48, le=48, description="Semitones.")
    mute: TrackSelection | None = Field(None, description="Tracks not heard: names, or numbers from 0.")
    solo: TrackSelection | None = Field(None, description="Only these tracks.")
    count_in_bars: int = Field(0, ge=0, le=4, description="Bars of clicks.")

    @model_validator(mode="after")
    def _check_source_and_range(self) -> Self:
        check_one_given(self, _SOURCES, '{"song_id": "song_4r0c…"}')
        _check_range(self.loop, "loop" in self.model_fields_set, self.loop_start, self.loop_end)
        return self

    @property
    def source(self) -> str:
        """The name of the field that gives the music."""
        return next(name for name in _SOURCES if getattr(self, name) is not None)

    @property
    def song_id(self) -> str | None:
        """The id of the song, which can be edited while it plays; None for other music."""
        music_id = self.midi_file_id
        return music_id if music_id is not None and prefix_of(music_id) == "song" else None


class Started(ToolOutput):
    playback_id: str
    status: Literal["started"] = "started"
    title: str
    edits: str | None = Field(None, description="When an edit of the song will be heard.")
    port: str = Field(description="The port it plays on.")
    port_reason: str | None = Field(None, description="Why this port, if none was named.")
    duration_est_ms: int = Field(description="Length of the whole piece at this tempo.")
    tracks: list[str] = Field(description="Names, for mute and solo.")
    sound: str | None = None
    warnings: list[str] | None = None


def _check_range(loop: bool | None, is_given: bool, start: Position | None, end: Position | None) -> None:
    if is_given and loop is False and (start is not None or end is not None):
        raise PydanticCustomError(
            "range",
            "'loop' is false, but 'loop_start' and 'loop_end' need loop: true. Give that, or leave them out.",
            {"suggestions": ["loop: true", "leave the range out"]},
        )


class StopPlayback(ToolInput):
    playback_id: str | None = Field(None, description="Default: the only one that plays.", pattern=PLAYBACK_ID)
    all: bool = Field(False, description="Stop everything, silence each port.")

    @model_validator(mode="before")
    @classmethod
    def _read_all_as_id(cls, raw: Any) -> Any:
        return {"all": True} if raw == {"playback_id": "all"} else raw

    @model_validator(mode="after")
    def _check_one_given(self) -> Self:
        if self.playback_id is not None and self.all:
            raise PydanticCustomError(
                "which", "Give 'playback_id' or all: true, not both.", {"suggestions": ["all: true"]}
            )
        return self


class Stopped(ToolOutput):
    status: Literal["stopped"] = "stopped"
    stopped: list[str] = Field(description="Playbacks that were still playing.")
    titles: list[str] = Field(description="What they played.")


class ControlPlayback(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"position": "seek"}

    playback_id: str = Field(description="Id from playback_midi.", pattern=PLAYBACK_ID)
    action: Annotated[Literal["pause", "resume", "restart"], BeforeValidator(_reject_stop)] | None = Field(
        None, description="restart: from the start, with the newest version of a song."
    )
    seek: PositionField | None = Field(None, description='Go to "9:1", "bar 9" or "5000 ms".')
    tempo_scale: TempoScale | None = Field(None, description="1: as written.")
    loop: bool | None = Field(None, description="false: play to the end.")
    loop_start: PositionField | None = Field(None, description="As seek; turns the loop on.")
    loop_end: PositionField | None = Field(None, description="Where the loop ends.")
    mute: TrackSelection | None = Field(None, description="All muted tracks; [] for none.")
    solo: TrackSelection | None = Field(None, description="All soloed tracks.")

    @model_validator(mode="after")
    def _check_something_given(self) -> Self:
        if all(getattr(self, name) is None for name in type(self).model_fields if name != "playback_id"):
            raise PydanticCustomError(
                "nothing",
                "Nothing is given to change. Give action, seek, tempo_scale, loop, loop_start, loop_end, mute or solo.",
                {"suggestions": ['action: "pause"', 'seek: "9:1"']},
            )
        _check_range(self.loop, True, self.loop_start, self.loop_end)
        return self

    @property
    def changes_loop(self) -> bool:
        return not (self.loop is None and self.loop_start is None and self.loop_end is None)

    @property
    def changes_tracks(self) -> bool:
        return not (self.mute is None and self.solo is None)


class GetPlayback(ToolInput):
    playback_id: str | None = Field(None, description="Default: all, and the last that ended.", pattern=PLAYBACK_ID)
    include_timing: bool = Field(False, description="Add how punctual it is.")


class LatenessInfo(ToolOutput):
    count: int = Field(description="Messages sent.")
    p50: float
    p99: float
    max: float

    @classmethod
    def of(cls, report: LatenessReport) -> Self:
        return cls(count=report.count, p50=report.p50, p99=report.p99, max=report.max)


class Playback(ToolOutput):
    playback_id: str
    state: PlaybackState
    reason: str | None = Field(None, description="Why it failed, or why edits are not heard.")
    title: str
    edits: str | None = Field(None, description="When an edit of the song will be heard.")
    source: str = Field(description="Id, path or kind of the music.")
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
    realtime: str | None = Field(None, description="The real-time priority, or why there is none.")
    sound: str | None = None


class Playbacks(ToolOutput):
    playbacks: list[Playback] = Field(description="Newest first.")
    warnings: list[str] | None = None


class SendMidi(ToolInput):
    port_name: str | None = Field(None, description="As in playback_midi.")
    channel: int = Field(1, ge=1, le=16, description="10 is drums.")
    instrument: str | None = Field(None, max_length=80, description="General MIDI name.", examples=["violin"])
    controllers: dict[str, int] | None = Field(
        None, max_length=32, description="Number: value, 0-127.", examples=[{"7": 100}]
    )
    pitch_bend: int | None = Field(None, ge=-8192, le=8191, description="0 is none.")
    notes: str = Field("", max_length=2000, description="Note list at 120 bpm.", examples=["C4+E4+G4:h"])
    velocity: int = Field(80, ge=1, le=127, description="Of the notes.")


class Sent(ToolOutput):
    port: str
    port_reason: str | None = None
    messages: int
    sound: str | None = None
