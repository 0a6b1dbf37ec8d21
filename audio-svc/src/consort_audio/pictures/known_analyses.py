"""Find what the listening tools have heard in an audio file, or let them listen if it was asked for by name."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, NamedTuple

from consort_audio.analysis.service import ANALYSES, BASELINE, HEARD, Analyses
from consort_audio.files.store import AudioRow
from consort_audio.pictures.overlay.from_analyses import (
    compared_bars,
    compared_faults,
    heard_beats,
    heard_chords,
    heard_faults,
    heard_voices,
)
from consort_audio.pictures.overlay.model import Layer, Overlay
from consort_kit.errors import ConsortError
from consort_kit.jobs.models import JobTicket

COMPARISON, CHORDS, TRANSCRIPTION = "compare_to_reference", "detect_chords", "transcribe_audio"
NO_NOTES = "Several notes sound at once, or none is clear. Call transcribe_audio, and its notes will be drawn."
_WAIT_S = 40.0


class AnalysesOfAudio(NamedTuple):
    overlay: Overlay
    sources: dict[Layer, str]
    """Which tool each layer comes from."""
    warnings: list[str]
    """Why something that was asked for is missing."""


class AnalysisFinder:
    def __init__(self, analyses: Analyses) -> None:
        self._analyses = analyses

    async def find(self, row: AudioRow, layers: Collection[Layer], *, may_listen: bool) -> AnalysesOfAudio:
        """Return these layers of what is known. `may_listen`: analyze what is not known yet."""
        warnings: list[str] = []
        found, sources = Overlay(), dict[Layer, str]()

        async def outcome(tool: str) -> dict[str, Any] | None:
            known = await self._analyses.newest(tool, row)
            return await self._listen(tool, row, warnings) if known is None and may_listen else known

        if "chords" in layers and (chords := await outcome(CHORDS)):
            found, sources["chords"] = replace(found, chords=heard_chords(chords)), CHORDS
        if comparison := await self._analyses.newest(COMPARISON, row):
            drawing = comparison["drawing"]
            found = replace(found, beats=compared_bars(drawing), faults=compared_faults(drawing))
            sources["faults"] = f"{COMPARISON} with {drawing['title']}"
            if found.beats:
                sources["beats"] = sources["faults"]
        notes = await self._analyses.newest(TRANSCRIPTION, row) if "notes" in layers else None
        if notes is not None:
            found, sources["notes"] = replace(found, voices=heard_voices(notes["notes"])), TRANSCRIPTION
        missing = [layer for layer in layers if layer != "chords" and layer not in sources]
        if missing and (baseline := await outcome(BASELINE)):
            found = _add_baseline(found, baseline, missing)
            sources |= dict.fromkeys(missing, BASELINE)
            if may_listen and "notes" in missing and not found.voices:
                warnings.append(NO_NOTES)
        found = found.only(layers)
        return AnalysesOfAudio(found, {each: sources[each] for each in found.layers}, warnings)

    async def _listen(self, tool: str, row: AudioRow, warnings: list[str]) -> dict[str, Any] | None:
        try:
            outcome = await self._analyses.listen(tool, [row], {}, _WAIT_S)
        except ConsortError as error:
            warnings.append(f"{tool} failed. {error}")
            return None
        if isinstance(outcome, JobTicket):
            warnings.append(f"{tool} is still listening, as {outcome.job_id}. Draw again when get_job has its result.")
            return None
        return outcome


def _add_baseline(overlay: Overlay, baseline: dict[str, Any], layers: Collection[Layer]) -> Overlay:
    heard = baseline[HEARD]
    return replace(
        overlay,
        voices=heard_voices(heard["notes"]) if "notes" in layers else overlay.voices,
        beats=heard_beats(heard) if "beats" in layers else overlay.beats,
        faults=heard_faults(baseline[ANALYSES]) if "faults" in layers else overlay.faults,
    )
