"""The clip services of strudel-svc on a real Postgres and the real engine, without HTTP."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from consort_kit.settings import Settings
from consort_kit.storage.postgres import Database, open_database
from consort_strudel.clips.models.clips import (
    ClipDeleted,
    ClipSaved,
    ClipUpdated,
    DeleteClip,
    GetClip,
    SaveClip,
    UpdateClip,
    WholeClip,
)
from consort_strudel.clips.models.searches import ClipList, FindSimilarClips, SearchClips, SimilarClips
from consort_strudel.clips.save_and_change import ClipChanges
from consort_strudel.clips.service import ClipSearch
from consort_strudel.clips.storage.store import ClipStore
from consort_strudel.engine import Engine
from consort_strudel.similarity.embedder import Embedder
from consort_strudel.validation import Validator
from tests.support.strudel_rendering import build_engine

ClipAnswer = TypeVar("ClipAnswer")
SHELF: dict[str, dict[str, Any]] = {
    "Peak-time kick": {
        "code": 's("bd*4").bank("tr909").gain(.9)',
        "description": "A straight kick on every beat.",
        "tags": {"genre": ["techno", "house"], "feeling": ["driving"], "element": "rhythm", "complexity": "beginner"},
        "metadata": {"tempo_range": [120, 135]},
    },
    "Acid line": {
        "code": 'note("<c2 c2 eb2 g1>*8").s("sawtooth").lpf(sine.range(200,2000).slow(4)).lpq(12)',
        "description": "A squelching line with a moving filter.",
        "tags": {
            "genre": ["acid techno"],
            "feeling": ["dark", "hypnotic"],
            "element": "bass",
            "instrument": ["sawtooth"],
        },
        "metadata": {"tempo_range": [125, 140], "key": "C minor"},
    },
    "Rainy chords": {
        "code": 'note("<[c3,eb3,g3,bb3] [ab2,c3,eb3,g3]>").s("gm_epiano1").room(.6).slow(2)',
        "description": "Soft electric piano, wet and slow. 100% calm.",
        "tags": {
            "genre": ["lo-fi"],
            "feeling": ["calm", "melancholic"],
            "element": "harmony",
            "complexity": "advanced",
        },
        "metadata": {"tempo_range": [70, 90], "key": "Cm", "requires_packs": ["github:some/pack", "github:other/pack"]},
    },
    "Broken hats": {
        "code": 's("hh(5,8), ~ oh").swingBy(1/3, 4)',
        "description": "Hats with a limp.",
        "tags": {"genre": ["uk garage"], "technique": ["euclidean", "swing"], "element": "rhythm"},
    },
    "Dub tail": {"code": ".delay(.6).delaytime(3/8).delayfeedback(.7)", "tags": {"genre": ["dub"], "element": "fx"}},
}
"""By name: what save_clip is given."""


class ClipServices:
    """The services and the event loop that runs them."""

    def __init__(self, runner: asyncio.Runner, database: Database, engine: Engine, embedder: Embedder) -> None:
        self._runner = runner
        self.database = database
        self.engine = engine
        self.embedder = embedder
        self.store = ClipStore(database)
        self.searching = ClipSearch(self.store, engine, embedder)
        self.changes = ClipChanges(self.store, engine, Validator(engine), embedder)

    def with_model(self, folder: Path) -> "ClipServices":
        """Return services that use the sentence model in a folder, on the same database."""
        return ClipServices(self._runner, self.database, self.engine, Embedder(folder))

    def run(self, work: Coroutine[Any, Any, ClipAnswer]) -> ClipAnswer:
        return self._runner.run(work)

    def save(self, name: str, code: str, auto_tags: bool = False, **fields: Any) -> ClipSaved:
        given = {"name": name, "code": code, **fields}
        return self.run(self.changes.save(SaveClip(clip_data=given, auto_generate_tags=auto_tags)))

    def get(self, clip_id: str, include_embedding: bool = False) -> WholeClip:
        return self.run(self.searching.get(GetClip(clip_id=clip_id, include_embedding=include_embedding)))

    def update(self, clip_id: str, updates: dict[str, Any], merge_data: bool = True) -> ClipUpdated:
        request = UpdateClip.model_validate({"clip_id": clip_id, "updates": updates, "merge_data": merge_data})
        return self.run(self.changes.update(request))

    def delete(self, clip_id: str, confirm: bool) -> ClipDeleted:
        return self.run(self.changes.delete(DeleteClip(clip_id=clip_id, confirm=confirm)))

    def search(self, query: dict[str, Any] | str, limit: int = 20, offset: int = 0) -> ClipList:
        request = SearchClips.model_validate({"query": query, "limit": limit, "offset": offset})
        return self.run(self.searching.search(request))

    def names(self, query: dict[str, Any] | str, limit: int = 20) -> list[str]:
        """Return the names of the clips that a search finds, in order."""
        return [clip.name for clip in self.search(query, limit).clips]

    def similar(self, code: str, top_k: int = 10, **filters: Any) -> SimilarClips:
        request = FindSimilarClips.model_validate({"code_snippet": code, "top_k": top_k, "filters": filters})
        return self.run(self.searching.similar(request))


@contextmanager
def open_clip_services(settings: Settings, model: Path) -> Iterator[ClipServices]:
    """Open the database, run the engine, and yield the services."""
    build_engine("realm", "tunings")

    async def opened() -> tuple[AsyncExitStack, Database]:
        stack = AsyncExitStack()
        opening = open_database(settings, "strudel", "consort_strudel.migrations")
        return stack, await stack.enter_async_context(opening)

    with asyncio.Runner() as runner:
        engine = Engine(time_limit_s=60)
        stack, database = runner.run(opened())
        try:
            yield ClipServices(runner, database, engine, Embedder(model))
        finally:
            runner.run(stack.aclose())
            runner.run(engine.close())
