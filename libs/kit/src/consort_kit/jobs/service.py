"""Submit jobs, wait for them and cancel them."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from consort_kit.errors import ConsortError, ErrorBody, NotFound, ServiceDown, error_with_status
from consort_kit.ids import new_id
from consort_kit.jobs.models import AUDIO_JOB, GetJob, JobReport, JobTicket
from consort_kit.jobs.queue import DEAD_AFTER_S, JobQueue
from consort_kit.jobs.store import JobRow, JobStore
from consort_kit.storage.postgres import Database

JobProgress = Callable[[float], Awaitable[None]]
"""Reports how much of a job is done, from 0 to 1."""
RunJob = Callable[[dict[str, Any], JobProgress], Awaitable[dict[str, Any]]]
"""Does the work of a job with these parameters and returns its result. It may be cancelled, and may run twice."""
AnswerOfResult = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Turns the stored result of a job into a tool's answer: adds links, which would expire if they were stored."""

KEEP_DAYS = 30
MAX_DEATHS = 3
"""A job is given up if its worker died this many times: the job may be the cause."""
_PROGRESS_S = 0.5
"""Seconds between two updates of a job's progress."""
_MOST_UNFINISHED = 0.99
"""The highest progress of a job that still runs."""
_POLL_S = 0.3
"""Seconds between two looks at a job that runs in another process."""

_log = logging.getLogger("consort")


@dataclass(frozen=True)
class JobKind:
    run: RunJob
    answer: AnswerOfResult
    tool: str
    """The tool that starts such jobs, for messages."""


class JobService:
    def __init__(
        self, database: Database, at_once: int, dead_after_s: float = DEAD_AFTER_S, id_prefix: str = AUDIO_JOB
    ) -> None:
        self._database = database
        self._id_prefix = id_prefix
        self._store = JobStore(database)
        self._queue = JobQueue(database, self._run, self._store.count_death, at_once, dead_after_s)
        self._kinds: dict[str, JobKind] = {}
        self._ended = asyncio.Condition()

    def register(
        self, kind: str, run: RunJob, answer: AnswerOfResult | None = None, tool: str = "the tool that started it"
    ) -> None:
        self._kinds[kind] = JobKind(run, answer or _unchanged, tool)

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Work on jobs while the context is open."""
        async with self._queue.working():
            await self._store.delete_old(KEEP_DAYS)
            yield

    async def submit(self, kind: str, parameters: dict[str, Any], cache_key: str | None = None) -> JobRow:
        """Queue a job and return it. Return the existing job if one with this cache key did not fail."""
        while True:
            if cache_key is not None and (found := await self.find(cache_key)):
                return found
            job_id = new_id(self._id_prefix)
            await self._queue.opened()  # before a connection is taken: the queue needs one to open
            async with self._database.transaction() as connection:
                if await self._store.add(connection, job_id, kind, parameters, cache_key):
                    queue_id = await self._queue.defer(connection, job_id)
                    await self._store.set_queue_id(connection, job_id, queue_id)
            if row := await self._store.by_id(job_id):
                return row

    async def find(self, cache_key: str) -> JobRow | None:
        """Return the job with this cache key that is queued, runs or succeeded."""
        return await self._store.by_cache_key(cache_key)

    async def wait(self, job_id: str, wait_s: float) -> JobRow:
        """Return the job when it is finished, or as it is after `wait_s` seconds."""
        deadline = time.monotonic() + wait_s
        while True:
            row = await self._row(job_id)
            left = deadline - time.monotonic()
            if row.is_finished or left <= 0:
                return row
            async with self._ended:
                try:
                    async with asyncio.timeout(min(left, _POLL_S)):
                        await self._ended.wait()
                except TimeoutError:
                    pass

    async def outcome(self, job: JobRow, wait_s: float) -> dict[str, Any] | None:
        """Return the answer of a job, or None if it is not finished after `wait_s` seconds. Raise the job's error."""
        result = await self.result(job, wait_s)
        return None if result is None else await self._kinds[job.kind].answer(result)

    async def result(self, job: JobRow, wait_s: float) -> dict[str, Any] | None:
        """Return the stored result of a job, or None if it is not finished in time. Raise the job's error."""
        row = await self.wait(job.id, wait_s)
        if row.result is not None:
            return row.result
        if row.error is not None:
            raise error_with_status(row.error["status"], ErrorBody(**row.error))
        if row.status == "cancelled":
            raise ConsortError("The job was cancelled. Call the tool again to start a new one.", code="CANCELLED")
        return None

    async def cached_result(self, cache_key: str) -> dict[str, Any] | None:
        """Return the result of the job with this cache key, or None if there is none yet."""
        row = await self.find(cache_key)
        return row.result if row is not None else None

    async def newest_result(self, start_of_cache_key: str) -> dict[str, Any] | None:
        """Return the newest result of the jobs whose cache keys start with this text, or None."""
        return await self._store.newest_result(start_of_cache_key)

    async def get(self, request: GetJob) -> JobReport:
        if request.cancel:
            await self._cancel(request.job_id)
        row = await self.wait(request.job_id, request.wait_s)
        return JobReport(
            **job_ticket(row).model_dump(),
            kind=row.kind,
            result=None if row.result is None else await self._answer(row.kind, row.result),
            error=ErrorBody(**row.error) if row.error is not None else None,
        )

    async def _answer(self, kind: str, result: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of a finished job. Raise NotFound, which names `job_id`, if its file was deleted."""
        try:
            return await self._kinds[kind].answer(result)
        except NotFound as error:
            tool = self._kinds[kind].tool
            raise NotFound(
                f"The job succeeded, but what it made was deleted. Call {tool} again.",
                field="job_id",
                suggestions=[tool],
            ) from error

    async def forget(self, job: JobRow) -> None:
        """Delete a finished job, so that an equal request does the work again."""
        await self._store.delete(job.id)

    async def _cancel(self, job_id: str) -> None:
        await self._row(job_id)
        row = await self._store.cancel(job_id)
        if row is not None and row.queue_id is not None:
            await self._queue.abort(row.queue_id)

    async def _row(self, job_id: str) -> JobRow:
        row = await self._store.by_id(job_id)
        if row is None:
            raise NotFound(
                f"'job_id' is {job_id}, and there is no such job. Finished jobs are kept for {KEEP_DAYS} days. "
                "Call the tool that does the work again.",
                field="job_id",
            )
        return row

    async def _run(self, job_id: str) -> None:
        """Run a job for the queue and store its outcome. Raise ServiceDown if it cannot be stored."""
        job = await self._store.begin(job_id)
        if job is None:
            return
        try:
            if job.deaths >= MAX_DEATHS:
                raise ConsortError(
                    "The work was given up, because the process that did it died several times. Ask for less.",
                    code="PROCESSING_FAILED",
                )
            result = await self._kinds[job.kind].run(job.parameters, self._progress(job_id))
        except asyncio.CancelledError:
            await self._store.requeue(job_id)  # has no effect if a user cancelled the job
            raise
        except ConsortError as error:
            await self._fail(job_id, error)
        except Exception:
            _log.exception("a job failed", extra={"fields": {"job_id": job_id, "kind": job.kind}})
            await self._fail(
                job_id,
                ConsortError(
                    "The work failed. Your input is not the cause. `consort logs` may show why.",
                    code="PROCESSING_FAILED",
                ),
            )
        else:
            await self._store.succeed(job_id, result)
        finally:
            async with self._ended:
                self._ended.notify_all()

    async def _fail(self, job_id: str, error: ConsortError) -> None:
        await self._store.fail(job_id, {**error.body.model_dump(mode="json"), "status": error.status})

    def _progress(self, job_id: str) -> JobProgress:
        reported = 0.0

        async def report(done: float) -> None:
            nonlocal reported
            if time.monotonic() - reported >= _PROGRESS_S:
                reported = time.monotonic()
                with suppress(ServiceDown):  # work does not fail because its progress cannot be stored
                    await self._store.set_progress(job_id, min(max(done, 0.0), _MOST_UNFINISHED))

        return report


def job_ticket(row: JobRow) -> JobTicket:
    return JobTicket(job_id=row.id, status=row.status, progress=round(row.progress, 2))


async def _unchanged(result: dict[str, Any]) -> dict[str, Any]:
    return result
