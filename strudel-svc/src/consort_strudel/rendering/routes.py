"""The tool render_strudel, and reports on its jobs."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from consort_kit.errors import NotFound, ServiceDown
from consort_kit.jobs.models import JOB_ROUTE, GetJob, JobReport, JobTicket
from consort_kit.jobs.service import JobService
from consort_kit.tools.tool_decorator import ERRORS, tool, tool_router
from consort_strudel.rendering.models import RenderedStrudel, RenderStrudel
from consort_strudel.rendering.service import RenderService

router = tool_router()
jobs_router = APIRouter()


def _renders(request: Request) -> RenderService:
    service: RenderService = request.app.state.renders
    return service


TheRenders = Annotated[RenderService, Depends(_renders)]


@tool(router, title="Render a script to sound", toolset="strudel", effect="write", errors=(NotFound, ServiceDown))
async def render_strudel(body: RenderStrudel, renders: TheRenders) -> RenderedStrudel | JobTicket:
    """Render Strudel code to an audio file (wav, mp3): make or bounce a live song (script, project) to hear it
    (listen), all or one voice. Reports silent or missing sounds.

    Example: {"project_name": "rain", "cycles": 8, "voice": "bass"}
    """
    return await renders.render(body)


@jobs_router.post(
    JOB_ROUTE,
    summary="Report on a job of this service, for get_job",
    response_model_exclude_none=True,
    responses=ERRORS,
)
async def job_report(body: GetJob, request: Request) -> JobReport:
    jobs: JobService = request.app.state.jobs
    return await jobs.get(body)
