"""The tool get_job."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import NotFound
from consort_kit.http.service_client import ServiceClient
from consort_kit.ids import prefix_of
from consort_kit.jobs.models import AUDIO_JOB, JOB_ROUTE, JOB_SERVICES, GetJob, JobReport
from consort_kit.jobs.service import JobService
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


def _jobs(request: Request) -> JobService:
    jobs: JobService = request.app.state.jobs
    return jobs


Jobs = Annotated[JobService, Depends(_jobs)]


@tool(router, title="Get the result of long work", toolset="audio", effect="write", errors=(NotFound,))
async def get_job(body: GetJob, jobs: Jobs, request: Request) -> JobReport:
    """Get the status, progress or result of long work: is a rendering or other job ready, finished, still working? Can
    cancel (abort) it.

    Example: {"job_id": "job_4r0c…"}
    """
    if prefix_of(body.job_id) == AUDIO_JOB:
        return await jobs.get(body)
    client: ServiceClient = request.app.state.client
    service = JOB_SERVICES[prefix_of(body.job_id)]
    return JobReport.model_validate(await client.call(service, "POST", JOB_ROUTE, json=body.model_dump()))
