"""All SQL for scores."""

from typing import Any

from psycopg.types.json import Jsonb

from consort_kit.storage.postgres import Database


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
