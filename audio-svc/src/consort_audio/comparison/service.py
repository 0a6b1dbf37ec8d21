"""Compare takes: check the reference, fetch its music, let a worker compare, and draw the report."""

import asyncio
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from consort_audio.analysis.service import Analyses
from consort_audio.comparison.midi_packing import pack_midi
from consort_audio.comparison.models import (
    AudioComparison,
    CompareAudio,
    CompareToReference,
    PracticeReport,
    ReferenceComparison,
    ReferencedTake,
)
from consort_audio.comparison.reference.build import build_reference
from consort_audio.comparison.reference.parameter_errors import check_parameters
from consort_audio.comparison.reference.parameters import REFERENCES, ExerciseReference, ReferenceType, ScaleReference
from consort_audio.comparison.report.picture import draw_report, numbered_faults
from consort_audio.files.library import AudioLibrary
from consort_audio.files.store import AudioRow
from consort_audio.settings import AudioSettings
from consort_kit.errors import InvalidInput, NotFound
from consort_kit.http.service_client import FetchedFile, ServiceClient
from consort_kit.http.signed_links import Links
from consort_kit.jobs.models import JobTicket
from consort_kit.png import render_png

COMPARISON, REPORT = "compare_to_reference", "practice_report"
_SHOWN = (
    "comparison", "error_count", "error_types", "worst_spots", "remarks", "tempo", "confidence", "method", "reference",
    "warnings",
)  # fmt: skip
"""The fields of a comparison that stand beside its picture, if they are not empty."""
_DRAWN_SCALE = 2.0
"""A narrow picture is for a phone, whose screen has twice as many pixels."""
_NARROW = 500


class DrawnReport(NamedTuple):
    content: bytes
    details: dict[str, Any]
    """A link to the picture, and the comparison in short."""


class ComparisonService:
    def __init__(
        self, analyses: Analyses, library: AudioLibrary, client: ServiceClient, links: Links, settings: AudioSettings
    ) -> None:
        self._analyses = analyses
        self._library = library
        self._client = client
        self._links = links
        self._settings = settings
        analyses.finish_with(COMPARISON, self._finish)

    async def compare_to_reference(self, request: CompareToReference) -> ReferenceComparison | JobTicket:
        rows, options = await self._take(request)
        found = await self._analyses.listen(COMPARISON, rows, options, request.wait_s, _call(request))
        return found if isinstance(found, JobTicket) else ReferenceComparison(**found)

    async def report(self, request: PracticeReport) -> DrawnReport | JobTicket:
        """Compare a take and draw the report. It shares its job with compare_to_reference."""
        rows, options = await self._take(request)
        found = await self._analyses.listen(COMPARISON, rows, options, request.wait_s, _call(request))
        if isinstance(found, JobTicket):
            return found
        drawing = found["drawing"]
        answer = ReferenceComparison(**found)
        title = request.title or (
            f"{PurePosixPath(rows[0].name).stem}: {drawing['title']}" if rows else drawing["title"]
        )
        advice = [spot.advice for spot in answer.worst_spots]
        content = await asyncio.to_thread(_draw, drawing, title, advice, request)
        return DrawnReport(content, self._details(request, found))

    async def _finish(self, outcome: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
        """Return what get_job answers: the comparison, or the text of a report; both with a link to the picture."""
        details = self._details(PracticeReport(**call["request"]), outcome)
        if call["tool"] == REPORT:
            return details
        answer = ReferenceComparison(**outcome).model_dump(mode="json", exclude_none=True)
        return {"download_url": details["download_url"], **answer}

    def _details(self, request: PracticeReport, outcome: dict[str, Any]) -> dict[str, Any]:
        options = request.model_dump_json(exclude={"format", "wait_s"}, exclude_none=True)
        link = self._links.make("audio", f"/reports/practice.{request.format}", {"options": options})
        answer = ReferenceComparison(**outcome).model_dump(mode="json", exclude_none=True)
        marks = numbered_faults(outcome["drawing"])
        shown = {name: answer[name] for name in _SHOWN if answer.get(name) not in (None, [])}
        return {"download_url": link.url, **({"marks": marks} if marks else {}), **shown}

    async def compare_audio(self, request: CompareAudio) -> AudioComparison | JobTicket:
        rows = [
            await self._library.row(request.audio_file_id_1, "audio_file_id_1"),
            await self._library.row(request.audio_file_id_2, "audio_file_id_2"),
        ]
        options: dict[str, Any] = {"comparison_type": request.comparison_type}
        if request.reference_type is not None:
            options |= await self._reference(request.reference_type, request.reference_params or {})
        elif request.reference_params is not None:
            raise InvalidInput(
                "'reference_params' needs 'reference_type', such as \"scale\".",
                field="reference_type",
                suggestions=list(REFERENCES),
            )
        found = await self._analyses.listen("compare_audio", rows, options, request.wait_s)
        return found if isinstance(found, JobTicket) else AudioComparison(**found)

    async def _take(self, request: ReferencedTake) -> tuple[list[AudioRow], dict[str, Any]]:
        """Return the audio file of a take, if it is one, and the options of the worker."""
        options = await self._reference(request.reference_type, request.reference_params)
        if request.audio_file_id is not None:
            return [await self._library.row(request.audio_file_id)], options
        assert request.midi_file_id is not None
        return [], options | {"take_midi": pack_midi((await self._fetch(request.midi_file_id, "midi_file_id")).content)}

    async def _reference(self, reference_type: ReferenceType, parameters: dict[str, Any]) -> dict[str, Any]:
        """Check the parameters, and return the options of the worker. Raise InvalidInput or NotFound."""
        reference = check_parameters(reference_type, parameters)
        options: dict[str, Any] = {
            "reference_type": reference_type,
            "reference_params": reference.model_dump(mode="json", exclude_none=True),
            "max_midi_bytes": self._settings.midi_max_bytes,
        }
        if isinstance(reference, ScaleReference | ExerciseReference):
            build_reference(reference_type, options["reference_params"], None, 0)  # raises if it has no such notes
        else:
            music = await self._fetch(reference.music_id, f"reference_params.{reference_type}_id")
            options["reference_midi"] = pack_midi(music.content)
            if music.name:
                options["reference_name"] = PurePosixPath(music.name).stem
        return options

    async def _fetch(self, music_id: str, field: str) -> FetchedFile:
        try:
            return await self._client.fetch(music_id)
        except NotFound as error:
            error.body.field = field
            raise


def _call(request: CompareToReference | PracticeReport) -> dict[str, Any]:
    """Return what get_job needs to know of a call."""
    tool = REPORT if isinstance(request, PracticeReport) else COMPARISON
    return {"tool": tool, "request": request.model_dump(mode="json", exclude={"wait_s"}, exclude_none=True)}


def _draw(drawing: dict[str, Any], title: str, advice: list[str], request: PracticeReport) -> bytes:
    svg = draw_report(drawing, title=title, advice=advice, width=request.width)
    if request.format == "svg":
        return svg.encode()
    return render_png(svg, _DRAWN_SCALE if request.width <= _NARROW else 1)
