"""The program of a render process: read a request from stdin, render it, write the outcome to stdout, and so on.

It ends when stdin closes, which happens when the service dies, and after `IDLE_S` without a request. A request may use
a certain CPU time and memory. A process that exceeds them dies, and the service starts another.
"""

import os
import queue
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

from consort_audio.synthesis.frames import SIZES, Frame, decode_frame, encode_frame
from consort_audio.synthesis.render_audio import render
from consort_audio.synthesis.render_options import RenderOptions
from consort_audio.synthesis.soundfont_renderer import SoundfontRenderer
from consort_audio.synthesis.timed_messages import perform
from consort_music.errors import MusicError
from consort_music.synth.fluid_synth import FluidSynthFailed

IDLE_S = 600.0
MEMORY_BYTES = 3 * 1024**3
CPU_S = 60
"""CPU seconds for reading the file, and for rendering, beside those for each second of sound."""
CPU_S_PER_SECOND = 1.0
"""Rendering takes 0.01 to 0.03 of this; 512 voices at 96 kHz take about half."""
REPORT_S = 0.25
"""Seconds between two reports of progress."""
_NICENESS = 5
"""Rendering has less priority than playback and the services."""


class RenderProgram:
    def __init__(self, requests: BinaryIO, reports: BinaryIO, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._requests = requests
        self._reports = reports
        self._waiting: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._renderers: dict[str, SoundfontRenderer] = {}
        self._unfinished: Path | None = None
        self._reported_at = 0.0

    def run(self) -> None:
        """Answer requests until the process ends."""
        threading.Thread(target=self._read_requests, daemon=True).start()
        while True:
            try:
                frame = self._waiting.get(timeout=self._idle_s)
            except queue.Empty:
                os._exit(0)  # an ordinary exit fails, because the other thread is reading from stdin
            self._write(self._answer(frame))

    def _read_requests(self) -> None:
        """Queue the requests. When stdin closes, remove the unfinished file and end the process."""
        while (frame := _read_frame(self._requests)) is not None:
            self._waiting.put(frame)
        if (unfinished := self._unfinished) is not None:
            unfinished.unlink(missing_ok=True)
        os._exit(0)

    def _answer(self, frame: Frame) -> dict[str, object]:
        options = RenderOptions.from_json(frame.head["options"])
        self._unfinished = Path(options.output)
        try:
            limit_cpu_time(CPU_S)
            performance = perform(frame.payload, options)
            limit_cpu_time(CPU_S + CPU_S_PER_SECOND * performance.seconds)
            return {"outcome": render(performance, options, self._renderer(options), self._report).to_json()}
        except MusicError as error:
            return {
                "error": {
                    "code": error.code,
                    "message": error.message,
                    "suggestions": error.suggestions,
                    "field": error.field,
                }
            }
        except FluidSynthFailed as error:
            return {"failure": str(error)}
        except OSError as error:
            return {"not_written": str(error)}
        finally:
            self._unfinished = None

    def _renderer(self, options: RenderOptions) -> SoundfontRenderer:
        if options.soundfont not in self._renderers:
            self._renderers.clear()  # at most one font is in use; FluidSynth frees the old one when the process ends
            self._renderers[options.soundfont] = SoundfontRenderer(options.soundfont)
        return self._renderers[options.soundfont]

    def _report(self, progress: float) -> None:
        now = time.monotonic()
        if now - self._reported_at >= REPORT_S:
            self._reported_at = now
            self._write({"progress": progress})

    def _write(self, head: dict[str, object]) -> None:
        self._reports.write(encode_frame(head))
        self._reports.flush()


def _read_frame(stream: BinaryIO) -> Frame | None:
    """Return the next frame, or None at the end of the stream."""
    sizes = stream.read(SIZES.size)
    if len(sizes) < SIZES.size:
        return None
    head_size, payload_size = SIZES.unpack(sizes)
    body = stream.read(head_size + payload_size)
    return decode_frame(body, head_size) if len(body) == head_size + payload_size else None


def limit_cpu_time(seconds: float) -> None:
    """Let this process use so many seconds of CPU time from now. The limit is soft, so that it can be raised again."""
    if sys.platform == "win32":
        return
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    used_up = int(usage.ru_utime + usage.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used_up, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _limit_memory() -> None:
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    _limit_memory()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between the frames
    RenderProgram(sys.stdin.buffer, reports).run()


if __name__ == "__main__":
    main()
