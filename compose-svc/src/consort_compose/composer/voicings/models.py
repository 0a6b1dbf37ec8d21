"""What goes into the voicing tools and what comes out. Every text here is read by an assistant."""

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from consort_compose.composer.fields import ChordName, IncludeMusicXml, NoteName, checked
from consort_compose.composer.voicings.realize import Instrument
from consort_compose.composer.voicings.styles import Style
from consort_compose.songs.fields import SongId
from consort_kit.models import ToolInput, ToolOutput
from consort_music.errors import MusicError, quoted
from consort_music.pitch import parse_pitch_class


def _note_without_octave(text: str) -> tuple[str, int]:
    if text.strip()[-1:].isdigit():
        name = text.strip().rstrip("0123456789")
        message = (
            f"{quoted(text)} has an octave, and bass_note has none. Write {name or 'E'}; range_low and "
            "range_high move the voicing."
        )
        raise MusicError("INVALID_NOTE", message, [name] if name else ["E"])
    try:
        return parse_pitch_class(text)
    except MusicError:
        message = f"{quoted(text)} is not a note. Write a letter A to G and #, ##, b or bb if needed: E, Bb, F#."
        raise MusicError("INVALID_NOTE", message, ["E", "Bb", "F#"]) from None


def _as_notes(given: Any) -> Any:
    """Take notes in one text for a list: `C4 E4 G4`."""
    return given.replace(",", " ").replace("+", " ").split() if isinstance(given, str) else given


BassName = Annotated[str, checked(_note_without_octave, "INVALID_NOTE")]

MOST_CHORDS = 128
CHORD = "Cmaj7, Dm7b5, Bb13#11, G7alt, C/E; '-' is minor."


class RealizeChord(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"chord": "chord_symbol", "symbol": "chord_symbol", "style": "voicing_style"}

    chord_symbol: ChordName = Field(description=CHORD)
    voicing_style: Style | None = Field(
        None,
        description="Default: close on piano, else what suits the instrument.",
    )
    instrument: Instrument = Field("piano", description="guitar: with frets.")
    inversion: int | None = Field(
        None,
        ge=0,
        le=12,
        description="Bass: 0 root, 1 third… Default 0, or free after previous_voicing.",
    )
    bass_note: BassName | None = Field(None, description="Other bass, as after a slash: Bb.")
    range_low: NoteName | None = Field(None, description="Lowest note, such as E2.")
    range_high: NoteName | None = Field(None, description="Highest note, such as C6.")
    previous_voicing: Annotated[list[NoteName], BeforeValidator(_as_notes)] | None = Field(
        None,
        min_length=1,
        max_length=10,
        description="Notes of the chord before, to lead on from: [C4, E4, G4].",
    )
    include_musicxml: IncludeMusicXml = False


class VoicedChord(ToolOutput):
    notes: list[str] = Field(description="From the lowest up.")
    midi_pitches: list[int]
    musicxml: str | None = None
    frets: list[int | None] | None = Field(None, description="Guitar: from the low E string up; null is silent.")
    barre: int | None = Field(None, description="Guitar: the fret of a barre.")
    players: dict[str, list[str]] | None = Field(None, description="Strings: who plays what.")


class VoicingAnalysis(ToolOutput):
    chord: str = Field(description="The symbol in its usual spelling.")
    chord_quality: str = Field(examples=["major_seventh"])
    voicing_style: str = Field(description="What the notes are in; free where it is none of the five.")
    inversion: int | None = Field(description="Null where the bass is foreign to the chord.")
    intervals_from_bass: list[str]
    left_out: list[str] = Field(description="Tones that the voicing lacks, as intervals above the root.")
    motion: int | None = Field(None, description="Semitones that the voices move from previous_voicing.")


class AlternativeVoicing(ToolOutput):
    notes: list[str]
    midi_pitches: list[int]
    style: str
    frets: list[int | None] | None = None


class RealizedChord(ToolOutput):
    voicing: VoicedChord
    analysis: VoicingAnalysis
    alternatives: list[AlternativeVoicing]


def _as_bars(given: Any) -> Any:
    """Bar notation as a list of one: a union would name its branches in errors."""
    return [given] if isinstance(given, str) else given


Chords = Annotated[
    list[Annotated[str, Field(max_length=4000)]],
    BeforeValidator(_as_bars),
    Field(min_length=1, max_length=MOST_CHORDS),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}),
]


class RealizeProgression(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"chord_symbols": "chords", "progression": "chords", "style": "voicing_style"}

    chords: Chords | None = Field(None, description="By bar: Fmaj7 | Gm7 C7; or a list of symbols. N.C. is a rest.")
    song_id: SongId | None = Field(None, description="Instead: the chords planned in this song.")
    section: str | None = Field(None, max_length=200, description="Of the song. Default: all.")
    instrument: Instrument = Field("piano", description="satb, strings: no parallels.")
    voicing_style: Style | None = Field(None, description="Piano, guitar. Default: least motion.")
    beats: float = Field(
        4, gt=0, le=64, multiple_of=0.25, description="Quarter notes of a bar, or of each listed chord."
    )
    inversions: bool | None = Field(None, description="Allow inversions. Default: on piano only.")
    range_low: NoteName | None = Field(None, description="Lowest note, such as E2.")
    range_high: NoteName | None = Field(None, description="Highest note, such as C6.")
    include_musicxml: IncludeMusicXml = False

    @model_validator(mode="before")
    @classmethod
    def _song_as_chords(cls, raw: Any) -> Any:
        """Take a song's id in `chords` for its `song_id`, as tools that take music take any id of it."""
        if isinstance(raw, dict) and "song_id" not in raw and str(raw.get("chords")).startswith("song_"):
            raw = {"song_id" if name == "chords" else name: value for name, value in raw.items()}
        return raw


class ProgressionChord(ToolOutput):
    chord: str
    notes: list[str] = Field(description="From the lowest up; none for N.C.")
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
    motion: int = Field(description="Semitones that all voices move in all.")
    faults: list[PartWritingFault] = Field(description="What could not be avoided; empty is right.")
