"""Measure the calls, errors and bytes that an assistant needs for twelve jobs, over stdio.

Each job starts a new `consort mcp`. All share one studio, which is empty at first. Bytes are those of the whole tool
results without pictures. A job that fails is a missed requirement.
"""

import asyncio
from collections.abc import Awaitable, Callable

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from benchmarks.assistant_jobs import files, hearing, mistakes, studying, writing
from benchmarks.assistant_jobs.session import JobFailed, Session
from benchmarks.support.report import Cell, Report, Requirement
from benchmarks.support.running_studio import CONSORT, running_studio

JOBS: list[tuple[Callable[[Session], Awaitable[None]], int]] = [
    (writing.waltz, 0),
    (writing.looping_beat, 0),
    (files.tidy_messy_file, 0),
    (writing.four_styles, 0),
    (studying.mark_counterpoint, 0),
    (studying.voice_chords, 0),
    (hearing.play_and_stop, 2),
    (files.abc_to_midi, 0),
    (writing.song_with_bridge, 0),
    (files.split_humanize_merge, 0),
    (writing.big_song, 0),
    (mistakes.wrong_calls, 60),
]
"""Each job, and the number of errors that it expects."""


def run() -> Report:
    with running_studio() as environment:
        rows = [asyncio.run(do_job(job, errors, environment)) for job, errors in JOBS]
    failed = sum(row["failed"] is not None for row in rows)
    calls, size = (sum(int(row[column] or 0) for row in rows) for column in ("calls", "bytes"))
    return Report(
        title="Twelve jobs over stdio, each by a fresh client",
        rows=rows,
        summary=f"{len(JOBS) - failed} of {len(JOBS)} jobs done with {calls} calls and {size:,} bytes.",
        requirements=[Requirement("jobs that failed", failed, 0)],
    )


async def do_job(
    job: Callable[[Session], Awaitable[None]], expected_errors: int, environment: dict[str, str]
) -> dict[str, Cell]:
    parameters = StdioServerParameters(command=CONSORT[0], args=[*CONSORT[1:], "mcp"], env=environment)
    why: str | None = None
    async with Client(stdio_client(parameters)) as client:
        session = Session(client)
        try:
            await job(session)
        except (JobFailed, KeyError, IndexError) as failure:
            why = f"{type(failure).__name__}: {failure}"
    if why is None and session.errors != expected_errors:
        why = f"{session.errors} errors instead of {expected_errors}"
    return {
        "job": (job.__doc__ or "").strip(),
        "calls": session.calls,
        "errors": session.errors,
        "bytes": session.text_bytes,
        "picture": session.picture_bytes,
        "failed": why,
    }
