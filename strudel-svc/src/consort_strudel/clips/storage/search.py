"""Find clips that meet filters, and candidates for a ranking by words."""

from typing import Any

from psycopg import sql

from consort_kit.storage.postgres import Connection
from consort_strudel.clips.storage.conditions import Conditions
from consort_strudel.clips.storage.rows import COLUMNS, ClipRow, RankedClip

WORD_COLUMNS = sql.SQL(
    "tsvector_to_array(ts_filter(words, '{{a}}')) as name_words, tsvector_to_array(words) as other_words"
)
_COLUMNS = sql.SQL(COLUMNS)


async def page_of_clips(
    connection: Connection, conditions: Conditions, limit: int, offset: int
) -> tuple[list[ClipRow], int]:
    """Return clips that meet the conditions, those of the user and the newest first, and how many there are."""
    if conditions.texts is not None:
        return await _page_by_patterns(connection, conditions, limit, offset)
    query = sql.SQL("select {columns} from clips where {where} order by created_at desc, id limit %s offset %s").format(
        columns=_COLUMNS, where=conditions.where
    )
    rows = await (await connection.execute(query, (*conditions.values, limit, offset))).fetchall()
    if not offset and len(rows) < limit:
        return [ClipRow(**row) for row in rows], len(rows)
    return [ClipRow(**row) for row in rows], await count_clips(connection, conditions)


async def _page_by_patterns(
    connection: Connection, conditions: Conditions, limit: int, offset: int
) -> tuple[list[ClipRow], int]:
    """Return a page of clips, and how many there are, after running each pattern once over all texts."""
    query = sql.SQL(
        "with found as materialized (select id, created_at from clips where {where}),"
        " page as (select id from found order by created_at desc, id limit %s offset %s)"
        " select {columns}, total from (select count(*) as total from found) as counted"
        " left join (select clips.* from page join clips using (id)) as clips on true order by created_at desc, id"
    ).format(columns=_COLUMNS, where=conditions.where)
    rows = await (await connection.execute(query, (*conditions.values, limit, offset))).fetchall()
    totals = [row.pop("total") for row in rows]
    return [ClipRow(**row) for row in rows if row["id"] is not None], totals[0]


async def count_clips(connection: Connection, conditions: Conditions) -> int:
    """Return how many clips meet the conditions."""
    query = sql.SQL("select count(*) as found from clips where {}").format(conditions.where)
    row = await (await connection.execute(query, conditions.values)).fetchone()
    assert row is not None
    return int(row["found"])


async def stems_of(connection: Connection, text: str) -> list[str]:
    """Return the stems of the words of a text, as Postgres makes them; without words such as `the`."""
    found = await connection.execute("select tsvector_to_array(to_tsvector('english', %s)) as stems", (text,))
    row = await found.fetchone()
    return list(row["stems"]) if row else []


async def clips_with_words(
    connection: Connection,
    stems: list[str],
    conditions: Conditions,
    most: int,
    compared: tuple[str, str] | None = None,
    *,
    all_words: bool = False,
) -> list[RankedClip]:
    """Return clips with these words (all, or any of them), best first by Postgres's own rank.

    `compared` is a vector (as text) and the model that made it: the similarity to it is returned too.
    """
    if not stems:
        return []
    quoted = ["'" + stem.replace("\\", "\\\\").replace("'", "''") + "'" for stem in stems]
    words = (" & " if all_words else " | ").join(quoted)
    query = sql.SQL(
        "select {columns}, {words}, coalesce((select 1 - (embedding <=> %s::halfvec) from clip_vectors"
        " where clip_id = clips.id and model_id = %s), 0) as similarity from clips where words @@ %s::tsquery"
        " and {where} order by ts_rank(words, %s::tsquery) desc, id limit %s"
    ).format(columns=_COLUMNS, words=WORD_COLUMNS, where=conditions.where)
    values = (*(compared or (None, None)), words, *conditions.values, words, most)
    return [ranked_clip(row) for row in await (await connection.execute(query, values)).fetchall()]


def ranked_clip(row: dict[str, Any]) -> RankedClip:
    """Return a row of a search with its words."""
    first, rest = row.pop("name_words"), row.pop("other_words")
    similarity = row.pop("similarity", 0.0)
    return RankedClip(ClipRow(**row), similarity, frozenset(first), frozenset(rest) - frozenset(first))
