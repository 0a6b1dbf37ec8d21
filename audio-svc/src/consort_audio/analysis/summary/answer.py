"""Answer analyze_audio: run the baseline tools on one recording and sum them up."""

import importlib
from typing import Any

from consort_audio.analysis.listening_task import ListeningTask
from consort_audio.analysis.registry import ANSWER_OF_RECORDING, BASELINE_TOOLS
from consort_audio.analysis.summary.sentences import summarize


def answer(task: ListeningTask) -> dict[str, Any]:
    """Return the summary, with the answers of the baseline tools under `analyses`."""
    recording = task.read(0)
    analyses = {}
    for index, tool in enumerate(BASELINE_TOOLS):
        analyses[tool] = importlib.import_module(ANSWER_OF_RECORDING[tool]).answer(recording, {})
        task.report((index + 1) / (len(BASELINE_TOOLS) + 1))
    return {**summarize(analyses, recording.duration), "analyses": analyses}
