"""The filters of a query as SQL.

Patterns on tags run over the table of all tags, which is small; the clips with the tags that match are then found by
an index. Patterns on texts come last, so that they run on few rows.
"""

import difflib
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from consort_kit.storage.postgres import Connection
from consort_strudel.clips.keys import key_in_one_spelling
from consort_strudel.clips.models.fields import TAG_LISTS, TAG_WORDS
from consort_strudel.clips.models.searches import ClipQuery
from consort_strudel.clips.tagging.vocabularies import SPELLINGS
from consort_strudel.limited_search import check_patterns

_TEXTS = {"name_pattern": "name", "description_pattern": "description", "code_pattern": "code"}
"""By the name of a filter: the column that its pattern runs on."""
_MOST_TAGS = 12
"""In a warning."""


@dataclass(frozen=True)
class Conditions:
    tags: sql.Composable
    """On columns that the tables of clips and of vectors both have."""
    texts: sql.Composable | None
    """Patterns on texts, which only the table of clips has."""
    values: list[Any]
    """Those of `tags` first."""
    is_empty: bool
    """Whether all clips meet them."""
    warnings: list[str]
    """About tags that no clip has."""

    @property
    def where(self) -> sql.Composable:
        """All of them, for the table of clips."""
        return self.tags if self.texts is None else sql.SQL("{} and {}").format(self.tags, self.texts)


async def conditions_of(connection: Connection, query: ClipQuery, field: str) -> Conditions:
    """Return the conditions of a query. Raise INVALID_PATTERN."""
    names = [*TAG_LISTS, *TAG_WORDS, *_TEXTS]
    patterns = {name: getattr(query, name) for name in names if getattr(query, name) is not None}
    await check_patterns(connection, patterns, field)
    parts: list[sql.Composable] = []
    values: list[Any] = []
    warnings: list[str] = []
    for kind in (*TAG_LISTS, *TAG_WORDS):
        if kind in patterns:
            test = "{} && %s" if kind in TAG_LISTS else "{} = any(%s)"
            parts.append(sql.SQL(test).format(sql.Identifier(kind)))
            matching = await _matching_tags(connection, kind, patterns[kind])
            values.append(matching)
            if not matching:
                warnings.append(await _no_such_tag(connection, kind, patterns[kind]))
    if query.requires_packs:
        parts.append(sql.SQL("requires_packs @> %s"))
        values.append(query.requires_packs)
    if query.key:
        parts.append(sql.SQL("key_name = %s"))
        values.append(key_in_one_spelling(query.key))
    if query.tempo_min is not None:
        parts.append(sql.SQL("tempo_max >= %s"))
        values.append(query.tempo_min)
    if query.tempo_max is not None:
        parts.append(sql.SQL("tempo_min <= %s"))
        values.append(query.tempo_max)
    given = [name for name in _TEXTS if name in patterns]
    texts = [sql.SQL("{} ~* %s").format(sql.Identifier(_TEXTS[name])) for name in given]
    values += [patterns[name] for name in given]
    return Conditions(
        sql.SQL(" and ").join(parts or [sql.SQL("true")]),
        sql.SQL(" and ").join(texts) if texts else None,
        values,
        not parts and not texts,
        warnings,
    )


async def _no_such_tag(connection: Connection, kind: str, pattern: str) -> str:
    """Return a warning that names similar tags, or the first ones."""
    found = await connection.execute("select tag from clip_tags where kind = %s order by tag limit 1000", (kind,))
    tags = [row["tag"] for row in await found.fetchall()]
    near = difflib.get_close_matches(pattern, tags, n=3) if len(tags) > _MOST_TAGS else []
    known = ", ".join(near or tags[:_MOST_TAGS])
    return f"No clip has the {kind} {pattern[:40]!r}." + (f" Some that there are: {known}." if known else "")


async def _matching_tags(connection: Connection, kind: str, pattern: str) -> list[str]:
    """Return the tags that match a pattern, or that are another spelling of a word that does."""
    groups = SPELLINGS.get(kind, ())
    spellings = sorted(frozenset().union(*groups))
    matching = await connection.execute(
        "select word from unnest(%s::text[]) word where word ~* %s", (spellings, pattern)
    )
    words = {row["word"] for row in await matching.fetchall()}
    same = sorted(frozenset().union(*(group for group in groups if group & words)))
    found = await connection.execute(
        "select tag from clip_tags where kind = %s and (tag ~* %s or lower(tag) = any(%s))", (kind, pattern, same)
    )
    return [row["tag"] for row in await found.fetchall()]
