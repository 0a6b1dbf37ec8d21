"""The tool get_job, and the ticket that a tool returns instead of a result that is not ready yet."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from consort_kit.errors import ErrorBody
from consort_kit.ids import id_pattern
from consort_kit.tools.models import ToolInput, ToolOutput

AUDIO_JOB, NOTATION_JOB, SOUND_JOB = "job", "printjob", "soundjob"
JOB_SERVICES = {AUDIO_JOB: "audio", NOTATION_JOB: "compose", SOUND_JOB: "strudel"}
"""For each prefix of ids: the service that keeps such jobs."""
JOB_ID = id_pattern(*JOB_SERVICES)
JobStatus = Literal["queued", "running", "succeeded", "failed", "cancelled"]
JOB_ROUTE = "/jobs/report"
"""The route at which a service other than audio-svc, which has the tool, reports on its jobs."""
WAIT_S = 50.0
"""How long a tool waits for its result by default, in seconds. Assistants give up after about a minute."""
WaitSeconds = Annotated[float, Field(ge=0, le=WAIT_S, description="Seconds until a job_id.")]
"""How long a tool waits for its result before it returns a `JobTicket`."""


class JobTicket(ToolOutput):
    """What a tool returns if its work takes longer than `wait_s`."""

    job_id: str = Field(description="For get_job, which returns the result later.")
    status: JobStatus
    progress: float = Field(description="0 to 1.")


class GetJob(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"id": "job_id"}

    job_id: str = Field(description="Id from a tool that started long work.", pattern=JOB_ID)
    wait_s: float = Field(0, ge=0, le=WAIT_S, description="Seconds to wait for the result.")
    cancel: bool = Field(False, description="Stop the job.")


class JobReport(JobTicket):
    kind: str = Field(description="What the job does.", examples=["render"])
    result: dict[str, Any] | None = Field(None, description="The answer of the tool that started the job.")
    error: ErrorBody | None = Field(None, description="Why the job failed.")
