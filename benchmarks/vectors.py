"""Measure the search of clips among 100,000 (or `--limit N`): time for a caller, and recall against an exact scan.

Times are those of the service without HTTP, warm, one request after the other, at the 95th percentile. They include
parsing code and the sentence model. CPU time is that of the service, the engine and Postgres together, so that a run
on a busy machine can be read too. A query by code is an edited clip of the library, one in words a request that was
written blind. Recall is the share of the ten nearest clips of an exact scan that are found.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np

from benchmarks.code_retrieval.clip_library import ClipLibrary, open_clip_library
from benchmarks.code_retrieval.edited_clips import edited
from benchmarks.code_retrieval.many_clips import add_clips
from benchmarks.support.cpu_time import cpu_s_with_children
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_strudel.clips.library import library_clips
from consort_strudel.clips.models.searches import FindSimilarClips, SearchClips
from consort_strudel.clips.storage.conditions import conditions_of
from consort_strudel.clips.storage.vector_search import keep_indexes, nearest_clips
from consort_strudel.similarity.code.reading import Snippet, read_snippet
from evaluation.strudel_knowledge.requests_for_clips import clip_requests

CLIPS = 100_000
QUERIES = 60
NEAREST = 10
MOST_VECTOR_MS, MOST_PATTERN_MS, LEAST_RECALL = 60, 500, 0.97
FILTERS: dict[str, dict[str, Any]] = {
    "no filter": {},
    "element": {"element": "bass"},
    "genre and tempo": {"genre": "techno|house", "tempo_min": 110},
    "few clips": {"feeling": "dark", "element": "melody"},
    "four in ten": {"complexity": "beginner"},
}
PATTERNS: dict[str, dict[str, Any]] = {
    "code": {"code_pattern": r"lpf\(\d+\)"},
    "description": {"description_pattern": "warm.*(pad|chord)"},
    "name": {"name_pattern": "^acid"},
    "nothing found": {"code_pattern": "thereisnosuchtext"},
    "tags and code": {"genre": "tech.*", "feeling": "dark|hypnotic", "code_pattern": "sawtooth"},
}


def run(options: BenchOptions) -> Report:
    return asyncio.run(_measure(options.limit or CLIPS))


async def _measure(count: int) -> Report:
    async with open_clip_library() as library:
        began = time.perf_counter()
        await add_clips(library.database, count)
        filled = time.perf_counter()
        await keep_indexes(library.database)
        indexed = time.perf_counter()
        rows: list[Row] = [
            {"what": f"store {count} clips", "seconds": filled - began},
            {"what": "build the index", "seconds": indexed - filled},
        ]
        codes = [edited(clip.code, number) for number, clip in enumerate(library_clips())][:QUERIES]
        texts = [request.text for request in clip_requests()][:QUERIES]
        vectors_of_codes = [await library.embedder.vector_of_query(await _read(library, code)) for code in codes]
        vectors_of_texts = [await _vector_of_text(library, text) for text in texts]
        slowest: dict[str, float] = {}
        recalls = []
        for name, filters in FILTERS.items():
            similar = [FindSimilarClips(code_snippet=code, filters=filters) for code in codes]
            in_words = [_search(text, filters) for text in texts]
            for what, times, vectors in (
                ("find_similar_clips", await _times(library.search.similar, similar), vectors_of_codes),
                ("search_clips in words", await _times(library.search.search, in_words), vectors_of_texts),
            ):
                recalls.append(await _recall(library, vectors, filters))
                rows.append({"what": f"{what}, {name}", **times, "recall@10": recalls[-1]})
                slowest[what] = max(slowest.get(what, 0), times["p95 ms"])
        for name, filters in PATTERNS.items():
            times = await _times(library.search.search, [_search(None, filters)] * 20)
            rows.append({"what": f"search_clips, pattern on {name}", **times})
            slowest["patterns"] = max(slowest.get("patterns", 0), times["p95 ms"])
    return Report(
        f"Search among {count} clips",
        rows,
        ", ".join(f"{what} p95 {ms:.0f} ms" for what, ms in slowest.items())
        + f"; recall@10 at least {min(recalls):.3f}.",
        [
            Requirement(f"{what} p95 ms", ms, MOST_PATTERN_MS if what == "patterns" else MOST_VECTOR_MS)
            for what, ms in slowest.items()
        ]
        + [
            Requirement("recall@10", min(recalls), LEAST_RECALL, more_is_better=True),
        ],
    )


def _search(text: str | None, filters: dict[str, Any]) -> SearchClips:
    return SearchClips.model_validate({"query": {**filters, **({"text": text} if text else {})}})


async def _times(ask: Callable[[Any], Awaitable[Any]], requests: list[Any]) -> dict[str, float]:
    """Return the time within which 95% of the requests are answered, after some that do not count, and the CPU time."""
    for request in requests[:5]:
        await ask(request)
    all_s, postgres_s = cpu_s_with_children(), cpu_s_with_children("postgres")
    times = []
    for request in requests:
        began = time.perf_counter()
        await ask(request)
        times.append((time.perf_counter() - began) * 1000)
    all_s, postgres_s = cpu_s_with_children() - all_s, cpu_s_with_children("postgres") - postgres_s
    return {
        "p95 ms": float(np.percentile(times, 95)),
        "CPU ms a call": all_s / len(requests) * 1000,
        "of it Postgres": postgres_s / len(requests) * 1000,
    }


async def _read(library: ClipLibrary, code: str) -> Snippet:
    return await read_snippet(library.engine, code, "code_snippet")


async def _vector_of_text(library: ClipLibrary, text: str) -> list[float]:
    vector = await library.embedder.vector_of_text(text)
    assert vector is not None
    return vector


async def _recall(library: ClipLibrary, vectors: list[list[float]], filters: dict[str, Any]) -> float:
    """Return the share of the nearest clips by an exact scan that the search finds."""
    shares = []
    model_id = library.embedder.model_id
    query = SearchClips.model_validate({"query": filters}).query
    for vector in vectors:
        async with library.database.transaction() as connection:
            conditions = await conditions_of(connection, query, "filters")
            found = await nearest_clips(connection, vector, model_id, conditions, NEAREST)
            await connection.execute("set local enable_indexscan = off")
            exact = await nearest_clips(connection, vector, model_id, conditions, NEAREST)
        best = {clip.row.id for clip in exact.clips}
        shares.append(len(best & {clip.row.id for clip in found.clips}) / len(best))
    return float(np.mean(shares))
