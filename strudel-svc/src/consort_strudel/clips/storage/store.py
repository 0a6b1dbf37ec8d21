"""The statements that read and change one clip."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from psycopg import sql
from psycopg.types.json import Jsonb

from consort_kit.storage.postgres import Connection, Database
from consort_strudel.clips.keys import key_in_one_spelling
from consort_strudel.clips.models.fields import TAG_LISTS, TAG_WORDS
from consort_strudel.clips.storage.rows import COLUMNS, ClipRow, ClipVector
from consort_strudel.clips.storage.vector_search import vector_text

CLIP_COLUMNS = (
    *("id", "name", "description", "code", *TAG_LISTS, *TAG_WORDS, "tempo_min", "tempo_max", "key", "requires_packs"),
    *("author", "data", "library_name", "is_edited"),
)
_FIND = sql.SQL("select {} from clips where id = %s").format(sql.SQL(COLUMNS))
_FILTERED = (*TAG_LISTS, *TAG_WORDS, "tempo_min", "tempo_max", "key_name", "requires_packs")
_WRITE_VECTOR = sql.SQL(
    "insert into clip_vectors (embedding, model_id, clip_id, {columns}) select %s::halfvec, %s, id, {columns}"
    " from clips where id = %s on conflict (clip_id)"
    " do update set embedding = excluded.embedding, model_id = excluded.model_id, {changes}"
).format(
    columns=sql.SQL(", ").join(map(sql.Identifier, _FILTERED)),
    changes=sql.SQL(", ").join(sql.SQL("{0} = excluded.{0}").format(sql.Identifier(name)) for name in _FILTERED),
)
WORDS = sql.SQL("setweight(to_tsvector('english', %s), 'A') || setweight(to_tsvector('english', %s), 'B')")


class ClipStore:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def find(self, clip_id: str) -> ClipRow | None:
        rows = await self.database.run(_FIND, (clip_id,))
        return ClipRow(**rows[0]) if rows else None

    async def vector(self, clip_id: str) -> ClipVector | None:
        rows = await self.database.run(
            "select embedding::real[] as embedding, model_id from clip_vectors where clip_id = %s", (clip_id,)
        )
        return ClipVector(**rows[0]) if rows else None

    async def add(self, row: ClipRow, vector: ClipVector, code_words: str) -> None:
        """Store a new clip."""
        async with self.database.transaction() as connection:
            await write_clip(connection, row, code_words)
            await write_vector(connection, row.id, vector)

    @asynccontextmanager
    async def locked(self, clip_id: str) -> AsyncIterator["LockedClip | None"]:
        """Lock a clip for a change; yield None if there is none."""
        async with self.database.transaction() as connection:
            query = sql.SQL("{} for update").format(_FIND)
            row = await (await connection.execute(query, (clip_id,))).fetchone()
            yield LockedClip(connection, ClipRow(**row)) if row else None

    async def rows_to_embed(self, model_id: str, most: int) -> list[ClipRow]:
        """Return clips whose vector is missing or of another model."""
        query = sql.SQL(
            "select {} from clips where not exists"
            " (select from clip_vectors where clip_id = clips.id and model_id = %s) order by id limit %s"
        ).format(sql.SQL(COLUMNS))
        return [ClipRow(**row) for row in await self.database.run(query, (model_id, most))]

    async def set_vector(self, row: ClipRow, vector: ClipVector) -> None:
        """Write a clip's vector, unless the clip was changed or deleted since it was read."""
        async with self.database.transaction() as connection:
            found = await connection.execute(
                "select from clips where id = %s and code = %s and name = %s and description = %s for update",
                (row.id, row.code, row.name, row.description),
            )
            if await found.fetchall():
                await write_vector(connection, row.id, vector)

    async def count_to_embed(self, model_id: str) -> int:
        """Return how many clips cannot be compared yet."""
        rows = await self.database.run(
            "select (select count(*) from clips) - (select count(*) from clip_vectors where model_id = %s) as missing",
            (model_id,),
        )
        return max(int(rows[0]["missing"]), 0)


class LockedClip:
    def __init__(self, connection: Connection, row: ClipRow) -> None:
        self._connection = connection
        self.row = row

    async def change(self, row: ClipRow, vector: ClipVector, code_words: str) -> None:
        """Replace the clip."""
        await write_clip(self._connection, row, code_words, replace=True)
        await write_vector(self._connection, row.id, vector)

    async def delete(self) -> None:
        """Delete the clip. One of the library does not come back."""
        await self._connection.execute("delete from clips where id = %s", (self.row.id,))
        if self.row.library_name:
            await self._connection.execute(
                "insert into deleted_library_clips (library_name) values (%s) on conflict do nothing",
                (self.row.library_name,),
            )


async def write_clip(
    connection: Connection,
    row: ClipRow,
    code_words: str,
    more: Mapping[str, Any] | None = None,
    *,
    replace: bool = False,
) -> None:
    """Write a clip, its search words and its tags. `more` are further columns."""
    values: dict[str, Any] = {name: getattr(row, name) for name in CLIP_COLUMNS} | dict(more or {})
    values["data"] = Jsonb(row.data)
    values["key_name"] = key_in_one_spelling(row.key) if row.key else None
    names = [sql.Identifier(name) for name in values]
    places = sql.SQL(", ").join([sql.Placeholder()] * len(values))
    statement = sql.SQL("insert into clips ({}, words) values ({}, {})").format(
        sql.SQL(", ").join(names), places, WORDS
    )
    if replace:
        changes = [sql.SQL("{0} = excluded.{0}").format(name) for name in [*names, sql.Identifier("words")]]
        statement += sql.SQL(" on conflict (id) do update set {}, modified_at = clock_timestamp()").format(
            sql.SQL(", ").join(changes)
        )
    await connection.execute(
        statement, (*values.values(), f"{row.name} {row.tag_text}", f"{row.description} {code_words}")
    )
    tags = [(kind, tag) for kind in TAG_LISTS for tag in getattr(row, kind)]
    tags += [(kind, getattr(row, kind)) for kind in TAG_WORDS if getattr(row, kind)]
    if tags:
        kinds, names_of_tags = zip(*tags, strict=True)
        await connection.execute(
            "insert into clip_tags (kind, tag) select * from unnest(%s::text[], %s::text[]) order by 1, 2"
            " on conflict do nothing",
            (list(kinds), list(names_of_tags)),
        )


async def write_vector(connection: Connection, clip_id: str, vector: ClipVector) -> None:
    """Write a clip's vector, with a copy of the columns that filters use. The clip must have been written before."""
    await connection.execute(_WRITE_VECTOR, (vector_text(vector.embedding), vector.model_id, clip_id))
