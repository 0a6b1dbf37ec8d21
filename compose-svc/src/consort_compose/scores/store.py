"""All SQL about scores."""

from typing import Any

from psycopg.types.json import Jsonb

from consort_kit.postgres import Database


class ScoreStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, score_id: str, music: dict[str, Any]) -> None:
        """Keep a score; those whose time is over go, a few at a time."""
        async with self._database.transaction() as connection:
            await connection.execute("insert into scores (id, music) values (%s, %s)", (score_id, Jsonb(music)))
            await connection.execute(
                "delete from scores where id in"
                " (select id from scores where kept_until < now() limit 10 for update skip locked)"
            )

    async def music(self, score_id: str) -> dict[str, Any] | None:
        async with self._database.transaction() as connection:
            cursor = await connection.execute(
                "select music from scores where id = %s and kept_until >= now()", (score_id,)
            )
            row = await cursor.fetchone()
        return row["music"] if row else None
