"""The program of the workers that listen: it keeps imported modules, models and the last recordings."""

import importlib
import math
from collections import OrderedDict
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.analysis.registry import ANSWER_OF_RECORDING, ANSWER_OF_TASK
from consort_audio.codecs.audio_errors import too_short
from consort_audio.signals.recording import Recording, read_recording
from consort_audio.workers.frames import Frame
from consort_audio.workers.worker_program import IDLE_S, WorkerProgram, limit_cpu_time, run_program

SHORTEST_S = 0.5
CPU_S = 120.0
CPU_S_PER_SECOND = 3.0
"""CPU seconds for each second of sound. The piano model takes about 0.7."""
_KEPT_S = 900.0
"""Recordings of up to so many seconds in all are kept, with their features, for the next request."""


class ListeningProgram(WorkerProgram):
    def __init__(self, requests: BinaryIO, reports: BinaryIO, idle_s: float = IDLE_S) -> None:
        super().__init__(requests, reports, idle_s)
        self._recordings: OrderedDict[str, Recording] = OrderedDict()
        """By the hash of the file; the one that was used last is at the end."""

    def work(self, frame: Frame) -> dict[str, Any]:
        """Listen to the files of a request. Raise MusicError, for example TOO_SHORT, if they cannot be used."""
        head = frame.head
        limit_cpu_time(CPU_S + CPU_S_PER_SECOND * head["seconds"])
        paths = list(map(Path, head["paths"]))
        self._forget_others(head["hashes"], head["seconds"])

        def read(index: int) -> Recording:
            return self._read(head["hashes"][index], paths[index])

        tool, options = head["tool"], head["options"]
        try:
            if (module := ANSWER_OF_RECORDING.get(tool)) is not None:
                return dict(as_json(importlib.import_module(module).answer(read(0), options)))
            task = ListeningTask(tool, options, paths, read, self.report)
            return dict(as_json(importlib.import_module(ANSWER_OF_TASK[tool]).answer(task)))
        finally:
            self._forget_others([], 0.0)

    def _read(self, content_hash: str, path: Path) -> Recording:
        if content_hash not in self._recordings:
            recording = read_recording(path)
            if recording.duration < SHORTEST_S:
                raise too_short(recording.duration, SHORTEST_S)
            self._recordings[content_hash] = recording
        self._recordings.move_to_end(content_hash)
        return self._recordings[content_hash]

    def _forget_others(self, needed: list[str], seconds: float) -> None:
        """Forget recordings until few enough seconds are kept, with room for so many more.

        Those that were not used for the longest time go first, and those that are needed stay.
        """
        for content_hash in [each for each in self._recordings if each not in needed]:
            if sum(each.duration for each in self._recordings.values()) + seconds <= _KEPT_S:
                return
            del self._recordings[content_hash]


def as_json(value: Any) -> Any:
    """Return a value as JSON has it: numpy's numbers as plain ones, and no fields that are None.

    Raise ValueError for a number that JSON does not have, such as NaN.
    """
    if isinstance(value, dict):
        return {name: as_json(each) for name, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no number in JSON")
    return value


if __name__ == "__main__":
    run_program(ListeningProgram)
