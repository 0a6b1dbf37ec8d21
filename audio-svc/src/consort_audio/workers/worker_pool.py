"""The workers of the service. Each does one request at a time and stays for the next one.

A worker that dies or hangs is replaced, and its request is done once more. If that fails too, the request is the cause.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from consort_audio.workers.frames import SIZES, Frame, decode_frame, encode_frame
from consort_kit.errors import ConsortError
from consort_kit.storage.disk_errors import disk_failed
from consort_music.errors import MusicError

SILENT_S = 120.0
"""A worker that reports nothing for so many seconds hangs."""
_TRIES = 2
_KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "LANG", "TZ", "HOMEBREW_PREFIX", "TMPDIR", "CONSORT_AUDIO_MODELS")
"""A worker must not see tokens or passwords."""

OnProgress = Callable[[float], Awaitable[None]]

_log = logging.getLogger("consort")


class WorkerDied(Exception):
    """The worker ended or hung in the middle of a request."""


class Worker:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._writer, self._reader = process.stdin, process.stdout
        self.is_waiting = True
        """Whether it has answered everything, so that the next answer belongs to the next request."""

    @classmethod
    async def start(cls, program: str) -> "Worker":
        """Start the module `program`, which runs a `WorkerProgram`."""
        kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        kept["OPENBLAS_NUM_THREADS"] = "1"  # numpy would reserve address space per core, and address space is limited
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-m", program),
            env=kept,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None if _log.isEnabledFor(logging.DEBUG) else asyncio.subprocess.DEVNULL,
        )
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None and not self._reader.at_eof()

    async def ask(
        self, request: dict[str, Any], payload: bytes, on_progress: OnProgress, silent_s: float
    ) -> dict[str, Any]:
        """Do a request and return its outcome.

        Raise MusicError if the input is not usable, ServiceDown if a file cannot be written, ConsortError
        (PROCESSING_FAILED) if the worker says that it cannot work, and WorkerDied if it dies or hangs.
        """
        self.is_waiting = False
        await self._send(encode_frame(request, payload), silent_s)
        while "progress" in (frame := await self._read(silent_s)).head:
            await on_progress(frame.head["progress"])
        self.is_waiting = True
        if "error" in frame.head:
            raise MusicError(**frame.head["error"])
        if "failure" in frame.head:
            raise ConsortError(frame.head["failure"], code="PROCESSING_FAILED")
        if "not_written" in frame.head:
            _log.warning("a worker could not write a file", extra={"fields": {"why": frame.head["not_written"]}})
            raise disk_failed(OSError(frame.head["errno"], frame.head["not_written"]))
        outcome: dict[str, Any] = frame.head["outcome"]
        return outcome

    async def _send(self, data: bytes, silent_s: float) -> None:
        try:
            self._writer.write(data)
            async with asyncio.timeout(silent_s):
                await self._writer.drain()
        except OSError as error:
            raise WorkerDied from error

    async def _read(self, silent_s: float) -> Frame:
        try:
            async with asyncio.timeout(silent_s):
                head_size, payload_size = SIZES.unpack(await self._reader.readexactly(SIZES.size))
                return decode_frame(await self._reader.readexactly(head_size + payload_size), head_size)
        except (OSError, asyncio.IncompleteReadError) as error:
            raise WorkerDied from error

    async def end(self) -> None:
        """Kill the worker."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._writer.close()
        await self._process.wait()


class WorkerPool:
    def __init__(
        self, program: str, at_once: int, describe_failure: Callable[[], ConsortError], silent_s: float = SILENT_S
    ) -> None:
        """Keep workers that run the module `program`. `describe_failure` makes the error after the last try."""
        self._program = program
        self._free = asyncio.Semaphore(at_once)
        self._describe_failure = describe_failure
        self._silent_s = silent_s
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()

    @property
    def process_ids(self) -> list[int]:
        """The workers that are busy now."""
        return [worker.pid for worker in self._busy]

    async def ask(
        self, request: dict[str, Any], on_progress: OnProgress, payload: bytes = b"", silent_s: float | None = None
    ) -> dict[str, Any]:
        """Do a request when a worker is free, and return its outcome.

        Raise MusicError if the input is not usable, ServiceDown if the disk is full, and ConsortError
        (PROCESSING_FAILED) if the work fails. If this is cancelled, or `on_progress` fails, the worker is killed.
        """
        async with self._free:
            for _ in range(_TRIES):
                worker = await self._take()
                try:
                    return await worker.ask(request, payload, on_progress, silent_s or self._silent_s)
                except WorkerDied:
                    fields = {"pid": worker.pid, "program": self._program}
                    _log.warning("a worker died or hung", extra={"fields": fields})
                finally:
                    await self._put_back(worker)
        raise self._describe_failure()

    async def aclose(self) -> None:
        for worker in [*self._idle, *self._busy]:
            await worker.end()

    async def _take(self) -> Worker:
        """Return the worker that was used last, or start one. Idle workers end by themselves after some minutes."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                break
            await worker.end()
        else:
            worker = await Worker.start(self._program)
        self._busy.add(worker)
        return worker

    async def _put_back(self, worker: Worker) -> None:
        """Keep a worker for the next request. Kill it if it is still working, hangs or is dead."""
        self._busy.discard(worker)
        if worker.is_waiting:
            self._idle.append(worker)
        else:
            await worker.end()
