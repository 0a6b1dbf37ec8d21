"""All SQL for songs.

A song has numbered states, of which one is current. A change adds a state after the current one and deletes the states
that were undone. A chunk of notes stores the first state that has it (`born`) and the first that no longer has it
(`died`), so undo and redo only change the number of the current state. The version of a song, in contrast, increases
with every change, undo and redo. A change locks the row of the song, so concurrent changes are serialized and each
gets the next version number.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import sql
from psycopg.errors import ForeignKeyViolation
from psycopg.types.json import Jsonb

from consort_compose.songs.document.song import Song
from consort_compose.songs.storage.changed_places import ChangedPlaces, do_overlap
from consort_compose.songs.storage.chunks import Chunk, Chunks
from consort_kit.errors import Conflict
from consort_kit.storage.postgres import Connection, Database

UNDO_STEPS = 10
REMEMBERED_CHANGES = 100
"""Versions per song whose changed places are stored; an older `expected_version` is always rejected."""
LAST_USED_KEPT = "30 days"

_CHUNK = sql.SQL("note_chunks.id, track, first_start, last_start, last_end, note_chunks.note_count, lowest, highest")


@dataclass(frozen=True)
class SongRow:
    id: str
    title: str
    version: int
    state: int
    note_count: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class UndoStep:
    """A change that can be undone or redone. `number` is the state that it created; `action` names the tool."""

    number: int
    action: str


class OpenSong:
    """The current state of a song, read in one transaction. Notes are loaded only when `fetch` is called."""

    def __init__(self, connection: Connection, row: SongRow, song: Song, chunks: Chunks) -> None:
        self._connection = connection
        self.row = row
        self.song = song
        self.chunks = chunks

    async def fetch(self, chunks: Iterable[Chunk]) -> list[Chunk]:
        """Load the notes of those chunks that do not have them yet, and return all the chunks."""
        wanted = list(chunks)
        missing = {chunk.id: chunk for chunk in wanted if chunk.text is None}
        if missing:
            cursor = await self._connection.execute(
                "select id, notes from note_chunks where id = any(%s)", (list(missing),)
            )
            for row in await cursor.fetchall():
                missing[row["id"]].text = row["notes"]
        return wanted

    async def steps(self) -> tuple[list[UndoStep], list[UndoStep]]:
        """Return the steps that can be undone, most recent first, and those that can be redone, next one first."""
        cursor = await self._connection.execute(
            "select number, action from song_states where song_id = %s order by number", (self.row.id,)
        )
        steps = [UndoStep(row["number"], row["action"]) for row in await cursor.fetchall()]
        done = [step for step in steps[1:] if step.number <= self.row.state]
        return done[::-1], [step for step in steps if step.number > self.row.state]


class LockedSong(OpenSong):
    """A song that is locked for this transaction. Set `song` and change `chunks`, then call `save`."""

    def __init__(
        self, connection: Connection, row: SongRow, song: Song, chunks: Chunks, expected_version: int | None
    ) -> None:
        super().__init__(connection, row, song, chunks)
        self._expected_version = expected_version
        self._known = {chunk.id for chunk in chunks.all()}

    async def save(self, action: str, changed_places: ChangedPlaces) -> None:
        """Store `song` and `chunks` as the next state, which is one undo step.

        Raise VERSION_CONFLICT if the same places were changed after `expected_version`.
        """
        await self._reject_unseen_changes(changed_places)
        async with self._connection.pipeline():  # one round trip
            await self._write(self.row.state + 1, action, changed_places)

    async def _write(self, number: int, action: str, changed_places: ChangedPlaces) -> None:
        song_id, chunks = self.row.id, self.chunks.all()
        await self._delete_undone_states()
        kept = {chunk.id for chunk in chunks}
        removed = [each for each in self._known if each not in kept]
        if removed:
            await self._execute("update note_chunks set died = %s where id = any(%s)", number, removed)
        await insert_chunks(self._connection, song_id, number, [chunk for chunk in chunks if chunk.id is None])
        await self._execute(
            "insert into song_states (song_id, number, action, touched, document, note_count)"
            " values (%s, %s, %s, %s, %s, %s)",
            *(song_id, number, action, Jsonb(changed_places), Jsonb(self.song.document()), self.chunks.note_count),
        )
        oldest = number - UNDO_STEPS
        await self._execute("delete from song_states where song_id = %s and number < %s", song_id, oldest)
        await self._execute("delete from note_chunks where song_id = %s and died <= %s", song_id, oldest)
        await self._advance(number, action, changed_places, self.song.title, self.chunks.note_count)

    async def go_to_state(self, to: int, step: UndoStep, action: str) -> None:
        """Undo or redo `step` by making state `to` the current one. `action` describes this for other clients.

        Raise VERSION_CONFLICT if the same places were changed after `expected_version`.
        """
        cursor = await self._connection.execute(
            "select touched from song_states where song_id = %s and number = %s", (self.row.id, step.number)
        )
        row = await cursor.fetchone()
        assert row is not None
        await self._reject_unseen_changes(row["touched"])
        cursor = await self._connection.execute(
            "select document ->> 'title' as title, note_count from song_states where song_id = %s and number = %s",
            (self.row.id, to),
        )
        state = await cursor.fetchone()
        assert state is not None
        await self._advance(to, action, row["touched"], state["title"], state["note_count"])

    async def _delete_undone_states(self) -> None:
        """Delete the states after the current one, with their chunks."""
        song_id, state = self.row.id, self.row.state
        await self._execute("delete from song_states where song_id = %s and number > %s", song_id, state)
        await self._execute("delete from note_chunks where song_id = %s and born > %s", song_id, state)
        await self._execute("update note_chunks set died = null where song_id = %s and died > %s", song_id, state)

    async def _advance(
        self, state: int, action: str, changed_places: ChangedPlaces, title: str, note_count: int
    ) -> None:
        """Make `state` the current state, increase the version and record which places changed."""
        song_id, version = self.row.id, self.row.version + 1
        await self._execute(
            "insert into song_changes (song_id, version, action, touched) values (%s, %s, %s, %s)",
            *(song_id, version, action, Jsonb(changed_places)),
        )
        await self._execute(
            "delete from song_changes where song_id = %s and version <= %s", song_id, version - REMEMBERED_CHANGES
        )
        cursor = await self._connection.execute(
            "update songs set title = %s, version = %s, state = %s, note_count = %s,"
            " updated_at = clock_timestamp() where id = %s returning *",
            (title, version, state, note_count, song_id),
        )
        row = await cursor.fetchone()
        assert row is not None
        self.row = SongRow(**row)

    async def _reject_unseen_changes(self, changed_places: ChangedPlaces) -> None:
        """Raise VERSION_CONFLICT if another change after `expected_version` affected these places."""
        seen = self._expected_version
        if seen is None or seen == self.row.version:
            return
        cursor = await self._connection.execute(
            "select version, action, touched from song_changes where song_id = %s and version > %s order by version",
            (self.row.id, seen),
        )
        unseen = await cursor.fetchall()
        conflicting = [change for change in unseen if do_overlap(change["touched"], changed_places)]
        if len(unseen) == self.row.version - seen and not conflicting:
            return  # the other changes were in other places
        done = ", ".join(f"{change['version']}: {change['action']}" for change in (conflicting or unseen)[-5:])
        why = f"not {seen}, and the same part was changed since{f' ({done})' if done else ''}"
        if seen > self.row.version:
            why = f"and there is no version {seen} yet"
        raise Conflict(
            f"The song is at version {self.row.version}, {why}. Nothing was changed. Read it again first.",
            code="VERSION_CONFLICT",
            field="expected_version",
            suggestions=[f"read it again, then expected_version: {self.row.version}"],
            details={"version": self.row.version},
        )

    async def _execute(self, query: Any, *values: Any) -> None:
        await self._connection.execute(query, values)


class SongStore:
    """All songs, for one client: the store remembers which song that client used last."""

    def __init__(self, database: Database, client: str | None = None) -> None:
        self._database = database
        self._client = client

    def for_client(self, client: str | None) -> "SongStore":
        """Return a store for another client. If `client` is None, the last used song is not remembered."""
        return SongStore(self._database, client)

    async def last_used(self) -> str | None:
        """Return the id of the song that this client used last, within 30 days and not deleted; otherwise None."""
        rows = await self._database.run(
            "select song_id from last_used_songs where client = %s and used_at > clock_timestamp() - %s::interval",
            (self._client, LAST_USED_KEPT),
        )
        return rows[0]["song_id"] if rows else None

    async def remember_use(self, song_id: str) -> None:
        """Store that the client used this song. Not needed after a change: `open_for_change` does it."""
        with suppress(ForeignKeyViolation):  # deleted meanwhile
            async with self._database.transaction() as connection:
                await self._remember(connection, song_id)

    async def _remember(self, connection: Connection, song_id: str) -> None:
        """Store the last used song, at most once an hour for the same song, and delete a few expired rows."""
        if self._client is None:
            return
        written = await connection.execute(
            "insert into last_used_songs as kept (client, song_id) values (%s, %s)"
            " on conflict (client) do update set song_id = excluded.song_id, used_at = excluded.used_at"
            " where kept.song_id <> excluded.song_id or kept.used_at < excluded.used_at - interval '1 hour'",
            (self._client, song_id),
        )
        if written.rowcount:
            await connection.execute(
                "delete from last_used_songs where client in (select client from last_used_songs"
                " where used_at <= clock_timestamp() - %s::interval limit 10 for update skip locked)",
                (LAST_USED_KEPT,),
            )

    async def create(self, song_id: str, song: Song, chunks: list[Chunk]) -> SongRow:
        """Store a new song as state 0."""
        note_count = sum(chunk.note_count for chunk in chunks)
        async with self._database.transaction() as connection:
            cursor = await connection.execute(
                "insert into songs (id, title, note_count) values (%s, %s, %s) returning *",
                (song_id, song.title, note_count),
            )
            row = await cursor.fetchone()
            assert row is not None
            await connection.execute(
                "insert into song_states (song_id, number, action, touched, document, note_count)"
                " values (%s, 0, 'create_song', '[]', %s, %s)",
                (song_id, Jsonb(song.document()), note_count),
            )
            await insert_chunks(connection, song_id, 0, chunks)
            await self._remember(connection, song_id)
        return SongRow(**row)

    @asynccontextmanager
    async def open_for_reading(self, song_id: str) -> AsyncIterator[OpenSong | None]:
        """Open the current state of a song; yield None if there is no such song."""
        async with self._database.transaction() as connection:
            await connection.execute("set transaction isolation level repeatable read")
            found = await read_song(connection, song_id, sql.SQL(""))
            yield OpenSong(connection, *found) if found else None

    @asynccontextmanager
    async def open_for_change(self, song_id: str, expected_version: int | None) -> AsyncIterator[LockedSong | None]:
        """Open and lock a song; yield None if there is no such song.

        An exception in the block rolls back what was saved. Otherwise this becomes the client's last used song.
        """
        async with self._database.transaction() as connection:
            found = await read_song(connection, song_id, sql.SQL("for update"))
            yield LockedSong(connection, *found, expected_version) if found else None
            if found:
                await self._remember(connection, song_id)

    async def newest(
        self, limit: int, before: tuple[datetime, str] | None = None, title_contains: str | None = None
    ) -> list[SongRow]:
        """Return songs, most recently changed first.

        `before` is the time and id of the last song on the previous page, or None for the first page.
        """
        rows = await self._database.newest("songs", "updated_at", limit, before, ("title", title_contains))
        return [SongRow(**row) for row in rows]

    async def delete(self, song_id: str) -> SongRow | None:
        """Delete a song with all its states; return its row, or None if there is no such song."""
        found = await self._database.run("delete from songs where id = %s returning *", (song_id,))
        return SongRow(**found[0]) if found else None


async def read_song(connection: Connection, song_id: str, locking: sql.SQL) -> tuple[SongRow, Song, Chunks] | None:
    """Read a song and its current state in one round trip. With `for update`, the state is read after locking."""
    async with connection.pipeline():
        found = await connection.execute(sql.SQL("select * from songs where id = %s {}").format(locking), (song_id,))
        current = await connection.execute(
            "select document from song_states join songs on songs.id = song_id and number = state where song_id = %s",
            (song_id,),
        )
        listed = await connection.execute(
            sql.SQL("select {} from note_chunks join songs on songs.id = song_id where song_id = %s and {}").format(
                _CHUNK, sql.SQL("born <= state and (died is null or died > state)")
            ),
            (song_id,),
        )
    row, state = await found.fetchone(), await current.fetchone()
    if row is None or state is None:
        return None
    chunks = Chunks(Chunk(**chunk) for chunk in await listed.fetchall())
    return SongRow(**row), Song.from_document(state["document"]), chunks


async def insert_chunks(connection: Connection, song_id: str, born: int, chunks: list[Chunk]) -> None:
    """Store new chunks. `born` is the first state that has them."""
    if not chunks:
        return
    rows = [
        (
            song_id,
            born,
            chunk.track,
            chunk.first_start,
            chunk.last_start,
            chunk.last_end,
            chunk.note_count,
            chunk.lowest,
            chunk.highest,
            chunk.text,
        )
        for chunk in chunks
    ]
    async with connection.cursor() as cursor:
        await cursor.executemany(
            "insert into note_chunks (song_id, born, track, first_start, last_start, last_end, note_count, lowest,"
            " highest, notes) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            rows,
        )
