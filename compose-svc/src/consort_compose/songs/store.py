"""Songs in Postgres: all SQL about them.

A song is a line of numbered states, of which one is current. A change adds a state behind the current one and cuts off
what was undone before; chunks of notes know from which state on they exist (`born`) and from which on they do not
(`died`). So undo and redo only move a number. Whoever changes a song holds its row, so versions form a line.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import sql
from psycopg.errors import ForeignKeyViolation
from psycopg.types.json import Jsonb

from consort_compose.songs.chunks import Chunk, Chunks
from consort_compose.songs.song import Song
from consort_compose.songs.touched import Touched, overlap
from consort_kit.errors import Conflict
from consort_kit.postgres import Connection, Database

UNDO_STEPS = 10
REMEMBERED_CHANGES = 100
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
class Step:
    """A place in the line of states that undo or redo leads over."""

    number: int
    action: str


class OpenSong:
    """One state of a song, read in one transaction; the notes of chunks come when they are fetched."""

    def __init__(self, connection: Connection, row: SongRow, song: Song, chunks: Chunks) -> None:
        self._connection = connection
        self.row = row
        self.song = song
        self.chunks = chunks

    async def fetch(self, chunks: Iterable[Chunk]) -> list[Chunk]:
        """These chunks, now with their notes."""
        wanted = list(chunks)
        missing = {chunk.id: chunk for chunk in wanted if chunk.text is None}
        if missing:
            cursor = await self._connection.execute(
                "select id, notes from note_chunks where id = any(%s)", (list(missing),)
            )
            for row in await cursor.fetchall():
                missing[row["id"]].text = row["notes"]
        return wanted

    async def steps(self) -> tuple[list[Step], list[Step]]:
        """What can be undone, latest first, and redone, next first."""
        cursor = await self._connection.execute(
            "select number, action from song_states where song_id = %s order by number", (self.row.id,)
        )
        steps = [Step(row["number"], row["action"]) for row in await cursor.fetchall()]
        done = [step for step in steps[1:] if step.number <= self.row.state]
        return done[::-1], [step for step in steps if step.number > self.row.state]


class HeldSong(OpenSong):
    """A song that only this transaction may change: `song` and `chunks` are set to what they shall be, then saved."""

    def __init__(
        self, connection: Connection, row: SongRow, song: Song, chunks: Chunks, expected_version: int | None
    ) -> None:
        super().__init__(connection, row, song, chunks)
        self._expected_version = expected_version
        self._known = {chunk.id for chunk in chunks.all()}

    async def save(self, action: str, touched: Touched) -> None:
        """Make `song` and `chunks` the next state: one step of undo."""
        await self._refuse_unseen_changes(touched)
        async with self._connection.pipeline():  # one trip for all of it
            await self._write(self.row.state + 1, action, touched)

    async def _write(self, number: int, action: str, touched: Touched) -> None:
        song_id, chunks = self.row.id, self.chunks.all()
        await self._cut_off_undone()
        kept = {chunk.id for chunk in chunks}
        gone = [each for each in self._known if each not in kept]
        if gone:
            await self._execute("update note_chunks set died = %s where id = any(%s)", number, gone)
        await insert_chunks(self._connection, song_id, number, [chunk for chunk in chunks if chunk.id is None])
        await self._execute(
            "insert into song_states (song_id, number, action, touched, document, note_count)"
            " values (%s, %s, %s, %s, %s, %s)",
            *(song_id, number, action, Jsonb(touched), Jsonb(self.song.document()), self.chunks.note_count),
        )
        oldest = number - UNDO_STEPS
        await self._execute("delete from song_states where song_id = %s and number < %s", song_id, oldest)
        await self._execute("delete from note_chunks where song_id = %s and died <= %s", song_id, oldest)
        await self._advance(number, action, touched, self.song.title, self.chunks.note_count)

    async def move(self, step: Step, to: int, action: str) -> None:
        """Go to another state, over this step."""
        cursor = await self._connection.execute(
            "select touched from song_states where song_id = %s and number = %s", (self.row.id, step.number)
        )
        row = await cursor.fetchone()
        assert row is not None
        await self._refuse_unseen_changes(row["touched"])
        cursor = await self._connection.execute(
            "select document ->> 'title' as title, note_count from song_states where song_id = %s and number = %s",
            (self.row.id, to),
        )
        state = await cursor.fetchone()
        assert state is not None
        await self._advance(to, action, row["touched"], state["title"], state["note_count"])

    async def _cut_off_undone(self) -> None:
        song_id, state = self.row.id, self.row.state
        await self._execute("delete from song_states where song_id = %s and number > %s", song_id, state)
        await self._execute("delete from note_chunks where song_id = %s and born > %s", song_id, state)
        await self._execute("update note_chunks set died = null where song_id = %s and died > %s", song_id, state)

    async def _advance(self, state: int, action: str, touched: Touched, title: str, note_count: int) -> None:
        song_id, version = self.row.id, self.row.version + 1
        await self._execute(
            "insert into song_changes (song_id, version, action, touched) values (%s, %s, %s, %s)",
            *(song_id, version, action, Jsonb(touched)),
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

    async def _refuse_unseen_changes(self, touched: Touched) -> None:
        seen = self._expected_version
        if seen is None or seen == self.row.version:
            return
        cursor = await self._connection.execute(
            "select version, action, touched from song_changes where song_id = %s and version > %s order by version",
            (self.row.id, seen),
        )
        unseen = await cursor.fetchall()
        in_the_way = [change for change in unseen if overlap(change["touched"], touched)]
        if len(unseen) == self.row.version - seen and not in_the_way:
            return  # others worked elsewhere
        done = ", ".join(f"{change['version']}: {change['action']}" for change in (in_the_way or unseen)[-5:])
        why = f"not {seen}, and the same place was changed since{f' ({done})' if done else ''}"
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
    """All songs, as one client uses them: the store remembers which of them that client used last."""

    def __init__(self, database: Database, client: str | None = None) -> None:
        self._database = database
        self._client = client

    def of(self, client: str | None) -> "SongStore":
        """Return the same songs for another client; None is a client without an id, for which nothing is kept."""
        return SongStore(self._database, client)

    async def last_used(self) -> str | None:
        """Return the id of the song that this client used last, unless that is too long ago or the song is deleted."""
        rows = await self._database.run(
            "select song_id from last_used_songs where client = %s and used_at > clock_timestamp() - %s::interval",
            (self._client, LAST_USED_KEPT),
        )
        return rows[0]["song_id"] if rows else None

    async def use(self, song_id: str) -> None:
        """Remember this song as the one that the client used last, if it was only read."""
        with suppress(ForeignKeyViolation):  # deleted at this very moment
            async with self._database.transaction() as connection:
                await self._remember(connection, song_id)

    async def _remember(self, connection: Connection, song_id: str) -> None:
        """Mostly it is the same song again, and then nothing is written."""
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
    async def reading(self, song_id: str) -> AsyncIterator[OpenSong | None]:
        """Open the current state of a song; None if there is no such song."""
        async with self._database.transaction() as connection:
            await connection.execute("set transaction isolation level repeatable read")
            found = await read_song(connection, song_id, sql.SQL(""))
            yield OpenSong(connection, *found) if found else None

    @asynccontextmanager
    async def changing(self, song_id: str, expected_version: int | None) -> AsyncIterator[HeldSong | None]:
        """Open and lock a song. What was saved is kept if the block ends without an exception, otherwise nothing is.

        The song then is the one that the client used last.
        """
        async with self._database.transaction() as connection:
            found = await read_song(connection, song_id, sql.SQL("for update"))
            yield HeldSong(connection, *found, expected_version) if found else None
            if found:
                await self._remember(connection, song_id)

    async def newest(
        self, limit: int, before: tuple[datetime, str] | None = None, title_contains: str | None = None
    ) -> list[SongRow]:
        conditions, values = [sql.SQL("true")], list[Any]()
        if before is not None:
            conditions.append(sql.SQL("(updated_at, id) < (%s, %s)"))
            values += before
        if title_contains is not None:
            conditions.append(sql.SQL("position(lower(%s) in lower(title)) > 0"))
            values.append(title_contains)
        query = sql.SQL("select * from songs where {} order by updated_at desc, id desc limit %s").format(
            sql.SQL(" and ").join(conditions)
        )
        return [SongRow(**row) for row in await self._database.run(query, (*values, limit))]

    async def delete(self, song_id: str) -> SongRow | None:
        found = await self._database.run("delete from songs where id = %s returning *", (song_id,))
        return SongRow(**found[0]) if found else None


async def read_song(connection: Connection, song_id: str, locking: sql.SQL) -> tuple[SongRow, Song, Chunks] | None:
    """The song and its current state, in one trip; with a lock, what is read comes after the lock is had."""
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
