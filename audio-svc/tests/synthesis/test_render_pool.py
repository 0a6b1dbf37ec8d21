"""Render processes work side by side, are replaced when they die or hang, and end when the service dies."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from consort_audio.synthesis.render_options import RenderOptions
from consort_audio.synthesis.render_pool import PROGRAM, RenderPool
from consort_audio.workers.frames import encode_frame
from consort_audio.workers.worker_pool import Worker, WorkerDied
from consort_kit.errors import ConsortError, ServiceDown
from consort_music.errors import MusicError
from evaluation.processes.playback_agent import is_running
from tests.support.rendering import long_file, render_options, render_processes, scale_file

WAIT_S = 120.0
"""Longer than any render here takes, also on a busy machine."""


@pytest.fixture
def options(soundfont: str, tmp_path: Path) -> RenderOptions:
    return render_options(soundfont, tmp_path, program=19, reverb=0.3)


async def ignore(_: float) -> None:
    pass


def run(test: Callable[[RenderPool], Awaitable[Any]], at_once: int = 2) -> None:
    async def with_pool() -> None:
        pool = RenderPool(at_once, WAIT_S)
        try:
            async with asyncio.timeout(2 * WAIT_S):
                await test(pool)
        finally:
            await pool.aclose()

    asyncio.run(with_pool())


def content_of(options: RenderOptions) -> bytes:
    return Path(options.output).read_bytes()


def beside(options: RenderOptions, name: str, **changes: Any) -> RenderOptions:
    return replace(options, output=str(Path(options.output).with_name(name)), **changes)


def test_two_renders_at_once_equal_the_same_alone(options: RenderOptions) -> None:
    async def test(pool: RenderPool) -> None:
        alone, first, second = (beside(options, f"{name}.wav") for name in ("alone", "first", "second"))
        other = beside(options, "other.wav", program=40, sample_rate=48_000)
        outcome = await pool.render(scale_file(), alone, ignore)
        both = await asyncio.gather(*(pool.render(scale_file(), each, ignore) for each in (first, other)))
        assert both[0] == outcome and content_of(first) == content_of(alone) != content_of(other)
        again = await asyncio.gather(*(pool.render(scale_file(), each, ignore) for each in (other, second)))
        assert again[1] == outcome and content_of(second) == content_of(alone)
        assert len(render_processes(os.getpid())) == 2

    run(test)


def test_a_killed_process_is_replaced_and_the_piece_rendered_again(options: RenderOptions) -> None:
    async def test(pool: RenderPool) -> None:
        reported: list[float] = []
        killed: list[int] = []

        async def kill_once(progress: float) -> None:
            reported.append(progress)
            if not killed:
                killed.extend(pool.process_ids)
                os.kill(killed[0], signal.SIGKILL)

        outcome = await pool.render(long_file(120), options, kill_once)
        assert outcome.duration_s == 121 and len(killed) == 1 and not is_running(killed[0])
        assert len(reported) >= 2 and max(reported) <= 1

    run(test)


def test_a_hung_process_counts_as_dead(options: RenderOptions) -> None:
    """The pool replaces it as it replaces one that was killed."""

    async def test() -> None:
        process = await Worker.start(PROGRAM)
        try:
            os.kill(process.pid, signal.SIGSTOP)
            with pytest.raises(WorkerDied):
                await process.ask({"options": options.to_json()}, scale_file(), ignore, silent_s=0.2)
        finally:
            await process.end()
        assert not is_running(process.pid)

    asyncio.run(test())


def test_a_piece_that_always_kills_its_process_fails(options: RenderOptions) -> None:
    async def test(pool: RenderPool) -> None:
        killed: set[int] = set()

        async def kill(_: float) -> None:
            killed.update(pool.process_ids)
            os.kill(pool.process_ids[0], signal.SIGKILL)

        with pytest.raises(ConsortError, match="failed twice") as error:
            await pool.render(long_file(), options, kill)
        assert error.value.body.code == "PROCESSING_FAILED" and len(killed) == 2
        assert (await pool.render(scale_file(), options, ignore)).duration_s == 5

    run(test)


def test_errors_of_the_music_keep_the_process(options: RenderOptions) -> None:
    async def test(pool: RenderPool) -> None:
        with pytest.raises(MusicError) as damaged:
            await pool.render(b"MThd", options, ignore)
        with pytest.raises(MusicError) as unknown:
            await pool.render(scale_file(), replace(options, mute=["Cello"]), ignore)
        assert (damaged.value.code, unknown.value.code) == ("INVALID_MIDI", "UNKNOWN_TRACK")
        [process] = render_processes(os.getpid())
        await pool.render(scale_file(), options, ignore)
        assert render_processes(os.getpid()) == [process]
        with pytest.raises(ConsortError, match="Set CONSORT_SOUNDFONT to another"):
            await pool.render(scale_file(), replace(options, soundfont=__file__), ignore)

    run(test, at_once=1)


def test_a_full_disk_is_reported_and_keeps_the_process(options: RenderOptions) -> None:
    """A limit for the size of files stands for the end of the disk."""

    async def test(pool: RenderPool) -> None:
        outcome = await pool.render(scale_file(), options, ignore)
        [process] = render_processes(os.getpid())
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
        with pytest.raises(ServiceDown, match="Check that the disk is not full"):
            await pool.render(scale_file(), options, ignore)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert await pool.render(scale_file(), options, ignore) == outcome
        assert render_processes(os.getpid()) == [process]

    run(test, at_once=1)


@pytest.mark.parametrize("error", [ConsortError("The database is away."), OSError("The disk is full.")])
def test_an_error_while_progress_is_stored_does_not_mix_up_two_pieces(options: RenderOptions, error: Exception) -> None:
    async def test(pool: RenderPool) -> None:
        async def fail(_: float) -> None:
            raise error

        with pytest.raises(type(error)) as raised:
            await pool.render(long_file(), options, fail)
        assert raised.value is error and render_processes(os.getpid()) == []
        assert (await pool.render(scale_file(), options, ignore)).duration_s == 5

    run(test, at_once=1)


def test_a_process_that_ended_between_two_pieces_is_replaced(options: RenderOptions) -> None:
    async def test(pool: RenderPool) -> None:
        first = await pool.render(scale_file(), options, ignore)
        [process] = render_processes(os.getpid())
        process.kill()
        assert await pool.render(scale_file(), options, ignore) == first
        assert render_processes(os.getpid()) != [process]

    run(test)


def test_a_process_without_work_ends() -> None:
    program = "import sys; from consort_audio.synthesis.render_program import RenderProgram as Program; "
    program += "Program(sys.stdin.buffer, sys.stdout.buffer, idle_s=0.1).run()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.wait(WAIT_S) == 0


def test_cancelling_kills_the_process(options: RenderOptions) -> None:
    async def test(pool: RenderPool) -> None:
        begun = asyncio.Event()

        async def begin(_: float) -> None:
            begun.set()

        rendering = asyncio.create_task(pool.render(long_file(), options, begin))
        await begun.wait()
        [pid] = pool.process_ids
        rendering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await rendering
        assert not is_running(pid) and pool.process_ids == []

    run(test)


def test_a_process_ends_with_the_service_and_leaves_no_file(options: RenderOptions) -> None:
    """Closing the pipe is what happens when the service is killed."""
    command = [sys.executable, "-m", "consort_audio.synthesis.render_program"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(encode_frame({"options": options.to_json()}, long_file()))
        process.stdin.flush()
        assert process.stdout.read(8)  # the first report of progress
        process.stdin.close()
        assert process.wait(WAIT_S) == 0
    assert list(Path(options.output).parent.iterdir()) == []
