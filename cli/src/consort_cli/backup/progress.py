"""Run a backup or restore, and show its progress."""

import asyncio
import sys
import time
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from consort_cli.backup.archive import BackupError
from consort_kit.errors import ConsortError
from consort_kit.storage.postgres import DatabaseUnavailable

T = TypeVar("T")
_EVERY_S = 0.2


class ProgressLine:
    """One line that is written over on a terminal, and a line for each step elsewhere."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._step = ""
        self._shown = 0.0

    def show(self, what: str, count: int, done: int) -> None:
        is_new, self._step = what != self._step, what
        if self._is_terminal and (is_new or done == count or time.monotonic() - self._shown > _EVERY_S):
            self._shown = time.monotonic()
            print(f"\r\033[K  {done:,} of {count:,} {what}", end="", file=sys.stderr, flush=True)
        elif is_new and not self._is_terminal:
            print(f"  {count:,} {what}", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_terminal and self._step:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run the work. Raise BackupError if the database or the place of the blobs fails."""
    # psycopg cannot use the default event loop on Windows
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        try:
            return runner.run(work)
        except DatabaseUnavailable as error:
            raise BackupError(f"The database cannot be used: {error}") from error
        except ConsortError as error:
            raise BackupError(str(error)) from error
