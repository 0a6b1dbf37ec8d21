"""Verovio, with its warnings: it prints them to the error stream of the process, and its `getLog` is always empty."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_ERROR_STREAM = 2


class VerovioToolkit:
    """One document in verovio. `warnings` are the lines that it printed so far."""

    def __init__(self, options: dict[str, object]) -> None:
        import verovio  # 18 MB

        verovio.enableLog(verovio.LOG_WARNING)
        self._toolkit: Any = verovio.toolkit()
        self._toolkit.setOptions(options)
        self.warnings: list[str] = []

    def load(self, musicxml: str, **options: object) -> bool:
        with self._listening():
            self._toolkit.setOptions(options)
            return bool(self._toolkit.loadData(musicxml))

    def lay_out_again(self, **options: object) -> None:
        with self._listening():
            self._toolkit.setOptions(options)
            self._toolkit.redoLayout()

    @property
    def page_count(self) -> int:
        with self._listening():
            return int(self._toolkit.getPageCount())

    def page(self, number: int) -> str:
        """Return a page as SVG; pages are numbered from 1."""
        with self._listening():
            return str(self._toolkit.renderToSVG(number))

    @contextmanager
    def _listening(self) -> Iterator[None]:
        with tempfile.TemporaryFile() as file:
            kept = os.dup(_ERROR_STREAM)
            os.dup2(file.fileno(), _ERROR_STREAM)
            try:
                yield
            finally:
                os.dup2(kept, _ERROR_STREAM)
                os.close(kept)
                file.seek(0)
                self.warnings += file.read().decode(errors="replace").splitlines()
