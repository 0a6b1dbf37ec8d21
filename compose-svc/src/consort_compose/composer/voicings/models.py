"""Input and output of the voicing tools. An assistant reads every description here."""

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from consort_compose.composer.fields import IncludeMusicXml, text_as_list
from consort_compose.composer.voicings.engine.single_chord import VoicingInstrument
from consort_compose.composer.voicings.engine.styles import VoicingStyle
from consort_compose.songs.models.fields import SongId
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_music.chords.symbol import NoteName, note_text
from consort_music.errors import MusicError, quoted
from consort_music.fields import ChordField, ParsedText, PitchField
from consort_music.pitch import parse_pitch_class


def _parse_bass_note(text: str) -> NoteName:
    """Parse a note without an octave, such as Bb. Raise INVALID_NOTE for any other text."""
    name = text.strip().rstrip("0123456789")
    try:
        note = NoteName(*parse_pitch_class(name))
    except MusicError:
        message = f"{quoted(text)} is not a note. Write a letter A to G and #, ##, b or bb if needed: E, Bb, F#."
        raise MusicError("INVALID_NOTE", message, ["E", "Bb", "F#"]) from None
    if name != text.strip():
        message = (
            f"{quoted(text)} has an octave, but bass_note takes none. Write {name}. To move the voicing, use range_low "
            "and range_high."
        )
        raise MusicError("INVALID_NOTE", message, [name])
    return note


def _split_notes(given: Any) -> Any:
    """Split a text such as `C4 E4 G4` into a list of notes; return other values unchanged."""
    return given.replace(",", " ").replace("+", " ").split() if isinstance(given, str) else given


BassField = Annotated[NoteName, ParsedText(NoteName, _parse_bass_note, note_text, "INVALID_NOTE")]

MOST_CHORDS = 128
CHORD = "Cmaj7, Dm7b5, Bb13#11, G7alt, C/E; '-' is minor."


class RealizeChord(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"chord": "chord_symbol", "symbol": "chord_symbol", "style": "voicing_style"}

    chord_symbol: ChordField = Field(description=CHORD)
    voicing_style: VoicingStyle | None = Field(
        None,
        description="quartal adds notes of the scale. Default on piano: close.",
    )
    instrument: VoicingInstrument = Field("piano", description="guitar: with frets.")
    inversion: int | None = Field(
        None,
        ge=0,
        le=12,
        description="Bass: 0 root, 1 third… Default 0; with previous_voicing, the nearest.",
    )
    bass_note: BassField | None = Field(None, description="Another bass, as after a slash: Bb.")
    range_low: PitchField | None = Field(None, description="Lowest note, such as E2.")
    range_high: PitchField | None = Field(None, description="Highest note, such as C6.")
    previous_voicing: Annotated[list[PitchField], BeforeValidator(_split_notes)] | None = Field(
        None,
        min_length=1,
        max_length=10,
        description="The chord before, to move least from it: [C4, E4, G4].",
    )
    include_musicxml: IncludeMusicXml = False


class VoicedChord(ToolOutput):
    notes: list[str] = Field(description="From the lowest up.")
    midi_pitches: list[int]
    musicxml: str | None = None
    frets: list[int | None] | None = Field(None, description="Guitar: from the low E string up; null: silent.")
    barre: int | None = Field(None, description="Guitar: the fret of a barre.")
    players: dict[str, list[str]] | None = Field(None, description="Strings: the notes of each player.")


class VoicingAnalysis(ToolOutput):
    chord: str = Field(description="The symbol in its usual spelling.")
    chord_quality: str = Field(examples=["major_seventh"])
    voicing_style: str = Field(description="The style of the notes; free if it is none of the five.")
    inversion: int | None = Field(description="Null if the bass is not a tone of the chord.")
    intervals_from_bass: list[str]
    left_out: list[str] = Field(description="Chord tones that the voicing lacks, as intervals above the root.")
    motion: int | None = Field(None, description="Semitones that all voices together move from previous_voicing.")


class AlternativeVoicing(ToolOutput):
    notes: list[str]
    midi_pitches: list[int]
    style: str
    frets: list[int | None] | None = None


class RealizedChord(ToolOutput):
    voicing: VoicedChord
    analysis: VoicingAnalysis
    alternatives: list[AlternativeVoicing]


ChordsInput = Annotated[
    list[Annotated[str, Field(max_length=4000)]],
    BeforeValidator(text_as_list),
    Field(min_length=1, max_length=MOST_CHORDS),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class RealizeProgression(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"chord_symbols": "chords", "progression": "chords", "style": "voicing_style"}

    chords: ChordsInput | None = Field(None, description="By bar: Fmaj7 | Gm7 C7; or a list. N.C. is a rest.")
    song_id: SongId | None = Field(None, description="Instead of chords: those planned in this song.")
    section: str | None = Field(None, max_length=200, description="A section of the song. Default: all.")
    instrument: VoicingInstrument = Field("piano", description="satb and strings avoid parallels.")
    voicing_style: VoicingStyle | None = Field(None, description="Piano, guitar. Default: least motion.")
    beats: float = Field(4, gt=0, le=64, multiple_of=0.25, description="Quarter notes per bar, or per chord of a list.")
    inversions: bool | None = Field(None, description="Allow inversions. Default: on piano only.")
    range_low: PitchField | None = Field(None, description="Lowest note, such as E2.")
    range_high: PitchField | None = Field(None, description="Highest note, such as C6.")
    include_musicxml: IncludeMusicXml = False

    @model_validator(mode="before")
    @classmethod
    def _song_as_chords(cls, raw: Any) -> Any:
        """Move a song's id from `chords` to `song_id`. Other tools accept ids in the field that takes music."""
        if isinstance(raw, dict) and "song_id" not in raw and str(raw.get("chords")).startswith("song_"):
            raw = {"song_id" if name == "chords" else name: value for name, value in raw.items()}
        return raw


class ProgressionChord(ToolOutput):
    chord: str
    notes: list[str] = Field(description="From the lowest up; empty for N.C.")
    midi_pitches: list[int]
    style: str | None = None
    frets: list[int | None] | None = None


class PartWritingFault(ToolOutput):
    chord: int = Field(description="Counted from 1; a parallel is at the chord it arrives at.")
    kind: str = Field(examples=["parallel_fifths"])
    voices: list[str]


class RealizedProgression(ToolOutput):
    chords: list[ProgressionChord]
    musicxml: str | None = None
    motion: int = Field(description="Semitones that all voices together move from the first chord to the last.")
    faults: list[PartWritingFault] = Field(description="Faults that could not be avoided; empty if there are none.")
