"""Measure the search of clips among 100,000 (or `--limit N`): time for a caller, and recall against an exact scan.

Times are those of the service without HTTP, warm, one request after the other, at the 95th percentile. They include
parsing code and the sentence model. A query by code is an edited clip of the library, one in words a request that was
written blind. Recall is the share of the ten nearest clips of an exact scan that are found.
"""

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import numpy as np

from benchmarks.code_retrieval.clip_library import ClipLibrary, open_clip_library
from benchmarks.code_retrieval.edited_clips import edited
from benchmarks.code_retrieval.many_clips import add_clips
from benchmarks.support.options import BenchOptions
from benchmarks.support.report import Report, Requirement, Row
from consort_strudel.clips.library import library_clips
from consort_strudel.clips.models.searches import FindSimilarClips, SearchClips
from consort_strudel.clips.storage.conditions import conditions_of
from consort_strudel.clips.storage.vector_search import keep_index, nearest_clips
from consort_strudel.similarity.code.reading import read_snippet
from evaluation.strudel_knowledge.requests_for_clips import clip_requests

CLIPS = 100_000
QUERIES = 60
NEAREST = 10
MOST_VECTOR_MS, MOST_PATTERN_MS, LEAST_RECALL = 60, 500, 0.97
FILTERS: dict[str, dict[str, Any]] = {
    "no filter": {},
    "element": {"element": "bass"},
    "genre and tempo": {"genre": "techno|house", "tempo_min": 110},
    "few clips": {"feeling": "dark", "element": "melody", "tempo_max": 100},
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
        await keep_index(library.database)
        indexed = time.perf_counter()
        rows: list[Row] = [
            {"what": f"store {count} clips", "seconds": filled - began},
            {"what": "build the index", "seconds": indexed - filled},
        ]
        codes = [edited(clip.code, number) for number, clip in enumerate(library_clips())][:QUERIES]
        texts = [request.text for request in clip_requests()][:QUERIES]
        slowest: dict[str, float] = {}
        recalls = []
        for name, filters in FILTERS.items():
            ms = await _p95(
                library.search.similar, (FindSimilarClips(code_snippet=code, filters=filters) for code in codes)
            )
            found = await _recall(library, codes, filters)
            recalls.append(found)
            rows.append({"what": f"find_similar_clips, {name}", "p95 ms": ms, "recall@10": found})
            slowest["similar"] = max(slowest.get("similar", 0), ms)
            ms = await _p95(library.search.search, (_search(text, filters) for text in texts))
            rows.append({"what": f"search_clips in words, {name}", "p95 ms": ms})
            slowest["words"] = max(slowest.get("words", 0), ms)
        for name, filters in PATTERNS.items():
            ms = await _p95(library.search.search, itertools.repeat(_search(None, filters), 20))
            rows.append({"what": f"search_clips, pattern on {name}", "p95 ms": ms})
            slowest["pattern"] = max(slowest.get("pattern", 0), ms)
    return Report(
        f"Search among {count} clips",
        rows,
        f"p95 {slowest['similar']:.0f} ms by code, {slowest['words']:.0f} ms in words, {slowest['pattern']:.0f} ms by "
        f"patterns; recall@10 at least {min(recalls):.3f}.",
        [
            Requirement("find_similar_clips p95 ms", slowest["similar"], MOST_VECTOR_MS),
            Requirement("search_clips in words p95 ms", slowest["words"], MOST_VECTOR_MS),
            Requirement("patterns p95 ms", slowest["pattern"], MOST_PATTERN_MS),
            Requirement("recall@10", min(recalls), LEAST_RECALL, more_is_better=True),
        ],
    )


def _search(text: str | None, filters: dict[str, Any]) -> SearchClips:
    return SearchClips.model_validate({"query": {**filters, **({"text": text} if text else {})}})


async def _p95(ask: Callable[[Any], Awaitable[Any]], requests: Iterable[Any]) -> float:
    """Return the time in ms within which 95% of the requests are answered, after some that do not count."""
    asked = list(requests)
    for request in asked[:5]:
        await ask(request)
    times = []
    for request in asked:
        began = time.perf_counter()
        await ask(request)
        times.append((time.perf_counter() - began) * 1000)
    return float(np.percentile(times, 95))


async def _recall(library: ClipLibrary, codes: list[str], filters: dict[str, Any]) -> float:
    """Return the share of the nearest clips by an exact scan that the search finds."""
    shares = []
    for code in codes:
        request = FindSimilarClips(code_snippet=code, filters=filters)
        vector = await library.embedder.vector_of_query(await read_snippet(library.engine, code, "code_snippet"))
        found = [clip.clip_id for clip in (await library.search.similar(request)).similar_clips]
        async with library.database.transaction() as connection:
            await connection.execute("set local enable_indexscan = off")
            conditions = await conditions_of(connection, request.filters, "filters")
            exact = await nearest_clips(connection, vector, library.embedder.model_id, conditions, NEAREST)
        if exact:
            shares.append(len({clip.row.id for clip in exact} & set(found)) / len(exact))
    return float(np.mean(shares))
