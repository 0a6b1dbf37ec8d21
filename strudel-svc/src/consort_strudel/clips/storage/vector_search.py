"""Find the clips nearest to a vector.

While there are few clips, or few that meet the filters, every vector is compared. Above that the HNSW index on
half-precision vectors gives candidates, which are compared exactly. pgvector's iterative scan goes on until enough of
them meet the filters.
"""

import logging

from psycopg import sql
from psycopg.errors import Error, LockNotAvailable

from consort_kit.storage.postgres import Connection, Database
from consort_strudel.clips.storage.conditions import Conditions
from consort_strudel.clips.storage.rows import COLUMNS, RankedClip
from consort_strudel.clips.storage.search import WORD_COLUMNS, count_clips, ranked_clip

MOST_EXACT = 20_000
"""With more vectors than this there is an index."""
MOST_FILTERED = 4_000
"""With at most so many clips that meet the filters, all of these are compared."""
_EF_SEARCH = 160
_INDEX = "clip_vectors_hnsw"
_MORE = 3
"""How many times as many candidates as asked for are compared exactly."""

_log = logging.getLogger("consort")


def vector_text(vector: list[float]) -> str:
    """Return a vector as pgvector reads it."""
    return "[" + ",".join(f"{number:.7g}" for number in vector) + "]"


async def nearest_clips(
    connection: Connection, vector: list[float], model_id: str, conditions: Conditions, count: int
) -> list[RankedClip]:
    """Return the clips nearest to a vector, nearest first, of those with a vector of this model.

    A vector of zeros, of code without anything to compare, is near to none.
    """
    if not any(vector):
        return []
    text = vector_text(vector)
    is_indexed = await has_index(connection)
    if is_indexed and not conditions.is_empty:
        is_indexed = await count_clips(connection, conditions, MOST_FILTERED + 1) > MOST_FILTERED
    if is_indexed:
        await connection.execute(
            sql.SQL("set local hnsw.ef_search = {}; set local hnsw.iterative_scan = 'relaxed_order'").format(
                sql.Literal(max(_EF_SEARCH, min(_MORE * count, 1000)))
            )
        )
        near = _indexed(conditions)
        values = [text, model_id, *conditions.values, text, _MORE * count, count]
    else:
        near = _exact(conditions)
        values = [text, model_id, *conditions.values, count]
    query = sql.SQL(
        "with near as materialized ({near}) select {columns}, {words}, similarity from near"
        " join clips on clips.id = near.clip_id order by similarity desc, id"
    ).format(near=near, columns=sql.SQL(COLUMNS), words=WORD_COLUMNS)
    rows = await (await connection.execute(query, values)).fetchall()
    return [ranked_clip(row) for row in rows]


def _exact(conditions: Conditions) -> sql.Composed:
    return sql.SQL(
        "select clip_id, 1 - (embedding <=> %s::vector) as similarity from clip_vectors v{join}"
        " where model_id = %s and {where} order by 2 desc, clip_id limit %s"
    ).format(join=_join(conditions), where=conditions.where)


def _indexed(conditions: Conditions) -> sql.Composed:
    return sql.SQL(
        "select clip_id, 1 - (embedding <=> %s::vector) as similarity from ("
        "select v.clip_id, v.embedding from clip_vectors v{join} where model_id = %s and {where}"
        " order by v.embedding::halfvec(768) <=> %s::halfvec limit %s) as found order by 2 desc, clip_id limit %s"
    ).format(join=_join(conditions), where=conditions.where)


def _join(conditions: Conditions) -> sql.SQL:
    return sql.SQL("") if conditions.is_empty else sql.SQL(" join clips c on c.id = v.clip_id")


async def has_index(connection: Connection) -> bool:
    """Return whether the index is there and complete."""
    found = await connection.execute(
        "select from pg_index where indexrelid = to_regclass(%s) and indisvalid", (_INDEX,)
    )
    return bool(await found.fetchall())


async def keep_index(database: Database) -> bool:
    """Make the index if there are many vectors and none yet. Return whether it was made.

    It is built beside the work of others; another process that builds it already is not disturbed.
    """
    async with database.pool.connection() as connection:
        found = await connection.execute(
            "select count(*) as found from (select from clip_vectors limit %s) as clips_found", (MOST_EXACT + 1,)
        )
        row = await found.fetchone()
        if row is None or row["found"] <= MOST_EXACT or await has_index(connection):
            return False
        await connection.commit()
        await connection.set_autocommit(True)
        try:
            lock = await connection.execute("select pg_try_advisory_lock(hashtext(%s)) as got", (_INDEX,))
            got = await lock.fetchone()
            if got is None or not got["got"]:
                return False
            try:
                await connection.execute(sql.SQL("drop index if exists {}").format(sql.Identifier(_INDEX)))
                await connection.execute(
                    sql.SQL(
                        "create index concurrently {} on clip_vectors using hnsw"
                        " ((embedding::halfvec(768)) halfvec_cosine_ops) with (m = 16, ef_construction = 100)"
                    ).format(sql.Identifier(_INDEX))
                )
            finally:
                await connection.execute("select pg_advisory_unlock(hashtext(%s))", (_INDEX,))
        except (LockNotAvailable, Error) as error:
            _log.warning("the index of clips could not be made: %s", type(error).__name__)
            return False
        finally:
            await connection.set_autocommit(False)
    _log.info("made the index of clips")
    return True
