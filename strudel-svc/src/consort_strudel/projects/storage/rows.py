"""Rows of the tables, as the store returns and takes them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from consort_strudel.structure import BEATS_PER_CYCLE


@dataclass(frozen=True)
class DetectedFacts:
    """What a script says about its song."""

    cpm: float | None = None
    """Cycles per minute."""
    key: str | None = None
    packs: tuple[str, ...] = ()
    beats: float | None = None
    """In a cycle."""

    def tempo(self, given_beats: float | None) -> float | None:
        """Return the tempo in beats per minute. `given_beats` are the beats per cycle that the project sets."""
        return None if self.cpm is None else round(self.cpm * (given_beats or self.beats or BEATS_PER_CYCLE), 3)


@dataclass(frozen=True)
class ProjectRow:
    """A project and its current script (or another version of it)."""

    id: str
    name: str
    description: str | None
    tempo: float | None
    key: str | None
    tags: list[str]
    genre: str | None
    data: dict[str, Any]
    version: int
    """The current one, whichever script was read."""
    created_at: datetime
    modified_at: datetime
    deleted_at: datetime | None
    line_count: int
    cpm: float | None
    detected_key: str | None
    packs_used: list[str]
    script_beats: float | None
    script: str = ""
    """Not read for lists."""

    @property
    def given_beats(self) -> float | None:
        """The beats per cycle that the project sets."""
        beats: float | None = self.data.get("beats_per_cycle")
        return beats

    @property
    def beats_per_cycle(self) -> float:
        return self.given_beats or self.script_beats or BEATS_PER_CYCLE

    @property
    def detected_tempo(self) -> float | None:
        return DetectedFacts(self.cpm, beats=self.script_beats).tempo(self.given_beats)


@dataclass(frozen=True)
class VersionRow:
    version: int
    script: str
    line_count: int
    action: str
    summary: str
    reason: str | None
    restored_from: int | None
    cpm: float | None
    detected_key: str | None
    packs_used: list[str]
    script_beats: float | None
    created_at: datetime


@dataclass(frozen=True)
class NewVersion:
    """A version to be written."""

    script: str
    line_count: int
    action: str
    summary: str
    detected: DetectedFacts
    reason: str | None = None
    restored_from: int | None = None


@dataclass(frozen=True)
class ProjectPage:
    rows: list[ProjectRow]
    total_count: int
    filtered_count: int
