"""The workers that render."""

from consort_audio.synthesis.render_options import RenderOptions, RenderOutcome
from consort_audio.workers.worker_pool import SILENT_S, OnProgress, WorkerPool
from consort_kit.errors import ConsortError

PROGRAM = "consort_audio.synthesis.render_program"


class RenderPool:
    def __init__(self, at_once: int, silent_s: float = SILENT_S) -> None:
        self._workers = WorkerPool(PROGRAM, at_once, _failed, silent_s)

    @property
    def process_ids(self) -> list[int]:
        """The processes that are rendering now."""
        return self._workers.process_ids

    async def render(self, content: bytes, options: RenderOptions, on_progress: OnProgress) -> RenderOutcome:
        """Render a MIDI file to the file that the options name, when a worker is free.

        Raise MusicError if the music or an option is not usable, ServiceDown if the disk is full, and ConsortError
        (PROCESSING_FAILED) if rendering fails. If this is cancelled, or `on_progress` fails, the worker is killed.
        """
        request = {"options": options.to_json()}
        return RenderOutcome.from_json(await self._workers.ask(request, on_progress, content))

    async def aclose(self) -> None:
        await self._workers.aclose()


def _failed() -> ConsortError:
    return ConsortError(
        "Rendering this music failed twice: it takes too much time or memory, or FluidSynth crashes. Render a part "
        "of it with 'first_bar' and 'last_bar', or fewer tracks with 'solo'.",
        code="PROCESSING_FAILED",
        suggestions=["first_bar: 1, last_bar: 16"],
    )
