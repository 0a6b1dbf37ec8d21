"""A process with a job queue, which a test can kill: `python -m tests.support.job_worker DATABASE_URL FOLDER`.

It knows one kind of job, `write`: the job writes its number to FOLDER/NUMBER.started, waits while FOLDER/hold exists,
and then returns the number. A job with `crash` kills its process.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from consort_kit.jobs.service import JobProgress, JobService
from consort_kit.settings import Settings
from consort_kit.storage.postgres import open_database

DEAD_AFTER_S = 3.0
"""Shorter than in the service, so that tests do not wait."""


def add_write_jobs(jobs: JobService, folder: Path) -> None:
    async def write(parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        with (folder / f"{parameters['number']}.started").open("a") as started:
            started.write(f"{os.getpid()}\n")
        if parameters.get("crash"):
            os.kill(os.getpid(), signal.SIGKILL)
        while (folder / "hold").exists():
            await progress(0.5)
            await asyncio.sleep(0.02)
        return {"number": parameters["number"]}

    jobs.register("write", write)


async def work(database_url: str, folder: Path) -> None:
    settings = Settings(data=folder, token="t", database_url=database_url)
    async with open_database(settings, "audio", "consort_audio.migrations") as database:
        jobs = JobService(database, at_once=2, dead_after_s=DEAD_AFTER_S)
        add_write_jobs(jobs, folder)
        async with jobs.working():
            print("ready", flush=True)
            await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], Path(sys.argv[2])))
