"""All SQL for the `jobs` table."""

from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from consort_kit.jobs.models import JobStatus
from consort_kit.storage.postgres import Connection, Database


@dataclass(frozen=True)
class JobRow:
    """A job without its parameters, which may be large: rows are read often while a client waits."""

    id: str
    kind: str
    status: JobStatus
    progress: float
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    queue_id: int | None

    @property
    def is_finished(self) -> bool:
        return self.status in ("succeeded", "failed", "cancelled")


@dataclass(frozen=True)
class StartedJob:
    kind: str
    parameters: dict[str, Any]
    """What the work needs. They are dropped when the job is finished."""
    deaths: int
    """How often a worker died while it did this job."""


_ROW = "id, kind, status, progress, result, error, queue_id"
"""The columns of a JobRow."""


class JobStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, connection: Connection, job_id: str, kind: str, parameters: dict[str, Any], cache_key: str | None
    ) -> bool:
        """Add a queued job in a transaction. Return False if a job with this cache key is queued, runs or succeeded."""
        cursor = await connection.execute(
            "insert into jobs (id, kind, parameters, cache_key) values (%s, %s, %s, %s)"
            " on conflict do nothing returning id",
            (job_id, kind, Jsonb(parameters), cache_key),
        )
        return await cursor.fetchone() is not None

    async def set_queue_id(self, connection: Connection, job_id: str, queue_id: int) -> None:
        await connection.execute("update jobs set queue_id = %s where id = %s", (queue_id, job_id))

    async def by_id(self, job_id: str) -> JobRow | None:
        found = await self._database.run(f"select {_ROW} from jobs where id = %s", (job_id,))
        return JobRow(**found[0]) if found else None

    async def by_cache_key(self, cache_key: str) -> JobRow | None:
        """Return the job with this key that is queued, runs or succeeded."""
        found = await self._database.run(
            f"select {_ROW} from jobs where cache_key = %s and status in ('queued', 'running', 'succeeded')",
            (cache_key,),
        )
        return JobRow(**found[0]) if found else None

    async def newest_result(self, start_of_cache_key: str) -> dict[str, Any] | None:
        """Return the newest result of the jobs whose cache keys start with this text."""
        found = await self._database.run(
            "select result from jobs where status = 'succeeded' and starts_with(cache_key, %s)"
            " order by finished_at desc limit 1",
            (start_of_cache_key,),
        )
        return found[0]["result"] if found else None

    async def begin(self, job_id: str) -> StartedJob | None:
        """Mark a job as running and return its work. Return None if it is already finished."""
        found = await self._database.run(
            "update jobs set status = 'running', progress = 0 where id = %s and status in ('queued', 'running')"
            " returning kind, parameters, deaths",
            (job_id,),
        )
        return StartedJob(**found[0]) if found else None

    async def count_death(self, job_id: str) -> None:
        """Note that the worker of a running job died, and mark the job as queued."""
        await self._update(
            "update jobs set status = 'queued', progress = 0, deaths = deaths + 1 where id = %s and status = 'running'",
            job_id,
        )

    async def requeue(self, job_id: str) -> None:
        """Mark a running job as queued, because its worker stops."""
        await self._update(
            "update jobs set status = 'queued', progress = 0 where id = %s and status = 'running'", job_id
        )

    async def set_progress(self, job_id: str, progress: float) -> None:
        await self._update("update jobs set progress = %s where id = %s and status = 'running'", progress, job_id)

    async def succeed(self, job_id: str, result: dict[str, Any]) -> None:
        await self._update(
            "update jobs set status = 'succeeded', progress = 1, result = %s, parameters = '{}',"
            " finished_at = clock_timestamp()"
            " where id = %s and status = 'running'",
            Jsonb(result),
            job_id,
        )

    async def fail(self, job_id: str, error: dict[str, Any]) -> None:
        await self._update(
            "update jobs set status = 'failed', error = %s, parameters = '{}', finished_at = clock_timestamp()"
            " where id = %s and status in ('queued', 'running')",
            Jsonb(error),
            job_id,
        )

    async def cancel(self, job_id: str) -> JobRow | None:
        """Mark an unfinished job as cancelled and return it. Return None if it is already finished."""
        found = await self._database.run(
            "update jobs set status = 'cancelled', parameters = '{}', finished_at = clock_timestamp()"
            f" where id = %s and status in ('queued', 'running') returning {_ROW}",
            (job_id,),
        )
        return JobRow(**found[0]) if found else None

    async def delete(self, job_id: str) -> None:
        await self._update("delete from jobs where id = %s", job_id)

    async def delete_old(self, days: int) -> None:
        await self._update("delete from jobs where finished_at < clock_timestamp() - make_interval(days => %s)", days)

    async def _update(self, statement: Any, *values: Any) -> None:
        async with self._database.transaction() as connection:
            await connection.execute(statement, values)
