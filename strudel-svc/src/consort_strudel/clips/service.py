"""Read clips and find them: by filters, by words, by code."""

import asyncio
import contextlib
import math

from consort_kit.errors import InvalidInput
from consort_music.texts.plurals import counted
from consort_strudel.clips.answers import clip_fields, tags_of
from consort_strudel.clips.models.clips import FoundClip, GetClip, WholeClip
from consort_strudel.clips.models.searches import (
    ClipList,
    ClipQuery,
    FindSimilarClips,
    SearchClips,
    SimilarClip,
    SimilarClips,
)
from consort_strudel.clips.ranking import ScoredClip, rank_clips
from consort_strudel.clips.save_and_change import no_clip
from consort_strudel.clips.storage.conditions import Conditions, conditions_of
from consort_strudel.clips.storage.rows import ClipRow
from consort_strudel.clips.storage.search import clips_with_words, count_clips, page_of_clips, stems_of
from consort_strudel.clips.storage.store import ClipStore
from consort_strudel.clips.storage.vector_search import NearestClips, nearest_clips, vector_text
from consort_strudel.engine import Engine
from consort_strudel.limited_search import limited_search
from consort_strudel.similarity.code.reading import Snippet, read_snippet
from consort_strudel.similarity.embedder import Embedder

CANDIDATES = 120
"""How many clips are ranked by meaning and words."""
_MOST_RANKED = 1000
_MOST_WAIT_S = 20.0
NO_MODEL = (
    "The sentence model is not installed, so {} were compared by {} alone. `./consort up` installs it when there is a"
    " network."
)


class ClipSearch:
    def __init__(
        self, store: ClipStore, engine: Engine, embedder: Embedder, library_is_there: asyncio.Event | None = None
    ) -> None:
        """Search the clips of a store. After a first start, searches wait until the library is there."""
        self._store = store
        self._library_is_there = library_is_there
        self._engine = engine
        self._embedder = embedder
        self._all_have_vectors = False

    async def get(self, request: GetClip) -> WholeClip:
        row = await self._store.find(request.clip_id)
        if row is None:
            raise no_clip(request.clip_id)
        vector = await self._store.vector(request.clip_id) if request.include_embedding else None
        return WholeClip(
            **clip_fields(row),
            embedding=vector.embedding if vector else None,
            model_id=vector.model_id if vector else None,
        )

    async def search(self, request: SearchClips) -> ClipList:
        """Return a page of the clips that meet the query. Raise INVALID_PATTERN or PATTERN_TOO_SLOW."""
        await self._wait_for_library()
        text = (request.query.text or "").strip()
        vector = await self._embedder.vector_of_text(text) if text else None
        missing = await self._missing_vectors() if text else 0
        async with limited_search(self._store.database, "query") as connection:
            conditions = await conditions_of(connection, request.query, "query")
            if not text:
                rows, total = await page_of_clips(connection, conditions, request.limit, request.offset)
                return ClipList(
                    clips=[FoundClip(**clip_fields(row)) for row in rows],
                    total_count=total,
                    warnings=conditions.warnings or None,
                )
            if request.offset + request.limit > _MOST_RANKED:
                raise InvalidInput(
                    f"Only the best {_MOST_RANKED} clips are ranked by 'text'. Use a smaller 'offset' or more filters.",
                    field="offset",
                )
            stems = await stems_of(connection, text)
            count = max(CANDIDATES, request.offset + request.limit)
            by_meaning = NearestClips([], None)
            if vector is not None:
                by_meaning = await nearest_clips(connection, vector, self._embedder.model_id, conditions, count)
            if by_meaning.total is None or missing:
                total = await count_clips(connection, conditions)
            else:
                total = by_meaning.total
            by_words = await clips_with_words(
                connection,
                stems,
                conditions,
                count,
                (vector_text(vector), self._embedder.model_id) if vector else None,
                all_words=total > _MOST_RANKED and vector is not None,
            )
        ranked = rank_clips(
            [*by_words, *by_meaning.clips], stems, self._embedder.text_scale, has_meaning=vector is not None
        )
        return ClipList(
            clips=[_found(clip) for clip in ranked[request.offset : request.offset + request.limit]],
            total_count=total,
            warnings=[
                *conditions.warnings,
                *self._warnings("texts", "their words", missing, is_empty=not ranked and total > 0),
            ]
            or None,
        )

    async def similar(self, request: FindSimilarClips) -> SimilarClips:
        """Return the clips whose code is most like a snippet. Raise SYNTAX_ERROR if it cannot be parsed."""
        if request.filters.text:
            raise InvalidInput(
                "'filters.text' is for search_clips. Leave it out here: clips are ranked by 'code_snippet'.",
                field="filters.text",
                suggestions=["search_clips"],
            )
        await self._wait_for_library()
        snippet = await read_snippet(self._engine, request.code_snippet, "code_snippet")
        vector = await self._embedder.vector_of_query(snippet)
        async with limited_search(self._store.database, "filters") as connection:
            conditions: Conditions = await conditions_of(connection, request.filters, "filters")
            found = await nearest_clips(connection, vector, self._embedder.model_id, conditions, request.top_k)
        return SimilarClips(
            similar_clips=[
                SimilarClip(
                    clip_id=clip.row.id,
                    name=clip.row.name,
                    code=clip.row.code,
                    similarity_score=_score(clip.similarity),
                    tags=tags_of(clip.row),
                    description=clip.row.description,
                )
                for clip in found.clips
            ],
            warnings=[
                *conditions.warnings,
                *self._warnings("clips", "their code", await self._missing_vectors(), is_empty=False),
            ]
            or None,
        )

    async def nearest(self, snippet: Snippet, count: int) -> list[ClipRow]:
        """Return the clips whose code is most like a snippet, without any filter."""
        vector = await self._embedder.vector_of_query(snippet)
        async with limited_search(self._store.database, "code_snippet") as connection:
            everything = await conditions_of(connection, ClipQuery(), "filters")
            found = await nearest_clips(connection, vector, self._embedder.model_id, everything, count)
        return [clip.row for clip in found.clips]

    async def _wait_for_library(self) -> None:
        if self._library_is_there is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._library_is_there.wait(), _MOST_WAIT_S)

    async def _missing_vectors(self) -> int:
        """Return how many clips have no vector yet. At zero, stop counting: new clips are stored with theirs."""
        if not self._all_have_vectors:
            missing = await self._store.count_to_embed(self._embedder.model_id)
            self._all_have_vectors = not missing
            return missing
        return 0

    def _warnings(self, what: str, how: str, missing: int, *, is_empty: bool) -> list[str]:
        found = [] if self._embedder.has_model else [NO_MODEL.format(what, how)]
        if missing:
            found.append(
                f"{counted(missing, 'clip')} cannot be compared yet: vectors are being made. Ask again in a minute."
            )
        if is_empty:
            found.append("No clip has these words. Try other words, or filters alone.")
        return found


def _found(clip: ScoredClip) -> FoundClip:
    return FoundClip(**clip_fields(clip.row), relevance_score=_score(clip.score))


def _score(similarity: float) -> float:
    return 0.0 if math.isnan(similarity) else round(min(max(similarity, 0.0), 1.0), 3)
