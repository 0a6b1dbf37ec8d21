"""The clip library with its vectors, in a new Postgres, as the service has it after its start."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from consort_kit.settings import Settings
from consort_kit.storage.postgres import Database, open_database
from consort_strudel.clips.background import ClipBackground
from consort_strudel.clips.service import ClipSearch
from consort_strudel.clips.storage.store import ClipStore
from consort_strudel.engine import Engine
from consort_strudel.similarity.embedder import Embedder
from evaluation.processes.servers import embedded_postgres


class ClipLibrary(NamedTuple):
    database: Database
    engine: Engine
    embedder: Embedder
    search: ClipSearch


@asynccontextmanager
async def open_clip_library() -> AsyncIterator[ClipLibrary]:
    with tempfile.TemporaryDirectory() as folder, embedded_postgres(Path(folder)) as (url, _):
        settings = Settings(data=Path(folder), token="benchmark", database_url=url)
        engine, embedder = Engine(), Embedder()
        if not embedder.has_model:
            raise SystemExit("The sentence model is not installed: ./consort up installs it.")
        try:
            async with open_database(settings, "strudel", "consort_strudel.migrations") as database:
                store = ClipStore(database)
                await ClipBackground(store, engine, embedder).run()
                yield ClipLibrary(database, engine, embedder, ClipSearch(store, engine, embedder))
        finally:
            await engine.close()
