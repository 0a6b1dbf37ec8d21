"""The tool midi_to_notation, its pages for browsers, and reports on its jobs."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Request, Response

from consort_compose.notation.models import NOTATION_ID, EngravedMusic, MidiToNotation
from consort_compose.notation.service import NotationService, first_page_path
from consort_compose.scores.routes import MUSICXML_TYPE
from consort_kit.errors import NotFound
from consort_kit.jobs.models import JOB_ROUTE, GetJob, JobReport, JobTicket
from consort_kit.jobs.service import JobService
from consort_kit.tools.answer_headers import PICTURE_HEADER
from consort_kit.tools.tool_decorator import ERRORS, binary_responses, tool, tool_router

router = tool_router()
pages_router = APIRouter()

MEDIA_TYPES = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "musicxml": MUSICXML_TYPE,
    "pdf": "application/pdf",
}


def _notations(request: Request) -> NotationService:
    service: NotationService = request.app.state.notations
    return service


Notations = Annotated[NotationService, Depends(_notations)]


@tool(router, title="Write sheet music or tabs", toolset="compose", effect="write", errors=(NotFound,))
async def midi_to_notation(body: MidiToNotation, notations: Notations, response: Response) -> EngravedMusic | JobTicket:
    """Show music as sheet music (written notes on a staff) or tabs for guitar, bass or ukulele: engrave, notate,
    typeset or print a MIDI file, song or score with lyrics, chord symbols, parts for an orchestra.

    Returns pages (PNG; SVG, MusicXML and PDF on request) and the bars as text. A played file is read as a score:
    compare the bars (uncertain_bars) with what was meant, and correct the time_signature, key, pickup, swing or tempo.

    Example: {"midi_file_id": "song_4r0c…", "format": "both", "tracks": ["Guitar"], "files": ["pdf"]}
    """
    answer = await notations.notate(body)
    if isinstance(answer, EngravedMusic):
        response.headers[PICTURE_HEADER] = first_page_path(answer)
    return answer


@pages_router.get(
    "/notation/{notation_id}/{name}.{kind}",
    summary="A page of engraved music",
    response_class=Response,
    responses=binary_responses(*MEDIA_TYPES.values()),
)
async def notation_page(
    notation_id: Annotated[str, Path(pattern=NOTATION_ID, description="Id from midi_to_notation.")],
    name: Annotated[str, Path(pattern=r"^(sheet|tabs)(-[1-9][0-9]{0,3})?$", description="Such as sheet-1 or sheet.")],
    kind: Annotated[Literal["png", "svg", "musicxml", "pdf"], Path(description="Kind of file.")],
    notations: Notations,
) -> Response:
    return Response(await notations.page(notation_id, name, kind), media_type=MEDIA_TYPES[kind])


@pages_router.post(
    JOB_ROUTE,
    summary="Report on a job of this service, for get_job",
    response_model_exclude_none=True,
    responses=ERRORS,
)
async def job_report(body: GetJob, request: Request) -> JobReport:
    jobs: JobService = request.app.state.jobs
    return await jobs.get(body)
