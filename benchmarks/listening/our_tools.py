"""Call the listening tools as a worker does: the functions that `registry` names, with a user's options."""

import importlib
from functools import cache
from pathlib import Path
from typing import Any

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.analysis.registry import ANSWER_OF_RECORDING, ANSWER_OF_TASK
from consort_audio.signals.recording import Recording, read_recording


class NotBuilt(Exception):
    """The tool does not exist in this version."""


_ANSWERS: dict[tuple[Path, str], dict[str, Any]] = {}
"""By file and question: several measures ask the same, for example for a take and for its confidence."""


class HeardFile:
    """A file whose recording is decoded once, with the answers of tools."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._recording: Recording | None = None

    @property
    def recording(self) -> Recording:
        if self._recording is None:
            self._recording = read_recording(self.path)
        return self._recording

    def answer(self, tool: str, **options: Any) -> dict[str, Any]:
        """Return what the tool answers."""
        question = (self.path, f"{tool} {options}")
        if question not in _ANSWERS:
            _ANSWERS[question] = self._ask(tool, options)
        return _ANSWERS[question]

    def _ask(self, tool: str, options: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any]
        if tool in ANSWER_OF_RECORDING:
            answer = _module(ANSWER_OF_RECORDING[tool]).answer(self.recording, options)
        else:
            answer = answer_of_task(tool, options, [self.path], {0: self})
        return answer


def answer_of_task(
    tool: str, options: dict[str, Any], paths: list[Path], files: dict[int, HeardFile]
) -> dict[str, Any]:
    """Return the answer of a tool that takes any number of files."""
    task = ListeningTask(tool, options, paths, lambda index: files[index].recording, lambda _: None)
    answer: dict[str, Any] = _module(ANSWER_OF_TASK[tool]).answer(task)
    return answer


@cache
def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise NotBuilt(f"{name} does not exist") from error
