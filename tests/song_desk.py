"""The song editor on a Postgres, without the web around it: for tests of what it does."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from typing import Any, TypeVar

from consort_compose.scores.service import ScoreService
from consort_compose.scores.store import ScoreStore
from consort_compose.songs.editor import SongEditor
from consort_compose.songs.service import SongService
from consort_compose.songs.store import SongStore
from consort_kit.client import ServiceClient
from consort_kit.postgres import Database, open_database
from consort_kit.settings import Settings

Result = TypeVar("Result")


class Desk:
    """The services as one client has them, and the loop they run in."""

    def __init__(
        self, runner: asyncio.Runner, database: Database, settings: Settings, client: str | None = "desk"
    ) -> None:
        self._runner = runner
        self._settings = settings
        self.database = database
        store = SongStore(database, client)
        self.scores = ScoreService(ScoreStore(database))
        self.songs = SongService(store, ServiceClient(settings))
        self.editor = SongEditor(store, self.scores)

    def of(self, client: str | None) -> "Desk":
        """The same songs for another client; None is one without an id."""
        return Desk(self._runner, self.database, self._settings, client)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._runner.run(work)


@contextmanager
def open_desk(settings: Settings) -> Iterator[Desk]:
    async def opened() -> tuple[AsyncExitStack, Database]:
        stack = AsyncExitStack()
        opening = open_database(settings, "compose", "consort_compose.migrations")
        return stack, await stack.enter_async_context(opening)

    with asyncio.Runner() as runner:
        stack, database = runner.run(opened())
        yield Desk(runner, database, settings)
        runner.run(stack.aclose())
