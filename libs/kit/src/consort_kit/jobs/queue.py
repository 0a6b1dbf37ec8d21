"""The queue of jobs: procrastinate, on the database of the service.

procrastinate is imported when the queue starts, in the background, because that takes 0.3 s. Its tables are in the
service's schema. A worker that died has sent no heartbeat for a few seconds; its jobs go back to the queue. The jobs of
a worker that stops in an orderly way go back at once.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

from consort_kit.storage.postgres import Connection, Database

if TYPE_CHECKING:
    from procrastinate import App

DEAD_AFTER_S = 8.0
"""Seconds without a heartbeat after which a worker counts as dead. Four heartbeats are sent in this time."""
_RESTART_S = 1.0
"""Seconds to wait before the worker is started again, if it stopped because the database was down."""
_TASK = "run_job"

RunQueuedJob = Callable[[str], Awaitable[None]]
"""Runs the job with this id. After an exception the job runs again."""
OnWorkerDeath = Callable[[str], Awaitable[None]]
"""Is called before a job goes back to the queue because its worker died."""

_log = logging.getLogger("consort")


class JobQueue:
    def __init__(
        self, database: Database, run: RunQueuedJob, on_death: OnWorkerDeath, at_once: int, dead_after_s: float
    ) -> None:
        self._database = database
        self._run = run
        self._on_death = on_death
        self._running: set[str] = set()
        self._at_once = at_once
        self._dead_after_s = dead_after_s
        self._app: App | None = None
        self._opened = asyncio.Event()

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Work on jobs while the context is open. A job that runs at the end goes back to the queue."""
        tasks = [asyncio.create_task(self._work()), asyncio.create_task(self._revive())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def opened(self) -> None:
        """Wait until the queue can take jobs, which is the case soon after the start."""
        await self._opened.wait()

    async def defer(self, connection: Connection, job_id: str) -> int:
        """Add a job to the queue when the transaction of this connection is committed. Return its id in the queue."""
        app = await self._opened_app()
        return await app.configure_task(_TASK, connection=connection).defer_async(job_id=job_id)

    async def abort(self, queue_id: int) -> None:
        """Take a job out of the queue, or cancel it if it runs in any process."""
        app = await self._opened_app()
        await app.job_manager.cancel_job_by_id_async(queue_id, abort=True)

    async def _opened_app(self) -> "App":
        await self.opened()
        assert self._app is not None
        return self._app

    async def _work(self) -> None:
        while True:
            try:
                app = self._app or await self._open()
                await app.run_worker_async(
                    concurrency=self._at_once,
                    install_signal_handlers=False,
                    update_heartbeat_interval=self._dead_after_s / 4,
                    stalled_worker_timeout=self._dead_after_s,
                    shutdown_graceful_timeout=0,
                    delete_jobs="always",
                )
            except Exception as error:
                _log.warning("the job worker stopped and is started again: %s", type(error).__name__)
            await asyncio.sleep(_RESTART_S)

    async def _open(self) -> "App":
        import procrastinate
        from procrastinate.retry import BaseRetryStrategy

        class RetryUnfinished(BaseRetryStrategy):
            """Put a job back: the worker stops, or the outcome could not be stored.

            procrastinate ends the job instead if a user cancelled it.
            """

            def get_retry_decision(
                self, *, exception: BaseException, job: procrastinate.jobs.Job
            ) -> procrastinate.RetryDecision:
                is_stopped = isinstance(exception, asyncio.CancelledError)
                return procrastinate.RetryDecision(retry_in={"seconds": 0 if is_stopped else 1})

        logging.getLogger("procrastinate").setLevel(logging.WARNING)
        app = procrastinate.App(connector=procrastinate.PsycopgConnector())
        await app.open_async(self._database.pool)

        @app.task(name=_TASK, retry=RetryUnfinished())
        async def run_job(job_id: str) -> None:
            self._running.add(job_id)
            try:
                await self._run(job_id)
            finally:
                self._running.discard(job_id)

        await self._make_tables(app)
        self._app = app
        self._opened.set()
        return app

    async def _make_tables(self, app: "App") -> None:
        async with self._database.transaction() as connection:
            await connection.execute("select pg_advisory_xact_lock(hashtext('procrastinate'))")
            found = await (await connection.execute("select to_regclass('procrastinate_jobs') as found")).fetchone()
            if found is not None and found["found"] is None:
                await connection.execute(app.schema_manager.get_schema())

    async def _revive(self) -> None:
        """Put the jobs of dead workers back into the queue, again and again."""
        app = await self._opened_app()
        while True:
            with contextlib.suppress(Exception):  # the database may be down; the next round tries again
                stalled: Any = await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=self._dead_after_s)
                for job in stalled:
                    job_id: str = job.task_kwargs["job_id"]
                    if job_id in self._running:
                        continue  # this process is alive: it only slept, with the machine
                    _log.warning("the worker of a job died; another one takes it", extra={"fields": job.task_kwargs})
                    await self._on_death(job_id)
                    await app.job_manager.retry_job(job)
            await asyncio.sleep(self._dead_after_s / 4)
