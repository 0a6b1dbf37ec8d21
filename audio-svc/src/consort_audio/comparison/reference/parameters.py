"""The fields of `reference_params`, one model for each `reference_type`."""

from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from consort_audio.comparison.reference.patterns import ScalePattern
from consort_kit.ids import id_pattern
from consort_kit.tools.models import ToolInput, lower_case
from consort_music.duration import parse_length
from consort_music.errors import MusicError
from consort_music.fields import ChordField, IntervalField, KeyField, PitchField
from consort_music.keys import Key

ReferenceType: TypeAlias = Literal["scale", "exercise", "midi_file", "song", "score"]

_TEMPO = "Beats per minute. Default: any tempo is right."


def _pattern(given: Any) -> Any:
    """Return `up_down` for `up-down`, `up and down` and the like."""
    if not isinstance(given, str):
        return given
    words = given.lower().replace("-", " ").replace("_", " ").replace("/", " ").replace(" and ", " ").split()
    names = {("ascending",): "up", ("descending",): "down", ("ascending", "descending"): "up_down"}
    return names.get(tuple(words), "_".join(words))


def _length(given: Any) -> Any:
    if isinstance(given, Fraction | bool) or not isinstance(given, int | float | str):
        return given
    try:
        return parse_length(given)
    except MusicError as error:
        raise PydanticCustomError(
            error.code, "{message}", {"message": error.message, "suggestions": error.suggestions}
        ) from None


PatternField = Annotated[ScalePattern, BeforeValidator(_pattern)]
NoteValueField = Annotated[
    Fraction, BeforeValidator(_length), PlainSerializer(str, return_type=str), WithJsonSchema({"type": "string"})
]


class ScaleReference(ToolInput):
    aliases: ClassVar[dict[str, str]] = {
        "key": "scale", "bpm": "tempo", "start": "start_note", "octave": "octaves", "direction": "pattern",
    }  # fmt: skip

    scale: KeyField = Field(description="A tonic and a mode.", examples=["D major"])
    mode: str | None = Field(None, description="If 'scale' has only a tonic.", examples=["dorian"])
    octaves: int = Field(1, ge=1, le=5)
    pattern: PatternField = Field("up", description="thirds: 1 3 2 4 3 5 …")
    start_note: PitchField | None = Field(None, description="Default: the tonic, in any octave.", examples=["D4"])
    tempo: float | None = Field(None, ge=10, le=400, description=_TEMPO)
    note_value: NoteValueField = Field("q", description="Of each note.", validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def _join_mode(cls, raw: Any) -> Any:
        """Join a tonic and a separate mode before the scale is parsed."""
        if isinstance(raw, dict) and isinstance(raw.get("mode"), str):
            name = next((each for each in ("scale", "key") if isinstance(raw.get(each), str)), None)
            if name and len(raw[name].strip()) <= 2:
                return {**raw, name: f"{raw[name].strip()} {raw['mode']}"}
        return raw

    @property
    def key(self) -> Key:
        return self.scale


class ExerciseReference(ToolInput):
    aliases: ClassVar[dict[str, str]] = {
        "bpm": "tempo", "start": "start_note", "octave": "octaves", "scale": "key", "note_list": "notes",
        "direction": "pattern",
    }  # fmt: skip

    kind: Annotated[Literal["arpeggio", "interval", "notes"], BeforeValidator(lower_case)] = Field(
        description="arpeggio, interval or notes."
    )
    chord: ChordField | None = Field(None, description="Of the arpeggio.", examples=["Cmaj"])
    interval: IntervalField | None = Field(None, description="Above each note of the key.", examples=["M3"])
    notes: str | None = Field(None, max_length=20_000, description="A note list.", examples=["C4:q D4:q E4:h"])
    key: KeyField | None = Field(None, examples=["C major"])
    octaves: int = Field(1, ge=1, le=5)
    pattern: PatternField = "up"
    start_note: PitchField | None = None
    tempo: float | None = Field(None, ge=10, le=400, description=_TEMPO)
    note_value: NoteValueField = Field("q", description="Of each note.", validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, raw: Any) -> Any:
        """Join a list of notes, and take the kind from the only field that says it, if it is left out."""
        if not isinstance(raw, dict):
            return raw
        if isinstance(raw.get("notes"), list):
            raw = {**raw, "notes": " ".join(map(str, raw["notes"]))}
        kinds = {"notes": "notes", "chord": "arpeggio", "interval": "interval"}
        given = [kind for field, kind in kinds.items() if field in raw]
        return {"kind": given[0], **raw} if len(given) == 1 else raw

    @model_validator(mode="after")
    def _check_needed(self) -> Self:
        needed = {"arpeggio": ("chord", "key"), "interval": ("interval",), "notes": ("notes",)}[self.kind]
        if all(getattr(self, name) is None for name in needed):
            example = {"arpeggio": 'chord: "Cmaj"', "interval": 'interval: "M3"', "notes": 'notes: "C4:q D4:q E4:h"'}
            raise PydanticCustomError(
                "INVALID_INPUT",
                "An exercise of kind {kind} needs '{name}', such as {example}.",
                {"kind": self.kind, "name": needed[0], "example": example[self.kind], "suggestions": list(needed)},
            )
        return self


class _MusicReference(ToolInput):
    track: int | str | None = Field(None, description="Number from 0, or name. Default: all but drums.")
    first_bar: int | None = Field(None, ge=1)
    last_bar: int | None = Field(None, ge=1)
    tempo: float | None = Field(None, ge=10, le=400, description="Default: as written.")


class MidiFileReference(_MusicReference):
    aliases: ClassVar[dict[str, str]] = {"file_id": "midi_file_id", "bpm": "tempo", "id": "midi_file_id"}

    midi_file_id: str = Field(pattern=id_pattern("midi", "song", "score", "corpus:"))

    @property
    def music_id(self) -> str:
        return self.midi_file_id


class SongReference(_MusicReference):
    aliases: ClassVar[dict[str, str]] = {"bpm": "tempo", "id": "song_id"}

    song_id: str = Field(pattern=id_pattern("song"))

    @property
    def music_id(self) -> str:
        return self.song_id


class ScoreReference(_MusicReference):
    aliases: ClassVar[dict[str, str]] = {"bpm": "tempo", "id": "score_id"}

    score_id: str = Field(pattern=id_pattern("score", "corpus:"))

    @property
    def music_id(self) -> str:
        return self.score_id


StoredReference: TypeAlias = MidiFileReference | SongReference | ScoreReference
AnyReference: TypeAlias = ScaleReference | ExerciseReference | StoredReference
REFERENCES: dict[ReferenceType, type[AnyReference]] = {
    "scale": ScaleReference,
    "exercise": ExerciseReference,
    "midi_file": MidiFileReference,
    "song": SongReference,
    "score": ScoreReference,
}
EXAMPLES: dict[ReferenceType, dict[str, Any]] = {
    "scale": {"scale": "D major"},
    "exercise": {"kind": "notes", "notes": "C4:q D4:q E4:h"},
    "midi_file": {"midi_file_id": "midi_4r0c…"},
    "song": {"song_id": "song_4r0c…"},
    "score": {"score_id": "score_4r0c…"},
}
"""Correct parameters, for error messages."""
