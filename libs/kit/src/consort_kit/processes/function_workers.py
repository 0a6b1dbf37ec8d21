"""Run functions in worker processes that stay for the next call, so that they can be killed at any time.

A thread cannot be stopped: work that goes on after its time limit would take a processor until it ends. A worker is
killed when the call is cancelled or uses too much CPU time or memory. It keeps its imports, so a call takes about 1 ms
longer than in a thread. For one call with a large file, `child_process` does the same with a process of its own.
"""

import asyncio
import pickle
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, ParamSpec, TypeVar, cast

from consort_kit.processes.child_process import start_child, too_complex
from consort_kit.processes.child_resource_limits import ChildLimits
from consort_kit.processes.function_worker_main import read_frame, write_frame
from consort_music.texts.visible_text import add_removals, with_removals

P = ParamSpec("P")
T = TypeVar("T")


class FunctionWorkers:
    def __init__(self, at_once: int, imports: Sequence[str], memory_bytes: int) -> None:
        """Run at most `at_once` functions at the same time, in workers with so much memory.

        A worker imports the modules `imports` when it starts.
        """
        self._free = asyncio.Semaphore(at_once)
        self._imports = list(imports)
        self._memory_bytes = memory_bytes
        self._idle: list[_Worker] = []

    async def run(self, cpu_s: int, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the function's result or raise its exception.

        Raise TOO_COMPLEX if it takes more than `cpu_s` seconds of CPU time or the memory of the worker, or crashes.

        The function is pickled by its module and name. The worker is killed if the call is cancelled.
        """
        job = pickle.dumps((cpu_s, with_removals, (function, *args), kwargs))
        async with self._free:
            worker = self._take()
            try:
                answer = await asyncio.to_thread(worker.ask, job)
            except BaseException:
                worker.kill()
                raise
            if answer is None:
                worker.kill()
                raise too_complex(ChildLimits(cpu_s, self._memory_bytes))
            ok, value, stays = pickle.loads(answer)
            if stays:
                self._idle.append(worker)
            else:
                worker.kill()
        if not ok:
            raise value
        result, removals = cast(tuple[T, list[str]], value)
        add_removals(removals)
        return result

    def warm_up(self) -> None:
        """Start one worker, if there is none, so that the first call does not wait for its imports."""
        if not self._idle:
            self._idle.append(_Worker(self._imports, self._memory_bytes))

    def close(self) -> None:
        while self._idle:
            self._idle.pop().kill()

    def _take(self) -> "_Worker":
        """Return the worker that was used last, or start one."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            worker.kill()
        return _Worker(self._imports, self._memory_bytes)


class _Worker:
    def __init__(self, imports: list[str], memory_bytes: int) -> None:
        self._process = start_child("consort_kit.processes.function_worker_main", stderr=subprocess.DEVNULL)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests: BinaryIO = cast(Any, self._process.stdin)
        self._answers: BinaryIO = cast(Any, self._process.stdout)
        write_frame(self._requests, pickle.dumps((imports, memory_bytes)))

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, job: bytes) -> bytes | None:
        """Send a job and return the answer, or None if the worker dies."""
        try:
            write_frame(self._requests, job)
            return read_frame(self._answers)
        except (OSError, ValueError):  # ValueError: the pipe was closed by `kill`
            return None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._requests, self._answers):
            with suppress(OSError):  # what was not sent is lost
                pipe.close()
