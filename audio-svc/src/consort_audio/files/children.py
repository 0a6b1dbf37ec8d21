"""Run a function of `codecs` in a child process, which limits time and memory and keeps numpy out of the service."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from consort_kit.errors import InvalidInput, input_error
from consort_kit.processes.child_process import run_in_child
from consort_kit.processes.work_limits import READ_AUDIO
from consort_kit.storage.disk_errors import disk_failed
from consort_music.errors import MusicError

P = ParamSpec("P")
T = TypeVar("T")


class AudioChildren:
    """Child processes, of which only a few run at the same time."""

    def __init__(self, at_once: int) -> None:
        self._running = asyncio.Semaphore(at_once)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the function's result.

        Raise InvalidInput for audio that cannot be used (INVALID_AUDIO, TOO_SHORT), TooLarge if it is too long, and
        PROCESSING_FAILED if the child exceeds a limit or crashes. Raise ServiceDown if a file cannot be written.
        """
        async with self._running:
            try:
                return await run_in_child(READ_AUDIO, function, *args, **kwargs)
            except MusicError as error:
                raise input_error(error) from error
            except OSError as error:
                raise disk_failed(error) from error
            except InvalidInput as error:
                raise InvalidInput(
                    "The audio could not be processed: it needs too much time or memory, or it is damaged. Send a "
                    "shorter file, or the same sound as a WAV file.",
                    code="PROCESSING_FAILED",
                    suggestions=["a shorter file", "the same sound as a WAV file"],
                ) from error
