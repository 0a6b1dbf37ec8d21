"""One program kept running, with short patience."""

import asyncio
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil

from consort_cli.keeper import Keeper, Patience, Program

SHORT = Patience(first_delay=0.05, longest_delay=0.2, poll=0.02, start=1.0, check=0.05, silence=0.2, stop=1.0)


def keeper(code: str, folder: Path, notes: list[str], healthy: bool = True, patience: Patience = SHORT) -> Keeper:
    async def is_healthy(_pid: int) -> bool:
        return healthy and not (folder / "silent").exists()

    program = Program(
        name="part",
        command=lambda: [sys.executable, "-c", code],
        environment={},
        log=folder / "part.log",
        is_healthy=is_healthy,
    )
    return Keeper(program, patience, lambda: None, lambda _level, text: notes.append(text))


async def until_restarts(kept: Keeper, count: int) -> None:
    async with asyncio.timeout(20):
        while kept.state.restarts < count:
            await asyncio.sleep(0.02)


async def until_gone(pid: int) -> None:
    """A killed process is there until the kernel has come round to it."""
    async with asyncio.timeout(20):
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                await asyncio.sleep(0.02)


def test_back_off_doubles_up_to_its_limit(tmp_path: Path) -> None:
    notes: list[str] = []

    async def run() -> None:
        kept = keeper("print('no'); raise SystemExit(5)", tmp_path, notes)
        kept.start()
        await until_restarts(kept, 4)
        await kept.stop()
        assert kept.state.state == "stopped"

    asyncio.run(run())
    assert [note.rsplit("in ", 1)[1] for note in notes][:4] == ["0.05 s", "0.1 s", "0.2 s", "0.2 s"]
    assert "ended with code 5" in notes[0]
    assert (tmp_path / "part.log").read_text().startswith("no\n")


def test_a_program_that_falls_silent_is_replaced(tmp_path: Path) -> None:
    notes: list[str] = []

    async def run() -> None:
        kept = keeper("import time; time.sleep(60)", tmp_path, notes)
        kept.start()
        async with asyncio.timeout(20):
            while kept.state.state != "healthy":
                await asyncio.sleep(0.02)
        first = kept.state.pid
        (tmp_path / "silent").touch()
        await until_restarts(kept, 1)
        (tmp_path / "silent").unlink()
        async with asyncio.timeout(20):
            while kept.state.state != "healthy":
                await asyncio.sleep(0.02)
        assert first is not None and kept.state.pid != first and not psutil.pid_exists(first)
        await kept.stop()

    asyncio.run(run())
    assert "has not answered" in notes[0]


def test_a_program_that_never_becomes_healthy_is_replaced(tmp_path: Path) -> None:
    notes: list[str] = []

    async def run() -> None:
        kept = keeper("import time; time.sleep(60)", tmp_path, notes, healthy=False)
        kept.start()
        await until_restarts(kept, 1)
        await kept.stop()

    asyncio.run(run())
    assert "was not healthy after 1 s" in notes[0]


def test_stop_leaves_nothing_even_of_a_program_that_will_not_stop(tmp_path: Path) -> None:
    code = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid, flush=True)
time.sleep(60)
"""

    async def run() -> None:
        kept = keeper(code, tmp_path, [])
        kept.start()
        log = tmp_path / "part.log"
        async with asyncio.timeout(20):
            while not log.exists() or not log.read_text().strip():
                await asyncio.sleep(0.02)
        grandchild = int(log.read_text())
        await kept.stop()
        await until_gone(grandchild)

    asyncio.run(run())


def test_what_a_program_that_died_had_started_may_finish(tmp_path: Path) -> None:
    """As players do, which end the notes that sound when their agent dies."""
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
        kept = keeper(code, tmp_path, [], patience=replace(SHORT, leave=1.0))
        kept.start()
        await until_restarts(kept, 1)
        await kept.stop()
        assert done.exists()
        for pid in map(int, (tmp_path / "part.log").read_text().split()):
            await until_gone(pid)

    asyncio.run(run())
