"""Functions in worker processes that stay, and are killed when a call is cancelled or needs too much."""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from consort_kit.errors import InvalidInput
from consort_kit.processes.function_workers import FunctionWorkers
from consort_music.texts.visible_text import note_removals, visible_text


@pytest.fixture
def workers() -> Iterator[FunctionWorkers]:
    made = FunctionWorkers(2, ["fractions"], 256 * 1024 * 1024)
    yield made
    made.close()


def test_calls_share_a_worker_with_its_imports(workers: FunctionWorkers) -> None:
    async def main() -> None:
        first = await workers.run(1, os.getpid)
        assert first != os.getpid()
        assert await workers.run(1, os.getpid) == first
        assert await workers.run(1, eval, "'fractions' in __import__('sys').modules")
        with pytest.raises(ZeroDivisionError):
            await workers.run(1, eval, "1 / 0")
        with note_removals() as removals:
            assert await workers.run(1, visible_text, "Pia\u200bno", "name") == "Piano"
        assert removals == ["name"]
        assert await workers.run(1, eval, "print('noise') or 5") == 5
        assert await workers.run(1, os.getpid) == first
        assert await workers.run(1, eval, "__import__('os').environ.get('HOME')") is None

    asyncio.run(main())


@pytest.mark.parametrize("code", ["sum(iter(int, 1))", "bytearray(10**9)", "__import__('os')._exit(3)"])
def test_a_call_that_needs_too_much_does_not_harm_the_next(workers: FunctionWorkers, code: str) -> None:
    async def main() -> None:
        with pytest.raises(InvalidInput) as raised:
            await workers.run(1, eval, code)
        assert raised.value.body.code == "TOO_COMPLEX"
        assert await workers.run(1, eval, "2 + 3") == 5

    asyncio.run(main())


def test_the_cpu_limit_is_per_call(workers: FunctionWorkers) -> None:
    code = "[None for _ in iter(lambda: __import__('time').process_time() > {}, True)] and 0"

    async def main() -> None:
        for used in (0.8, 1.6, 2.4):
            await workers.run(1, eval, code.format(used))

    asyncio.run(main())


def test_a_worker_with_much_memory_is_replaced(workers: FunctionWorkers) -> None:
    async def main() -> None:
        first = await workers.run(2, os.getpid)
        assert await workers.run(2, eval, "len(bytearray(b'x') * (150 * 2**20))") == 150 * 2**20
        assert await workers.run(2, os.getpid) != first
        assert not psutil.pid_exists(first)

    asyncio.run(main())


def test_a_worker_is_kept_whatever_memory_its_parent_has(workers: FunctionWorkers) -> None:
    async def main() -> None:
        much = bytearray(b"x") * (200 * 2**20)
        first = await workers.run(2, os.getpid)
        assert await workers.run(2, os.getpid) == first and much

    asyncio.run(main())


def test_a_cancelled_call_kills_its_worker_and_frees_its_place(workers: FunctionWorkers, tmp_path: Path) -> None:
    async def main() -> None:
        pids = []
        for number in range(3):  # more often than there are places
            started = tmp_path / str(number)
            code = f"(open({str(started)!r}, 'w').write(str(__import__('os').getpid())), __import__('time').sleep(600))"
            call = asyncio.create_task(workers.run(1, eval, code))
            while not (started.exists() and started.read_text()):
                await asyncio.sleep(0.01)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            pids.append(int(started.read_text()))
        assert not any(psutil.pid_exists(pid) for pid in pids)
        assert await workers.run(1, eval, "2 + 3") == 5

    asyncio.run(asyncio.wait_for(main(), 60))


def test_workers_end_when_they_are_closed() -> None:
    workers = FunctionWorkers(2, [], 2**30)
    pid = asyncio.run(workers.run(1, os.getpid))
    workers.close()
    end = time.monotonic() + 10
    while psutil.pid_exists(pid) and time.monotonic() < end:
        time.sleep(0.01)
    assert not psutil.pid_exists(pid)
