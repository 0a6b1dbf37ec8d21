"""The input and the answer of detect_chords."""

from typing import ClassVar

from pydantic import Field

from consort_audio.analysis.listening_input import ListeningInput
from consort_audio.files.models import AUDIO_ALIASES
from consort_kit.tools.models import ToolOutput

MOST_CHORDS = 120


class DetectChords(ListeningInput):
    aliases: ClassVar[dict[str, str]] = {**AUDIO_ALIASES, "start": "start_time", "end": "end_time"}
    units: ClassVar[dict[str, str]] = dict.fromkeys(("start_time", "end_time"), "seconds")

    start_time: float = Field(0, ge=0, description="In seconds.")
    end_time: float | None = Field(None, gt=0, description="In seconds. Default: the end.")


class HeardChord(ToolOutput):
    time: float = Field(description="Seconds.")
    duration: float
    chord: str = Field(description="Such as Cmaj, Amin7 or G7/B. Composer tools read it.")
    confidence: float = Field(description="0 to 1.")
    bar: int | None = None
    beat: float | None = None


class ChordsAnswer(ToolOutput):
    chords: list[HeardChord] = Field(description=f"At most {MOST_CHORDS}; for later ones give start_time.")
    chord_count: int
    progression: list[str] = Field(description="The chords without basses, repeats left out, at most 32.")
    numerals: list[str] = Field(
        description="The progression in Roman numerals; 'Eb: I' where the key changes, 'c: i' in minor."
    )
    key: str | None = Field(None, description="Such as C major.")
    confidence: float = Field(description="The mean over time.")
    method: str
    reference: str = Field(description="What good looks like.")
