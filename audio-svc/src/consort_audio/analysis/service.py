"""Answer the listening tools: as jobs in workers, each request once.

A job is named by its tool, the bytes that it listens to and its options, so equal requests share one job and its
result. A file of which analyze_audio was asked for, as every new take is, needs no further job for the three baseline
tools. What the worker returns, the outcome, may hold more than the tool's answer, for example what a picture needs.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import cache
from typing import Any, TypeVar

from consort_audio.analysis.listening_input import ListeningInput
from consort_audio.analysis.registry import BASELINE_TOOLS
from consort_audio.files.library import AudioLibrary
from consort_audio.files.store import AudioRow
from consort_audio.files.time_ranges import frame_range
from consort_audio.neural.catalogue import CATALOGUE
from consort_audio.settings import AudioSettings
from consort_audio.workers.worker_pool import SILENT_S, WorkerPool
from consort_kit.errors import ConsortError, TooLarge, input_error
from consort_kit.jobs.models import JobTicket
from consort_kit.jobs.service import JobProgress, JobService, job_ticket
from consort_kit.jobs.store import JobRow
from consort_kit.models_folder import models_folder
from consort_kit.tools.models import ToolOutput
from consort_music.errors import MusicError

KIND = "analysis"
PROGRAM = "consort_audio.analysis.listening_program"
LONGEST_S = 1800.0
ENGINE = 3
"""The version of the engines. Another version gives other answers, so it is part of a job's cache key."""
BASELINE = "analyze_audio"
ANALYSES = "analyses"
"""The field of analyze_audio's outcome with the answers of the baseline tools, by tool."""
HEARD = "heard"
"""The field of analyze_audio's outcome with all notes and beats, for pictures."""

Finish = Callable[[dict[str, Any], dict[str, Any]], Awaitable[dict[str, Any]]]
"""Turns the outcome of a worker, and the call that started the job, into the tool's answer."""
AnswerModel = TypeVar("AnswerModel", bound=ToolOutput)


class Analyses:
    def __init__(self, jobs: JobService, library: AudioLibrary, settings: AudioSettings) -> None:
        self._jobs = jobs
        self._library = library
        self._analyzes_takes = settings.audio_analyze_takes
        self._workers = WorkerPool(PROGRAM, settings.audio_jobs_at_once, _failed)
        self._finish: dict[str, Finish] = {BASELINE: _finish_summary}
        jobs.register(KIND, self._run, self._answer, "the analysis")

    async def aclose(self) -> None:
        await self._workers.aclose()

    def finish_with(self, tool: str, finish: Finish) -> None:
        """Let get_job turn the outcomes of a tool into answers by `finish`, which may store files and add links."""
        self._finish[tool] = finish

    async def answer(self, tool: str, body: ListeningInput, model: type[AnswerModel]) -> AnswerModel | JobTicket:
        """Answer a tool that listens to one file. Its options are the fields that are not the default."""
        row = await self._library.row(body.audio_file_id)
        options = body.model_dump(mode="json", exclude_defaults=True, exclude={"audio_file_id", "wait_s"})
        frame_range(options.get("start_time", 0.0), options.get("end_time"), row)
        if not options and tool in BASELINE_TOOLS and (job := await self._jobs.find(_cache_key(BASELINE, [row], {}))):
            found = await self._outcome(job, body.wait_s)
            return found if isinstance(found, JobTicket) else model(**found[ANALYSES][tool])
        found = await self.listen(tool, [row], options, body.wait_s)
        return found if isinstance(found, JobTicket) else model(**found)

    async def summary(self, audio_file_id: str, include_details: bool, wait_s: float) -> dict[str, Any] | JobTicket:
        """Return the answer of analyze_audio."""
        row = await self._library.row(audio_file_id)
        found = await self.listen(BASELINE, [row], {}, wait_s, {"include_details": include_details})
        return found if isinstance(found, JobTicket) else _summary_of(found, include_details)

    async def listen(
        self,
        tool: str,
        rows: list[AudioRow],
        options: dict[str, Any],
        wait_s: float,
        call: dict[str, Any] | None = None,
    ) -> dict[str, Any] | JobTicket:
        """Return what a worker found in these files, or the ticket of a job that is not finished in time.

        `call` is what `finish_with` needs to know of the call later. It makes no other job.
        """
        return await self._outcome(await self._submit(tool, rows, options, call or {}), wait_s)

    async def _submit(self, tool: str, rows: list[AudioRow], options: dict[str, Any], call: dict[str, Any]) -> JobRow:
        parameters = {**_parameters(tool, rows, options), "call": call}
        return await self._jobs.submit(KIND, parameters, _cache_key(tool, rows, options))

    async def newest(self, tool: str, row: AudioRow) -> dict[str, Any] | None:
        """Return the newest outcome of a tool about a file, with any options, or None."""
        result = await self._jobs.newest_result(_start_of_key(tool, [row.sha256]))
        return None if result is None else dict(result["result"])

    async def _outcome(self, job: JobRow, wait_s: float) -> dict[str, Any] | JobTicket:
        result = await self._jobs.result(job, wait_s)
        return job_ticket(await self._jobs.wait(job.id, 0)) if result is None else dict(result["result"])

    async def queue_baseline(self, row: AudioRow) -> None:
        """Queue the baseline analyses of a new take. Analyses that are already queued or done are not repeated."""
        if self._analyzes_takes and row.duration <= LONGEST_S:
            await self._submit(BASELINE, [row], {}, {})

    async def finished_baseline(self, sha256: str) -> dict[str, Any]:
        """Return the results of the baseline analyses that are ready, by tool."""
        result = await self._jobs.cached_result(_key(BASELINE, [sha256], {}))
        return {} if result is None else dict(result["result"][ANALYSES])

    async def _run(self, parameters: dict[str, Any], progress: JobProgress) -> dict[str, Any]:
        async with AsyncExitStack() as files:
            rows = [await self._library.row(file_id) for file_id in parameters["audio_file_ids"]]
            paths = [str(await files.enter_async_context(self._library.local_file(row))) for row in rows]
            seconds = sum(row.duration for row in rows)
            request = {
                "tool": parameters["tool"],
                "options": parameters["options"],
                "paths": paths,
                "hashes": [row.sha256 for row in rows],
                "seconds": seconds,
            }
            try:
                result = await self._workers.ask(request, progress, silent_s=SILENT_S + seconds)
            except MusicError as error:
                raise input_error(error) from error
        return {"tool": parameters["tool"], "call": parameters["call"], "result": result}

    async def _answer(self, result: dict[str, Any]) -> dict[str, Any]:
        finish = self._finish.get(result["tool"])
        outcome: dict[str, Any] = result["result"]
        return outcome if finish is None else await finish(outcome, result.get("call", {}))


def _summary_of(outcome: dict[str, Any], include_details: bool) -> dict[str, Any]:
    """Return the answer of analyze_audio from its outcome."""
    left_out = {HEARD} if include_details else {HEARD, ANALYSES}
    return {name: value for name, value in outcome.items() if name not in left_out}


async def _finish_summary(outcome: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
    return _summary_of(outcome, call.get("include_details", False))


def _parameters(tool: str, rows: list[AudioRow], options: dict[str, Any]) -> dict[str, Any]:
    """Return what a job needs. Raise TooLarge if the files are too long."""
    for row in rows:
        if row.duration > LONGEST_S:
            raise TooLarge(
                f"{row.name!r} lasts {row.duration / 60:.0f} minutes. Analyses take up to {LONGEST_S / 60:g} minutes: "
                "cut a part with segment_audio and analyze that.",
                field="audio_file_id",
                suggestions=["segment_audio"],
            )
    return {"tool": tool, "audio_file_ids": [row.id for row in rows], "options": options}


def _cache_key(tool: str, rows: list[AudioRow], options: dict[str, Any]) -> str:
    return _key(tool, [row.sha256 for row in rows], options)


def _key(tool: str, hashes: list[str], options: dict[str, Any]) -> str:
    facts = json.dumps([ENGINE, _installed_models(), options], sort_keys=True)
    return f"{_start_of_key(tool, hashes)}{hashlib.sha256(facts.encode()).hexdigest()}"


@cache
def _installed_models() -> list[str]:
    """Return the models that the workers use. With others a recording is analyzed again."""
    folder = models_folder()
    return [
        f"{model.name} {model.version}" for model in CATALOGUE if all((folder / name).is_file() for name in model.files)
    ]


def _start_of_key(tool: str, hashes: list[str]) -> str:
    return f"{tool}:{'+'.join(hashes)}:"


def _failed() -> ConsortError:
    return ConsortError(
        "The audio could not be analyzed: it needs too much time or memory, or it is damaged. Cut a part of it with "
        "segment_audio and analyze that.",
        code="PROCESSING_FAILED",
        suggestions=["segment_audio"],
    )
