"""Search projects by the filters of list_projects.

Patterns of callers run in Postgres, which can stop them: a search has a time limit.
"""

from typing import Any

from psycopg import sql

from consort_kit.storage.postgres import Connection, Database
from consort_strudel.limited_search import check_patterns, limited_search
from consort_strudel.projects.models.projects import ListProjects, ProjectFilters
from consort_strudel.projects.storage.columns import BEATS, COLUMNS, CURRENT, RESTORABLE, WITH_VERSION
from consort_strudel.projects.storage.rows import ProjectPage, ProjectRow

_TEMPO = sql.SQL("coalesce(tempo, cpm * {})").format(BEATS)
_ORDER = {
    "modified": sql.SQL("modified_at"),
    "created": sql.SQL("projects.created_at"),
    "name": sql.SQL("name_key"),
    "tempo": _TEMPO,
}
_LIMITS = {
    "created_after": sql.SQL("projects.created_at >= %s"),
    "created_before": sql.SQL("projects.created_at < %s"),
    "modified_after": sql.SQL("modified_at >= %s"),
    "modified_before": sql.SQL("modified_at < %s"),
    "tempo_min": sql.SQL("{} >= %s").format(_TEMPO),
    "tempo_max": sql.SQL("{} <= %s").format(_TEMPO),
    "genre": sql.SQL("lower(genre) = lower(%s)"),
    "name_pattern": sql.SQL("name ~* %s"),
    "description_pattern": sql.SQL("description ~* %s"),
}
"""By the name of a filter: its condition."""


async def search(database: Database, request: ListProjects) -> ProjectPage:
    """Return a page of projects. Raise INVALID_PATTERN or PATTERN_TOO_SLOW."""
    conditions, values = _conditions(request.filters)
    kept = RESTORABLE if request.filters.deleted else sql.SQL("deleted_at is null")
    where = sql.SQL(" and ").join([kept, *conditions])
    query = sql.SQL(
        "select {columns}, count(*) over () as found from {table}{current} where {where}"
        " order by {order} {direction} nulls last, projects.id limit %s offset %s"
    ).format(
        columns=COLUMNS,
        table=WITH_VERSION,
        current=CURRENT,
        where=where,
        order=_ORDER[request.sort_by],
        direction=sql.SQL("asc" if request.sort_order == "asc" else "desc"),
    )
    names = ("name_pattern", "description_pattern")
    given = {name: getattr(request.filters, name) for name in names}
    patterns = {name: pattern for name, pattern in given.items() if pattern is not None}
    async with limited_search(database, "filters") as connection:
        await check_patterns(connection, patterns, "filters")
        rows = await (await connection.execute(query, (*values, request.limit, request.offset))).fetchall()
        total = await _count(connection, kept)
        found = rows[0]["found"] if rows else await _count(connection, where, values)
    for row in rows:
        del row["found"]
    return ProjectPage([ProjectRow(**row) for row in rows], total, found)


def _conditions(filters: ProjectFilters) -> tuple[list[sql.Composable], list[Any]]:
    """Return the conditions of the filters that are given, and the values of their placeholders.

    Patterns come last, so that they run on few rows.
    """
    given = [(name, getattr(filters, name)) for name in _LIMITS if getattr(filters, name) is not None]
    conditions: list[sql.Composable] = [_LIMITS[name] for name, _ in given]
    values: list[Any] = [value for _, value in given]
    if filters.tags:
        conditions.insert(0, sql.SQL("exists (select from unnest(tags) tag where lower(tag) = any(%s))"))
        values.insert(0, [tag.lower() for tag in filters.tags])
    return conditions, values


async def _count(connection: Connection, where: sql.Composable, values: list[Any] | None = None) -> int:
    query = sql.SQL("select count(*) as found from {}{} where {}").format(WITH_VERSION, CURRENT, where)
    row = await (await connection.execute(query, values or [])).fetchone()
    assert row is not None
    return int(row["found"])
