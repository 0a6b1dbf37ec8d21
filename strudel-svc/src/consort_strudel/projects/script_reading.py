"""What projects ask about a script. `engine_reading` answers with the real engine."""

from dataclasses import dataclass
from typing import Protocol

from consort_strudel.projects.patches.outline import ScriptOutline
from consort_strudel.projects.storage.rows import DetectedFacts
from consort_strudel.validation.verdict import ScriptVerdict


@dataclass(frozen=True)
class JudgedScript:
    """The verdict on a script, and what it says."""

    verdict: ScriptVerdict
    detected: DetectedFacts


class ScriptReading(Protocol):
    async def outline(self, script: str) -> ScriptOutline:
        """Return where the statements, comments and sections are."""
        ...

    async def detect(self, script: str) -> DetectedFacts:
        """Return the tempo, key and packs that the script names."""
        ...

    async def validate(self, script: str, given_beats: float | None, key: str | None = None) -> JudgedScript:
        """Return all errors and warnings, and what `detect` returns.

        `given_beats` (per cycle) and `key` are those that the project sets.
        """
        ...


class ListenLinks(Protocol):
    """Makes links to the listen page."""

    def listen_url(self, project_id: str) -> str | None: ...
