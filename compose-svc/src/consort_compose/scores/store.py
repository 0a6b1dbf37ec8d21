"""All SQL for scores."""

from datetime import datetime
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb

from consort_kit.storage.postgres import Database


class ScoreRow(NamedTuple):
    """A score without its notes."""

    id: str
    created_at: datetime
    title: str | None
    parts: list[str]


class ScoreStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, score_id: str, music: dict[str, Any]) -> None:
        """Store a score, and delete up to ten expired ones."""
        async with self._database.transaction() as connection:
            await connection.execute("insert into scores (id, music) values (%s, %s)", (score_id, Jsonb(music)))
            await connection.execute(
                "delete from scores where id in"
                " (select id from scores where kept_until < now() limit 10 for update skip locked)"
            )

    async def music(self, score_id: str) -> dict[str, Any] | None:
        """Return the JSON of a score, or None if it is unknown or expired."""
        async with self._database.transaction() as connection:
            cursor = await connection.execute(
                "select music from scores where id = %s and kept_until >= now()", (score_id,)
            )
            row = await cursor.fetchone()
        return row["music"] if row else None

    async def newest(self, limit: int, before: tuple[datetime, str] | None) -> list[ScoreRow]:
        """Return scores that are not expired, newest first; `before` is the time and the id of the last one seen."""
        async with self._database.transaction() as connection:
            cursor = await connection.execute(
                "select id, created_at, music->>'title' as title,"
                " jsonb_path_query_array(music, '$.parts[*].name') as parts from scores where kept_until >= now()"
                " and (%(time)s::timestamptz is null or (created_at, id) < (%(time)s, %(id)s))"
                " order by created_at desc, id desc limit %(limit)s",
                {"time": before[0] if before else None, "id": before[1] if before else None, "limit": limit},
            )
            return [ScoreRow(**row) for row in await cursor.fetchall()]
