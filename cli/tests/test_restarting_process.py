"""Test that a program is restarted and stopped, with short wait times."""

import asyncio
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil

from consort_cli.launcher.restarting_process import ManagedProgram, RestartingProcess, WaitTimes

SHORT = WaitTimes(first_delay=0.05, longest_delay=0.2, poll=0.02, start=1.0, check=0.05, silence=0.2, stop=1.0)


def restarting(
    code: str, folder: Path, log: list[str], healthy: bool = True, times: WaitTimes = SHORT
) -> RestartingProcess:
    async def is_healthy(_pid: int) -> bool:
        return healthy and not (folder / "silent").exists()

    program = ManagedProgram(
        name="part",
        command=lambda: [sys.executable, "-c", code],
        environment={},
        log=folder / "part.log",
        is_healthy=is_healthy,
    )
    return RestartingProcess(program, times, lambda: None, lambda _level, text: log.append(text))


async def until_restarts(process: RestartingProcess, count: int) -> None:
    async with asyncio.timeout(20):
        while process.state.restarts < count:
            await asyncio.sleep(0.02)


async def until_gone(pid: int) -> None:
    """Wait until the kernel has removed a killed process. Raise TimeoutError if it still runs."""
    async with asyncio.timeout(20):
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                await asyncio.sleep(0.02)


def test_back_off_doubles_up_to_its_limit(tmp_path: Path) -> None:
    log: list[str] = []

    async def run() -> None:
        process = restarting("print('no'); raise SystemExit(5)", tmp_path, log)
        process.start()
        await until_restarts(process, 4)
        await process.stop()
        assert process.state.state == "stopped"

    asyncio.run(run())
    assert [line.rsplit("in ", 1)[1] for line in log][:4] == ["0.05 s", "0.1 s", "0.2 s", "0.2 s"]
    assert "ended with code 5" in log[0]
    assert (tmp_path / "part.log").read_text().startswith("no\n")


def test_a_program_that_stops_answering_is_replaced(tmp_path: Path) -> None:
    log: list[str] = []

    async def run() -> None:
        process = restarting("import time; time.sleep(60)", tmp_path, log)
        process.start()
        async with asyncio.timeout(20):
            while process.state.state != "healthy":
                await asyncio.sleep(0.02)
        first = process.state.pid
        (tmp_path / "silent").touch()
        await until_restarts(process, 1)
        (tmp_path / "silent").unlink()
        async with asyncio.timeout(20):
            while process.state.state != "healthy":
                await asyncio.sleep(0.02)
        assert first is not None and process.state.pid != first and not psutil.pid_exists(first)
        await process.stop()

    asyncio.run(run())
    assert "has not answered" in log[0]


def test_a_program_that_never_becomes_healthy_is_replaced(tmp_path: Path) -> None:
    log: list[str] = []

    async def run() -> None:
        process = restarting("import time; time.sleep(60)", tmp_path, log, healthy=False)
        process.start()
        await until_restarts(process, 1)
        await process.stop()

    asyncio.run(run())
    assert "was not healthy after 1 s" in log[0]


def test_stop_kills_a_program_that_ignores_the_request_and_its_child(tmp_path: Path) -> None:
    code = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid, flush=True)
time.sleep(60)
"""

    async def run() -> None:
        process = restarting(code, tmp_path, [])
        process.start()
        log = tmp_path / "part.log"
        async with asyncio.timeout(20):
            while not log.exists() or not log.read_text().strip():
                await asyncio.sleep(0.02)
        child = process.state.pid
        grandchild = int(log.read_text())
        await process.stop()
        assert child is not None and not psutil.pid_exists(child)
        await until_gone(grandchild)

    asyncio.run(run())


def test_children_of_a_dead_program_may_finish(tmp_path: Path) -> None:
    """The playback agent's child processes need this to end sounding notes when the agent dies."""
    done, lasting = tmp_path / "done", "import time; time.sleep(60)"
    finishing = f"import pathlib, sys; print(flush=True); sys.stdin.read(); pathlib.Path({str(done)!r}).touch()"
    code = f"""
import os, subprocess, sys
print(subprocess.Popen([sys.executable, "-c", {lasting!r}]).pid, flush=True)
ends = subprocess.Popen([sys.executable, "-c", {finishing!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
ends.stdout.readline()
os.kill(os.getpid(), 9)
"""

    async def run() -> None:
        process = restarting(code, tmp_path, [], times=replace(SHORT, children_end=1.0))
        process.start()
        await until_restarts(process, 1)
        await process.stop()
        assert done.exists()
        for pid in map(int, (tmp_path / "part.log").read_text().split()):
            await until_gone(pid)

    asyncio.run(run())
