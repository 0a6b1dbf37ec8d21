"""The render processes of the service. Each renders one piece at a time and stays for the next one.

A process that dies or hangs is replaced, and its piece is rendered once more. If that fails too, the piece is the
cause, and the render fails.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress

from consort_audio.synthesis.frames import SIZES, Frame, decode_frame, encode_frame
from consort_audio.synthesis.render_options import RenderOptions, RenderOutcome
from consort_kit.errors import ConsortError
from consort_kit.storage.disk_errors import disk_failed
from consort_music.errors import MusicError

SILENT_S = 120.0
"""A process that reports nothing for so many seconds hangs. Reading a very large file takes up to 20 s of CPU."""
_TRIES = 2
_KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "LANG", "TZ", "HOMEBREW_PREFIX", "TMPDIR")
"""The process must not see tokens or passwords."""

OnProgress = Callable[[float], Awaitable[None]]

_log = logging.getLogger("consort")


class RenderProcessDied(Exception):
    """The process ended or hung in the middle of a request."""


class RenderProcess:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._writer, self._reader = process.stdin, process.stdout
        self.is_waiting = True
        """Whether it has answered everything, so that the next answer belongs to the next request."""

    @classmethod
    async def start(cls) -> "RenderProcess":
        kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        kept["OPENBLAS_NUM_THREADS"] = "1"  # numpy would reserve address space per core, and address space is limited
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-m", "consort_audio.synthesis.render_program"),
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

    async def render(
        self, content: bytes, options: RenderOptions, on_progress: OnProgress, silent_s: float
    ) -> RenderOutcome:
        """Render a MIDI file.

        Raise MusicError if it cannot be rendered, ServiceDown if it cannot be written, RenderProcessDied if the process
        dies.
        """
        self.is_waiting = False
        await self._send(encode_frame({"options": options.to_json()}, content), silent_s)
        while "progress" in (frame := await self._read(silent_s)).head:
            await on_progress(frame.head["progress"])
        self.is_waiting = True
        if "error" in frame.head:
            raise MusicError(**frame.head["error"])
        if "failure" in frame.head:
            raise ConsortError(frame.head["failure"], code="PROCESSING_FAILED")
        if "not_written" in frame.head:
            _log.warning("a render was not written", extra={"fields": {"why": frame.head["not_written"]}})
            raise disk_failed()
        return RenderOutcome.from_json(frame.head["outcome"])

    async def _send(self, data: bytes, silent_s: float) -> None:
        try:
            self._writer.write(data)
            async with asyncio.timeout(silent_s):
                await self._writer.drain()
        except OSError as error:
            raise RenderProcessDied from error

    async def _read(self, silent_s: float) -> Frame:
        try:
            async with asyncio.timeout(silent_s):
                head_size, payload_size = SIZES.unpack(await self._reader.readexactly(SIZES.size))
                return decode_frame(await self._reader.readexactly(head_size + payload_size), head_size)
        except (OSError, asyncio.IncompleteReadError) as error:
            raise RenderProcessDied from error

    async def end(self) -> None:
        """Kill the process."""
        with suppress(ProcessLookupError):
            self._process.kill()
        self._writer.close()
        await self._process.wait()


class RenderPool:
    def __init__(self, at_once: int, silent_s: float = SILENT_S) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._silent_s = silent_s
        self._idle: list[RenderProcess] = []
        self._busy: set[RenderProcess] = set()

    @property
    def process_ids(self) -> list[int]:
        """The processes that are rendering now."""
        return [process.pid for process in self._busy]

    async def render(self, content: bytes, options: RenderOptions, on_progress: OnProgress) -> RenderOutcome:
        """Render a MIDI file to the file that the options name, when a process is free.

        Raise MusicError if the music or an option is not usable, ServiceDown if the disk is full, and ConsortError
        (PROCESSING_FAILED) if rendering fails. If this is cancelled, or `on_progress` fails, the process is killed.
        """
        async with self._free:
            for _ in range(_TRIES):
                process = await self._take()
                try:
                    return await process.render(content, options, on_progress, self._silent_s)
                except RenderProcessDied:
                    _log.warning("a render process died or hung", extra={"fields": {"pid": process.pid}})
                finally:
                    await self._put_back(process)
        raise ConsortError(
            "Rendering this music failed twice: it takes too much time or memory, or FluidSynth crashes. Render a part "
            "of it with 'first_bar' and 'last_bar', or fewer tracks with 'solo'.",
            code="PROCESSING_FAILED",
            suggestions=["first_bar: 1, last_bar: 16"],
        )

    async def aclose(self) -> None:
        for process in [*self._idle, *self._busy]:
            await process.end()

    async def _take(self) -> RenderProcess:
        """Return an idle process, or start one. Idle processes end by themselves after some minutes."""
        while self._idle:
            process = self._idle.pop()
            if process.is_alive:
                break
            await process.end()
        else:
            process = await RenderProcess.start()
        self._busy.add(process)
        return process

    async def _put_back(self, process: RenderProcess) -> None:
        """Keep a process for the next piece. Kill it if it is still rendering, hangs or is dead."""
        self._busy.discard(process)
        if process.is_waiting:
            self._idle.append(process)
        else:
            await process.end()
