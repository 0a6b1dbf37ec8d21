"""Find the clips nearest to a vector.

While there are few clips, or a filter that many do not meet, every vector is compared. Otherwise an HNSW index gives
candidates, which are compared exactly. There are two: one over whole vectors, and one over the half with the meaning,
for requests in words. Filters on tags read the columns beside the vector, so that no other table is needed.
"""

import logging
from typing import Any, NamedTuple

from psycopg import sql
from psycopg.errors import Error, LockNotAvailable

from consort_kit.storage.postgres import Connection, Database
from consort_strudel.clips.storage.conditions import Conditions
from consort_strudel.clips.storage.rows import COLUMNS, RankedClip
from consort_strudel.clips.storage.search import WORD_COLUMNS, ranked_clip
from consort_strudel.similarity.vectors import HALF

MOST_EXACT = 20_000
"""With more vectors than this there are indexes."""
MOST_FILTERED = 15_000
"""If about this many clips or fewer meet the filters, all of these are compared. The index would take as long, because
most of the clips that it visits do not meet them.
"""
_EF_SEARCH = 600
_MOST_EF_SEARCH = 1000
_CANDIDATES = 400
_MORE = 3
"""`_CANDIDATES`, or `_MORE` times as many as requested, are compared exactly, whichever is more."""
_BUILD_MEMORY = "512MB"
"""The graph of 100,000 clips needs 230 MB; in less memory, building it takes many times as long."""

_log = logging.getLogger("consort")


class _Index(NamedTuple):
    name: str
    columns: str
    """What the index is on: an expression whose type names the number of dimensions."""
    distance: str
    kind: str
    """The operator class of this distance."""
    query: str
    """The same part of the vector of the query."""


_WHOLE = _Index("clip_vectors_hnsw", "embedding", "<=>", "halfvec_cosine_ops", "%s::halfvec")
_MEANING = _Index(
    "clip_vectors_meaning",
    f"(subvector(embedding, 1, {HALF})::halfvec({HALF}))",
    "<#>",
    "halfvec_ip_ops",
    f"subvector(%s::halfvec, 1, {HALF})::halfvec({HALF})",
)
"""By the inner product, which orders clips as the cosine of whole vectors does if the query's other half is zero."""


class NearestClips(NamedTuple):
    clips: list[RankedClip]
    """Nearest first."""
    total: int | None
    """How many clips with a vector meet the conditions, if all were compared."""


def vector_text(vector: list[float]) -> str:
    """Return a vector as pgvector reads it."""
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"


async def nearest_clips(
    connection: Connection, vector: list[float], model_id: str, conditions: Conditions, count: int
) -> NearestClips:
    """Return the clips nearest to a vector, of those with a vector of this model.

    A vector of zeros, of code without anything to compare, is near to none.
    """
    if not any(vector):
        return NearestClips([], None)
    text = vector_text(vector)
    index = _MEANING if not any(vector[HALF:]) else _WHOLE
    if await has_index(connection, index) and await _meet_many(connection, conditions):
        ef_search = max(_EF_SEARCH, min(_MORE * count, _MOST_EF_SEARCH))
        await connection.execute(
            sql.SQL("set local hnsw.ef_search = {}; set local hnsw.iterative_scan = 'relaxed_order'").format(
                sql.Literal(ef_search)
            )
        )
        near, values = _indexed(index, text, model_id, conditions, count)
    else:
        near, values = _exact(text, model_id, conditions, count)
    query = sql.SQL(
        "{near} select {columns}, {words}, similarity, total from near join clips on clips.id = near.clip_id"
        " order by similarity desc, id"
    ).format(near=near, columns=sql.SQL(COLUMNS), words=WORD_COLUMNS)
    rows = await (await connection.execute(query, values)).fetchall()
    totals = [row.pop("total") for row in rows]
    return NearestClips([ranked_clip(row) for row in rows], totals[0] if totals else None)


def _exact(text: str, model_id: str, conditions: Conditions, count: int) -> tuple[sql.Composed, list[Any]]:
    near = sql.SQL(
        "with compared as materialized (select clip_id, 1 - (embedding <=> %s::halfvec) as similarity"
        " from clip_vectors where model_id = %s and {where}), near as materialized (select *, (select count(*) from"
        " compared) as total from compared order by similarity desc, clip_id limit %s)"
    ).format(where=_where(conditions))
    return near, [text, model_id, *conditions.values, count]


def _indexed(
    index: _Index, text: str, model_id: str, conditions: Conditions, count: int
) -> tuple[sql.Composed, list[Any]]:
    near = sql.SQL(
        "with candidates as materialized (select clip_id, embedding from clip_vectors where model_id = %s and {where}"
        f" order by {index.columns} {index.distance} {index.query} limit %s), near as materialized (select clip_id,"
        " 1 - (embedding <=> %s::halfvec) as similarity, null as total from candidates order by 2 desc, 1 limit %s)"
    ).format(where=_where(conditions))
    return near, [model_id, *conditions.values, text, max(_CANDIDATES, _MORE * count), text, count]


def _where(conditions: Conditions) -> sql.Composable:
    """Return the conditions for the table of vectors."""
    if conditions.texts is None:
        return conditions.tags
    return sql.SQL("{} and exists (select from clips where id = clip_id and {})").format(
        conditions.tags, conditions.texts
    )


async def _meet_many(connection: Connection, conditions: Conditions) -> bool:
    """Return whether enough clips meet the conditions to use the index. Uses the planner's estimate, counts nothing."""
    if conditions.is_empty:
        return True
    if conditions.texts is not None:
        return False
    query = sql.SQL("explain (format json) select from clip_vectors where {}").format(conditions.tags)
    row = await (await connection.execute(query, conditions.values)).fetchone()
    assert row is not None
    return bool(row["QUERY PLAN"][0]["Plan"]["Plan Rows"] > MOST_FILTERED)


async def has_index(connection: Connection, index: _Index = _WHOLE) -> bool:
    """Return whether an index is there and complete."""
    found = await connection.execute(
        "select from pg_index where indexrelid = to_regclass(%s) and indisvalid", (index.name,)
    )
    return bool(await found.fetchall())


async def keep_indexes(database: Database, most_exact: int = MOST_EXACT) -> int:
    """Make the indexes that are missing if there are more vectors than `most_exact`. Return how many were made.

    They are built beside the work of others; another process that builds them already is not disturbed.
    """
    made = 0
    async with database.pool.connection() as connection:
        found = await connection.execute(
            "select count(*) as found from (select from clip_vectors limit %s) as clips_found", (most_exact + 1,)
        )
        row = await found.fetchone()
        if row is None or row["found"] <= most_exact:
            return 0
        missing = [index for index in (_WHOLE, _MEANING) if not await has_index(connection, index)]
        await connection.commit()
        await connection.set_autocommit(True)
        try:
            for index in missing:
                made += await _make(connection, index)
        except (LockNotAvailable, Error) as error:
            _log.warning("the index of clips could not be made: %s", error)
        finally:
            await connection.execute("reset maintenance_work_mem; reset max_parallel_maintenance_workers")
            await connection.set_autocommit(False)
    return made


async def _make(connection: Connection, index: _Index) -> bool:
    """Make an index. Return False if another process does."""
    lock = await connection.execute("select pg_try_advisory_lock(hashtext(%s)) as got", (index.name,))
    got = await lock.fetchone()
    if got is None or not got["got"]:
        return False
    try:
        await connection.execute(
            sql.SQL("set maintenance_work_mem = {}; set max_parallel_maintenance_workers = 0").format(_BUILD_MEMORY)
        )
        await connection.execute(sql.SQL("drop index if exists {}").format(sql.Identifier(index.name)))
        await connection.execute(
            sql.SQL(
                f"create index concurrently {index.name} on clip_vectors using hnsw"
                f" ({index.columns} {index.kind}) with (m = 24, ef_construction = 200)"
            )
        )
    finally:
        await connection.execute("select pg_advisory_unlock(hashtext(%s))", (index.name,))
    _log.info("made the index %s", index.name)
    return True
