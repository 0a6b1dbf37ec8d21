"""The input and output of midi_to_notation. The descriptions are sent with every tool listing; keep them short."""

from itertools import pairwise
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import PydanticCustomError

from consort_compose.composer.fields import MAX_TEXT, text_as_list
from consort_kit.ids import id_pattern
from consort_kit.jobs.models import WAIT_S, WaitSeconds
from consort_kit.tools.chosen_music import ChosenMusic
from consort_kit.tools.models import SourceInput, ToolOutput, check_one_given
from consort_music.fields import KeyField, MetreField, PitchField
from consort_music.music_ids import MUSIC_ALIASES, MUSIC_ROUTES

NOTATION_ID = id_pattern("notation")
NotationFormat = Literal["sheet_music", "tabs", "both"]
Paper = Literal["a4", "letter", "a5", "a3"]
OtherFile = Literal["svg", "musicxml", "pdf"]


def _check_rising(times: list[float]) -> list[float]:
    for before, after in pairwise(times):
        if after <= before:
            raise PydanticCustomError(
                "beat_times", "Beats must rise, but {after} follows {before}", {"before": before, "after": after}
            )
    return times


class MidiToNotation(ChosenMusic, SourceInput):
    aliases: ClassVar[dict[str, str]] = {
        **MUSIC_ALIASES,
        **dict.fromkeys(("notes", "note_list", "abc", "musicxml", "stream"), "music"),
        **dict.fromkeys(("metre", "meter"), "time_signature"),
        "bpm": "tempo",
    }
    units: ClassVar[dict[str, str]] = {"beat_times": "seconds"}

    midi_file_id: str | None = Field(
        None, description="Id of a file, song or score.", pattern=id_pattern(*MUSIC_ROUTES)
    )
    music: str | None = Field(None, max_length=MAX_TEXT, description="Instead: notes (C4:q D4:e), ABC or MusicXML.")
    format: NotationFormat = Field("sheet_music", description="tabs: frets; both: sheet music with frets, and tabs.")
    files: Annotated[list[OtherFile], BeforeValidator(text_as_list)] = Field(
        [], max_length=3, description="Links besides PNG."
    )
    composer: str | None = Field(None, max_length=120, description="Name above the music.")
    lyrics: str | None = Field(
        None, max_length=20_000, description="Of the first part: Twin-kle lit-tle star; _ holds a syllable."
    )
    chord_symbols: bool = Field(True, description="Show the chords of the music.")
    chord_diagrams: bool = Field(False, description="Draw the shapes of the chords.")
    concert_pitch: bool = Field(False, description="Do not transpose for clarinet, horn, sax.")
    page_size: Paper = Field("a4", description="Paper.")
    landscape: bool = Field(False, description="Turn the paper.")
    zoom: float = Field(1, ge=0.4, le=2.5, description="Size; 1: as printed music.")
    instrument: str | None = Field(None, max_length=60, description="Of tabs: guitar, bass, ukulele, banjo, mandolin.")
    tuning: str | None = Field(None, max_length=120, description="drop D, or D2 A2 D3 G3 B3 E4.")
    capo: int = Field(0, ge=0, le=12, description="Fret of the capo.")
    position: int | None = Field(None, ge=0, le=24, description="Fret near which the hand stays.")
    open_strings: Literal["prefer", "avoid", "never"] | None = Field(None, description="For tabs.")
    pinned: Annotated[list[str], BeforeValidator(text_as_list)] = Field(
        [], max_length=200, description="Bar:beat, note, string or string/fret; 2:1.5 B3 3/4."
    )
    time_signature: MetreField | None = Field(None, description="Correct it, with the fields below, for a played file.")
    key: KeyField | None = Field(None, description="Such as F# minor.")
    pickup: float | None = Field(None, ge=0, le=16, description="Quarter notes in the first, short bar.")
    swing: bool | None = Field(None, description="Write swing as straight eighths.")
    voices: int | None = Field(None, ge=1, le=4, description="Most voices on a staff.")
    split_point: PitchField | None = Field(None, description="Lowest note of the right hand.")
    grid: int | None = Field(None, ge=1, le=8, description="Most notes in a beat; 4: 16ths.")
    tempo: float | None = Field(None, ge=10, le=400, description="Beats per minute, about.")
    beat_times: Annotated[list[float], AfterValidator(_check_rising)] | None = Field(
        None, max_length=10_000, description="All beats, in seconds."
    )
    bars_as_text: Literal["short", "all", "none"] = Field("short", description="all: every bar; short: the first 24.")
    wait_s: WaitSeconds = WAIT_S

    @model_validator(mode="after")
    def _check_one_source(self) -> Self:
        check_one_given(self, ("midi_file_id", "music"), '{"midi_file_id": "midi_4r0c…"}')
        return self


class NotatedBar(ToolOutput):
    bar: int
    written: str = Field(description="Notes as C4:q, rests as R:q; voices are separated by /, staves by ;.")
    confidence: float | None = Field(None, description="0 to 1, for a played file.")
    alternatives: list[str] | None = None


class EngravedMusic(ToolOutput):
    midi_file_id: str | None = None
    song_id: str | None = None
    score_id: str | None = None
    format: NotationFormat
    notation_id: SkipJsonSchema[str] = Field(exclude=True)  # names the pages; no tool takes it
    title: str | None = None
    sheet_music_url: str | None = Field(None, description="First page.")
    tabs_url: str | None = Field(None, description="First page of the tabs.")
    page_count: int
    page_urls: list[str] | None = Field(None, description="All pages, at most 30, if there are more than the first.")
    svg_urls: list[str] | None = None
    musicxml_url: str | None = None
    pdf_url: str | None = None
    key: str | None = None
    time_signature: str
    bar_count: int
    parts: list[str]
    bars: list[NotatedBar] | None = None
    bars_left_out: int | None = Field(None, description="Bars not in `bars`; bars_as_text: all gives them.")
    uncertain_bars: list[int] | None = Field(None, description="Look at these first.")
    warnings: list[str] | None = None
