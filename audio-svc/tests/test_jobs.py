"""Jobs run once, are shared by processes, survive the death of a worker, and can be cancelled."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from consort_kit.errors import InvalidInput, NotFound, ServiceDown
from consort_kit.ids import new_id
from consort_kit.jobs.models import GetJob
from consort_kit.jobs.service import MAX_DEATHS, JobProgress, JobService
from consort_kit.jobs.store import JobRow, JobStore
from consort_kit.settings import Settings
from consort_kit.storage.postgres import open_database
from tests.support.job_worker import DEAD_AFTER_S, add_write_jobs
from tests.support.servers.storage_servers import ExternalPostgres

WAIT_S = 60.0
"""Longer than any job here takes, also on a busy machine."""


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExternalPostgres]:
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as running:
        yield running


@asynccontextmanager
async def job_service(postgres: ExternalPostgres, folder: Path, *, works: bool = True) -> AsyncIterator[JobService]:
    """Open a service with the job kind `write`. With `works` it runs jobs; otherwise other processes must."""
    settings = Settings(data=folder, token="t", database_url=postgres.url)
    async with open_database(settings, "audio", "consort_audio.migrations") as database:
        jobs = JobService(database, at_once=2 if works else 0, dead_after_s=DEAD_AFTER_S)
        add_write_jobs(jobs, folder)
        async with jobs.working():
            yield jobs


@contextmanager
def worker_process(postgres: ExternalPostgres, folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.support.job_worker", postgres.url, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not condition():
            await asyncio.sleep(0.02)


def started(folder: Path, number: int) -> list[str]:
    """Return the process ids that started the job with this number."""
    path = folder / f"{number}.started"
    return path.read_text().split() if path.exists() else []


def run(test: Awaitable[Any]) -> None:
    async def within_time() -> None:
        async with asyncio.timeout(4 * WAIT_S):
            await test

    asyncio.run(within_time())


def test_equal_requests_share_one_job(postgres: ExternalPostgres, tmp_path: Path) -> None:
    async def test() -> None:
        async with job_service(postgres, tmp_path) as jobs:
            key = new_id("key")
            rows = await asyncio.gather(*(jobs.submit("write", {"number": 1}, key) for _ in range(8)))
            assert len({row.id for row in rows}) == 1
            assert await jobs.outcome(rows[0], WAIT_S) == {"number": 1}
            assert len(started(tmp_path, 1)) == 1
            again = await jobs.submit("write", {"number": 1}, key)
            assert again.status == "succeeded"
            await jobs.forget(again)
            new = await jobs.submit("write", {"number": 1}, key)
            assert await jobs.outcome(new, WAIT_S) == {"number": 1}
            assert len(started(tmp_path, 1)) == 2, "a forgotten job is done again"

    run(test())


def test_an_error_of_the_work_is_the_error_of_the_tool(postgres: ExternalPostgres, tmp_path: Path) -> None:
    async def refuse(parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        raise InvalidInput("'tail' is -1. Use 0 to 10.", field="tail", suggestions=["2"])

    async def break_down(parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        raise ValueError("a secret text")

    async def test() -> None:
        async with job_service(postgres, tmp_path) as jobs:
            jobs.register("refuse", refuse)
            jobs.register("break_down", break_down)
            key = new_id("key")
            with pytest.raises(InvalidInput) as caught:
                await jobs.outcome(await jobs.submit("refuse", {}, key), WAIT_S)
            assert (caught.value.body.field, caught.value.body.suggestions) == ("tail", ["2"])
            assert (await jobs.submit("refuse", {}, key)).status == "queued", "a failed job is not shared"
            failed = await jobs.wait((await jobs.submit("break_down", {})).id, WAIT_S)
            assert failed.error is not None and failed.error["code"] == "PROCESSING_FAILED"
            assert "secret" not in str(failed.error)

    run(test())


def test_links_are_added_when_the_answer_is_asked_for(postgres: ExternalPostgres, tmp_path: Path) -> None:
    async def work(parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        return {"id": 1}

    calls = []

    async def answer(result: dict[str, Any]) -> dict[str, Any]:
        calls.append(result)
        return {**result, "link": len(calls)}

    async def test() -> None:
        async with job_service(postgres, tmp_path) as jobs:
            jobs.register("linked", work, answer)
            row = await jobs.submit("linked", {})
            assert await jobs.outcome(row, WAIT_S) == {"id": 1, "link": 1}
            assert (await jobs.get(GetJob(job_id=row.id))).result == {"id": 1, "link": 2}

    run(test())


def test_a_job_whose_file_was_deleted_names_the_tool_to_call(postgres: ExternalPostgres, tmp_path: Path) -> None:
    async def work(parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        return {"audio_file_id": "audio_1"}

    async def answer(result: dict[str, Any]) -> dict[str, Any]:
        raise NotFound("There is no such file.", field="audio_file_id")

    async def test() -> None:
        async with job_service(postgres, tmp_path) as jobs:
            jobs.register("made", work, answer, "midi_to_audio")
            row = await jobs.submit("made", {})
            with pytest.raises(NotFound) as caught:
                await jobs.get(GetJob(job_id=row.id, wait_s=50))
            assert caught.value.body.field == "job_id"
            assert caught.value.body.message.endswith("was deleted. Call midi_to_audio again.")

    run(test())


def test_a_job_is_not_shown_as_done_while_it_runs(postgres: ExternalPostgres, tmp_path: Path) -> None:
    shown: list[float] = []

    async def test() -> None:
        async with job_service(postgres, tmp_path) as jobs:

            async def work(parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
                await progress(1.0)
                shown.append((await jobs.wait(await row_id, 0)).progress)
                return {}

            row_id: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            jobs.register("nearly_done", work)
            row = await jobs.submit("nearly_done", {})
            row_id.set_result(row.id)
            assert (await jobs.wait(row.id, WAIT_S)).progress == 1
            assert 0 < shown[0] < 1

    run(test())


def test_a_job_can_be_cancelled_while_it_waits_and_while_it_runs(postgres: ExternalPostgres, tmp_path: Path) -> None:
    (tmp_path / "hold").touch()

    async def test() -> None:
        async with job_service(postgres, tmp_path) as jobs:
            rows = [await jobs.submit("write", {"number": number}) for number in range(3)]
            await until(lambda: bool(started(tmp_path, 0)) and bool(started(tmp_path, 1)))
            assert (await jobs.wait(rows[0].id, 0)).status == "running"
            assert await jobs.outcome(rows[0], 0) is None
            for row in (rows[2], rows[0]):  # one that waits for a place, one that runs
                assert (await jobs.get(GetJob(job_id=row.id, cancel=True))).status == "cancelled"
            fourth = await jobs.submit("write", {"number": 3})
            await until(lambda: bool(started(tmp_path, 3)))  # the cancelled job has given up its place
            (tmp_path / "hold").unlink()
            assert await jobs.outcome(rows[1], WAIT_S) == {"number": 1}
            assert await jobs.outcome(fourth, WAIT_S) == {"number": 3}
            assert (await jobs.wait(rows[0].id, 0)).status == "cancelled"
            assert not started(tmp_path, 2)
            assert (await jobs.get(GetJob(job_id=rows[1].id, cancel=True))).status == "succeeded", "too late"
            with pytest.raises(NotFound, match="no such job"):
                await jobs.get(GetJob(job_id=new_id("job")))

    run(test())


def test_the_job_of_a_stopped_process_is_done_by_the_next(postgres: ExternalPostgres, tmp_path: Path) -> None:
    """Orderly stops do not count as deaths, however many there are."""
    (tmp_path / "hold").touch()

    async def test() -> None:
        async with job_service(postgres, tmp_path, works=False) as jobs:
            row = await jobs.submit("write", {"number": 1})
        for stops in range(1, MAX_DEATHS + 2):
            async with job_service(postgres, tmp_path) as jobs:
                await until(lambda wanted=stops: len(started(tmp_path, 1)) == wanted)  # type: ignore[misc]
        (tmp_path / "hold").unlink()
        async with job_service(postgres, tmp_path) as jobs:
            assert await jobs.outcome(row, WAIT_S) == {"number": 1}
        assert len(started(tmp_path, 1)) == MAX_DEATHS + 2

    run(test())


def test_the_job_of_a_killed_process_is_done_by_another(postgres: ExternalPostgres, tmp_path: Path) -> None:
    (tmp_path / "hold").touch()

    async def test(first: "subprocess.Popen[str]", second: "subprocess.Popen[str]") -> None:
        async with job_service(postgres, tmp_path, works=False) as jobs:
            rows: list[JobRow] = [await jobs.submit("write", {"number": number}) for number in range(4)]
            await until(lambda: all(started(tmp_path, number) for number in range(4)))
            by_first = [number for number in range(4) if started(tmp_path, number) == [str(first.pid)]]
            assert len(by_first) == 2, "each process takes as many jobs as it has places"
            first.kill()
            first.wait()
            (tmp_path / "hold").unlink()
            for number, row in enumerate(rows):
                assert await jobs.outcome(row, WAIT_S) == {"number": number}
            for number in by_first:
                assert started(tmp_path, number) == [str(first.pid), str(second.pid)]

    with worker_process(postgres, tmp_path) as first, worker_process(postgres, tmp_path) as second:
        run(test(first, second))


def test_a_job_that_kills_its_worker_is_given_up(postgres: ExternalPostgres, tmp_path: Path) -> None:
    async def test() -> None:
        async with job_service(postgres, tmp_path, works=False) as jobs:
            row = await jobs.submit("write", {"number": 7, "crash": True})
            for attempt in range(1, MAX_DEATHS + 1):
                with worker_process(postgres, tmp_path) as process:
                    await until(lambda wanted=attempt: len(started(tmp_path, 7)) == wanted)  # type: ignore[misc]
                    process.wait()
            with worker_process(postgres, tmp_path):
                failed = await jobs.wait(row.id, WAIT_S)
            assert failed.error is not None and "died several times" in failed.error["message"]
            assert len(started(tmp_path, 7)) == MAX_DEATHS

    run(test())


def test_a_job_outlives_a_failure_of_the_database(
    postgres: ExternalPostgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its progress is never stored, and its outcome not at the first attempt."""
    failures: list[str] = []
    succeed = JobStore.succeed

    async def fail_always(store: JobStore, *_: Any) -> None:
        failures.append("progress")
        raise ServiceDown("The database does not answer.")

    async def fail_once(store: JobStore, job_id: str, result: dict[str, Any]) -> None:
        if "outcome" not in failures:
            failures.append("outcome")
            raise ServiceDown("The database does not answer.")
        await succeed(store, job_id, result)

    async def work(parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        await progress(0.5)
        return {"number": 1}

    monkeypatch.setattr(JobStore, "set_progress", fail_always)
    monkeypatch.setattr(JobStore, "succeed", fail_once)

    async def test() -> None:
        async with job_service(postgres, tmp_path) as jobs:
            jobs.register("work", work)
            assert await jobs.outcome(await jobs.submit("work", {}), WAIT_S) == {"number": 1}
            assert failures == ["progress", "outcome", "progress"], "the work was done again"

    run(test())
