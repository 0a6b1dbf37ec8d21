"""The tools compare_to_reference, compare_audio and practice_report, and the route that draws a report again."""

import json
from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Json

from consort_audio.comparison.models import (
    AudioComparison,
    CompareAudio,
    CompareToReference,
    PracticeReport,
    ReferenceComparison,
)
from consort_audio.comparison.service import ComparisonService
from consort_kit.errors import NotFound, ServiceDown, TimedOut, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.answer_headers import MEDIA_DETAILS_HEADER
from consort_kit.tools.tool_decorator import binary_responses, tool, tool_router

router = tool_router()

MEDIA_TYPES = {"png": "image/png", "svg": "image/svg+xml"}


def _comparisons(request: Request) -> ComparisonService:
    service: ComparisonService = request.app.state.comparisons
    return service


Comparisons = Annotated[ComparisonService, Depends(_comparisons)]


@tool(
    router,
    title="Compare a take with what was expected",
    toolset="listening",
    effect="read",
    errors=(NotFound, TooLarge, ServiceDown),
)
async def compare_to_reference(body: CompareToReference, comparisons: Comparisons) -> ReferenceComparison | JobTicket:
    """Check (assess) how correctly a recorded or MIDI take was played: compare it with a scale, exercise (arpeggio),
    the written music (MIDI file, song, score). Did the player hit the right notes? Lists wrong, missed, extra, early,
    late, short, long, sharp and flat ones, and how accurate it was.

    Example: {"audio_file_id": "audio_4r0c…", "reference_type": "scale", "reference_params": {"scale": "D major"}}
    """
    return await comparisons.compare_to_reference(body)


@tool(router, title="Compare two takes", toolset="listening", effect="read", errors=(NotFound, TooLarge, ServiceDown))
async def compare_audio(body: CompareAudio, comparisons: Comparisons) -> AudioComparison | JobTicket:
    """Compare two recordings (takes) of the same music: is the second (last) better, has it improved, any progress,
    which is closer to a teacher, what got worse, how alike are they?

    Example: {"audio_file_id_1": "audio_4r0c…", "audio_file_id_2": "audio_8b1n…"}
    """
    return await comparisons.compare_audio(body)


@tool(
    router,
    title="Draw a practice report",
    toolset="listening",
    effect="read",
    heavy=True,
    errors=(NotFound, TooLarge, ServiceDown),
    media_types=tuple(MEDIA_TYPES.values()),
    ticket=JobTicket,
)
async def practice_report(body: PracticeReport, comparisons: Comparisons) -> Response:
    """Draw a practice report: a picture (chart) of a take as compare_to_reference checks it, showing what the player
    did wrong: played against expected notes, mistakes coloured.

    Example: {"audio_file_id": "audio_4r0c…", "reference_type": "scale", "reference_params": {"scale": "D major"}}
    """
    drawn = await comparisons.report(body)
    if isinstance(drawn, JobTicket):
        return JSONResponse(drawn.model_dump(mode="json"))
    return Response(
        drawn.content, media_type=MEDIA_TYPES[body.format], headers={MEDIA_DETAILS_HEADER: json.dumps(drawn.details)}
    )


@router.get(
    "/reports/practice.{format}",
    summary="Draw a practice report",
    response_class=Response,
    responses=binary_responses(*MEDIA_TYPES.values()),
)
async def practice_picture(
    format: Annotated[Literal["png", "svg"], Path(description="Kind of picture.")],
    comparisons: Comparisons,
    options: Annotated[Json[PracticeReport], Query(description="Fields of practice_report, as JSON.")],
) -> Response:
    drawn = await comparisons.report(options.model_copy(update={"format": format}))
    if isinstance(drawn, JobTicket):
        raise TimedOut("The take is still being compared. Open this link again in a minute.")
    return Response(drawn.content, media_type=MEDIA_TYPES[format])
