"""What happens to clips in the background: the library is loaded, vectors are made, the index is kept.

The library is written without sentence vectors first, so that clips are found by their words and tags within a second
or two. Later versions of it change only its own clips: what the user changed or deleted stays so. Several processes may
do this at the same time; one of them does the work.
"""

import asyncio
import hashlib
import json
import logging
from dataclasses import asdict
from typing import Any

from consort_kit.errors import ConsortError
from consort_kit.storage.postgres import Connection
from consort_strudel.clips.library import LibraryClip, library_clips
from consort_strudel.clips.storage.rows import ClipRow, ClipVector
from consort_strudel.clips.storage.store import ClipStore, write_clip
from consort_strudel.clips.storage.vector_search import keep_indexes
from consort_strudel.engine import Engine
from consort_strudel.similarity.code.plain_words import words_of
from consort_strudel.similarity.code.reading import read_snippets
from consort_strudel.similarity.embedder import Embedder
from consort_strudel.structure import BEATS_PER_CYCLE

_TOGETHER = 100
_LOCK = "strudel clip library"
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_log = logging.getLogger("consort")


class ClipBackground:
    def __init__(self, store: ClipStore, engine: Engine, embedder: Embedder) -> None:
        self._store = store
        self._engine = engine
        self._embedder = embedder
        self.library_is_there = asyncio.Event()
        """Set when the clips of the library can be found, or when loading them failed."""

    async def run(self) -> None:
        """Do everything once. A failure is logged: the tools work with what is there."""
        try:
            try:
                await self.load_library()
            finally:
                self.library_is_there.set()
            await self.embed_all()
            await keep_indexes(self._store.database)
        except ConsortError as error:
            _log.warning("the clip library was not loaded: %s", error.body.code)

    async def load_library(self, library: tuple[LibraryClip, ...] | None = None) -> int:
        """Write the clips of the library that are new or changed. Return how many."""
        wanted = [(_row(clip), _checksum(clip)) for clip in (library_clips() if library is None else library)]
        async with self._store.database.transaction() as connection:
            await connection.execute("select pg_advisory_xact_lock(hashtext(%s))", (_LOCK,))
            to_write = await _new_or_changed(connection, wanted)
            if to_write:
                snippets = await read_snippets(self._engine, [row.code for row, _ in to_write])
                for (row, checksum), snippet in zip(to_write, snippets, strict=True):
                    words = words_of(snippet) if snippet else ""
                    await write_clip(connection, row, words, {"library_sha256": checksum}, replace=True)
                    await connection.execute("delete from clip_vectors where clip_id = %s", (row.id,))
        if to_write:
            _log.info("loaded %d clips of the library", len(to_write))
        return len(to_write)

    async def embed_all(self) -> int:
        """Make the vectors that are missing or of another model. Return how many."""
        done = 0
        while rows := await self._store.rows_to_embed(self._embedder.model_id, _TOGETHER):
            snippets = await read_snippets(self._engine, [row.code for row in rows])
            made = 0
            for row, snippet in zip(rows, snippets, strict=True):
                if snippet is not None:
                    vector = await self._embedder.vector_of_clip(snippet, row.summary)
                    await self._store.set_vector(row, ClipVector(vector, self._embedder.model_id))
                    made += 1
                await asyncio.sleep(0)
            done += made
            await asyncio.to_thread(self._embedder.save_cache)
            if not made:  # what is left cannot be parsed
                break
        return done


def library_rows() -> list[ClipRow]:
    """Return the clips of the library as they are stored."""
    return [_row(clip) for clip in library_clips()]


def library_clip_id(name: str) -> str:
    """Return the id of a clip of the library, which is the same everywhere."""
    digest = hashlib.sha256(f"consort clip library: {name}".encode()).digest()
    return "clip_" + "".join(_ALPHABET[byte % 32] for byte in digest[:26])


def _row(clip: LibraryClip) -> ClipRow:
    low, high = clip.tempo_range
    data: dict[str, Any] = {"beats_per_cycle": clip.beats} if clip.beats != BEATS_PER_CYCLE else {}
    if clip.tags:
        data["words"] = list(clip.tags)
    return ClipRow(
        id=library_clip_id(clip.name),
        name=clip.name,
        description=clip.description,
        code=clip.code,
        genre=list(clip.genre),
        feeling=list(clip.feeling),
        technique=list(clip.technique),
        instrument=list(clip.instrument),
        complexity=clip.complexity,
        element=clip.element,
        tempo_min=low,
        tempo_max=high,
        key=clip.key,
        author="Consort",
        data=data,
        library_name=clip.name,
    )


def _checksum(clip: LibraryClip) -> str:
    return hashlib.sha256(json.dumps(asdict(clip), sort_keys=True).encode()).hexdigest()


async def _new_or_changed(connection: Connection, wanted: list[tuple[ClipRow, str]]) -> list[tuple[ClipRow, str]]:
    """Return the clips that are to be written: not those that are the same, edited or deleted."""
    found = await connection.execute(
        "select library_name, library_sha256, is_edited from clips where library_name is not null"
        " union all select library_name, null, true from deleted_library_clips"
    )
    known = {row["library_name"]: row for row in await found.fetchall()}
    return [
        (row, checksum)
        for row, checksum in wanted
        if (old := known.get(row.name)) is None or (not old["is_edited"] and old["library_sha256"] != checksum)
    ]
