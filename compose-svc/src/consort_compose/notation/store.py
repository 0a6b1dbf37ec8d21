"""All SQL for engraved music."""

from typing import Any

from psycopg.types.json import Jsonb

from consort_kit.storage.postgres import Database

_EXPIRED_AT_ONCE = 10


class NotationStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, notation_id: str, facts: dict[str, Any]) -> None:
        """Add a row for 30 days. The row may exist already, because a job may run twice."""
        async with self._database.transaction() as connection:
            await connection.execute(
                "insert into notations (id, facts) values (%s, %s) on conflict (id) do nothing",
                (notation_id, Jsonb(facts)),
            )

    async def facts(self, notation_id: str) -> dict[str, Any] | None:
        """Return what is known about an engraving, or None if it is unknown or expired."""
        found = await self._database.run(
            "select facts from notations where id = %s and kept_until >= now()", (notation_id,)
        )
        return found[0]["facts"] if found else None

    async def delete_expired(self) -> list[str]:
        """Delete some expired rows and return their ids."""
        found = await self._database.run(
            "delete from notations where id in (select id from notations where kept_until < now() limit %s"
            " for update skip locked) returning id",
            (_EXPIRED_AT_ONCE,),
        )
        return [row["id"] for row in found]
