"""The program of a worker: read a request from stdin, do it, write the outcome to stdout, and so on.

It ends when stdin closes, which happens when the service dies, and after `IDLE_S` without a request. A request may use
a certain CPU time and memory. A worker that exceeds them dies, and the service starts another.
"""

import os
import queue
import sys
import threading
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, BinaryIO

from consort_audio.workers.frames import SIZES, Frame, decode_frame, encode_frame
from consort_music.errors import MusicError

IDLE_S = 600.0
MEMORY_BYTES = 3 * 1024**3
REPORT_S = 0.25
"""Seconds between two reports of progress."""
_NICENESS = 5
"""Workers have less priority than playback and the services."""


class CannotWork(Exception):
    """Something on this machine does not work. The text is for the user."""


class WorkerProgram(ABC):
    def __init__(self, requests: BinaryIO, reports: BinaryIO, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._requests = requests
        self._reports = reports
        self._waiting: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._reported_at = 0.0
        self.unfinished: Path | None = None
        """The file that is being written. It is removed if the service dies."""

    @abstractmethod
    def work(self, frame: Frame) -> dict[str, Any]:
        """Do a request and return its outcome. Raise MusicError, CannotWork, or OSError if a file is not written."""

    def run(self) -> None:
        """Answer requests until the process ends."""
        threading.Thread(target=self._read_requests, daemon=True).start()
        while True:
            try:
                frame = self._waiting.get(timeout=self._idle_s)
            except queue.Empty:
                os._exit(0)  # an ordinary exit fails, because the other thread is reading from stdin
            self._write(self._answer(frame))

    def report(self, progress: float) -> None:
        """Report how much of the request is done, from 0 to 1."""
        now = time.monotonic()
        if now - self._reported_at >= REPORT_S:
            self._reported_at = now
            self._write({"progress": progress})

    def _read_requests(self) -> None:
        """Queue the requests. When stdin closes, remove the unfinished file and end the process."""
        while (frame := _read_frame(self._requests)) is not None:
            self._waiting.put(frame)
        if (unfinished := self.unfinished) is not None:
            unfinished.unlink(missing_ok=True)
        os._exit(0)

    def _answer(self, frame: Frame) -> dict[str, Any]:
        try:
            return {"outcome": self.work(frame)}
        except MusicError as error:
            return {
                "error": {
                    "code": error.code,
                    "message": error.message,
                    "suggestions": error.suggestions,
                    "field": error.field,
                }
            }
        except CannotWork as error:
            return {"failure": str(error)}
        except OSError as error:
            return {"not_written": str(error), "errno": error.errno}
        finally:
            self.unfinished = None

    def _write(self, head: dict[str, Any]) -> None:
        self._reports.write(encode_frame(head))
        self._reports.flush()


def run_program(program: type[WorkerProgram]) -> None:
    """Run a worker with limits, until it ends."""
    _limit_memory()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between the frames
    program(sys.stdin.buffer, reports).run()


def limit_cpu_time(seconds: float) -> None:
    """Let this process use so many seconds of CPU time from now. The limit is soft, so that it can be raised again."""
    if sys.platform == "win32":
        return
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    used_up = int(usage.ru_utime + usage.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used_up, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _read_frame(stream: BinaryIO) -> Frame | None:
    """Return the next frame, or None at the end of the stream."""
    sizes = stream.read(SIZES.size)
    if len(sizes) < SIZES.size:
        return None
    head_size, payload_size = SIZES.unpack(sizes)
    body = stream.read(head_size + payload_size)
    return decode_frame(body, head_size) if len(body) == head_size + payload_size else None


def _limit_memory() -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
