"""Pieces of SQL that several statements share."""

from psycopg import sql

from consort_strudel.structure import BEATS_PER_CYCLE

RESTORABLE_DAYS = 30

COLUMNS = sql.SQL(
    "projects.id, name, description, tempo, key, tags, genre, data, projects.version,"
    " projects.created_at, modified_at, deleted_at, line_count, cpm, detected_key, packs_used, script_beats"
)
WITH_VERSION = sql.SQL("projects join project_versions v on v.project_id = projects.id and v.version = ")
CURRENT = sql.SQL("projects.version")
BEATS = sql.SQL("coalesce((data ->> 'beats_per_cycle')::double precision, script_beats, {})").format(BEATS_PER_CYCLE)
RESTORABLE = sql.SQL("deleted_at > clock_timestamp() - make_interval(days => {})").format(sql.Literal(RESTORABLE_DAYS))
