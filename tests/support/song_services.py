"""The song services on a real Postgres, without HTTP."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any, TypeVar

from consort_compose.score_library.service import ScoreLibrary
from consort_compose.scores.service import ScoreService
from consort_compose.scores.store import ScoreStore
from consort_compose.songs.editor import SongEditor
from consort_compose.songs.models.notes import AddNotes, GetNotes, NotesAdded
from consort_compose.songs.reader import SongReader
from consort_compose.songs.service import SongService
from consort_compose.songs.storage.store import SongStore
from consort_kit.http.service_client import ServiceClient
from consort_kit.processes.function_workers import FunctionWorkers
from consort_kit.settings import Settings
from consort_kit.storage.postgres import Database, open_database
from consort_music.music_ids import MUSIC_ROUTES

WorkResult = TypeVar("WorkResult")


class SongServices:
    """The song services of one client, and the event loop that runs them."""

    def __init__(
        self,
        runner: asyncio.Runner,
        database: Database,
        settings: Settings,
        workers: FunctionWorkers,
        client: str | None = "test-client",
    ) -> None:
        self._runner = runner
        self._settings = settings
        self.database = database
        store = SongStore(database, client)
        self.workers = workers
        self.library = ScoreLibrary(workers)
        self.scores = ScoreService(ScoreStore(database), self.library)
        self.songs = SongService(store, ServiceClient(settings, MUSIC_ROUTES))
        self.reader = SongReader(store)
        self.editor = SongEditor(store, self.scores)

    def for_client(self, client: str | None) -> "SongServices":
        """Return services for another client with the same songs; None is a client without an id."""
        return SongServices(self._runner, self.database, self._settings, self.workers, client)

    def run(self, work: Coroutine[Any, Any, WorkResult]) -> WorkResult:
        return self._runner.run(work)

    def add_notes(self, song_id: str, **fields: Any) -> NotesAdded:
        return self.run(self.editor.add_notes(AddNotes(song_id=song_id, **fields)))

    def notes_text(self, song_id: str, **fields: Any) -> Any:
        """Return the notes of a song as text by track."""
        return self.run(self.reader.notes(GetNotes(song_id=song_id, limit=2000, **fields))).notes


@contextmanager
def open_song_services(settings: Settings) -> Iterator[SongServices]:
    """Open the database and yield the services of one client."""

    async def opened() -> tuple[AsyncExitStack, Database]:
        stack = AsyncExitStack()
        opening = open_database(settings, "compose", "consort_compose.migrations")
        return stack, await stack.enter_async_context(opening)

    with asyncio.Runner() as runner:
        stack, database = runner.run(opened())
        workers = FunctionWorkers(1, [], 1024**3)
        yield SongServices(runner, database, settings, workers)
        workers.close()
        runner.run(stack.aclose())
