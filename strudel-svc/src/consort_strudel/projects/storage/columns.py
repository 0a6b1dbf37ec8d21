"""Pieces of SQL that several statements share."""

from psycopg import sql

RESTORABLE_DAYS = 30

COLUMNS = sql.SQL(
    "projects.id, name, description, tempo, key, tags, genre, data, beats_per_cycle, projects.version,"
    " projects.created_at, modified_at, deleted_at, line_count, cpm, detected_key, packs_used"
)
WITH_VERSION = sql.SQL("projects join project_versions v on v.project_id = projects.id and v.version = ")
CURRENT = sql.SQL("projects.version")
RESTORABLE = sql.SQL("deleted_at > clock_timestamp() - make_interval(days => {})").format(sql.Literal(RESTORABLE_DAYS))
