"""Migrations of the tables of clips, on a database with clips of an older version."""

from importlib.resources import files

from psycopg import sql

from consort_strudel.clips.storage.vector_search import vector_text
from tests.support.strudel_clips import ClipServices

_OLD, _NEW = "0003_clips.sql", "0006_tags_beside_vectors.sql"


def _text(name: str) -> sql.SQL:
    return sql.SQL((files("consort_strudel.migrations") / name).read_text(encoding="utf-8"))


def test_tags_beside_vectors_are_filled(clips: ClipServices) -> None:
    vector = [round(number / 768, 5) for number in range(768)]

    async def migrate() -> dict[str, object]:
        async with clips.database.transaction() as connection:
            await connection.execute("create schema older; set local search_path = older, public")
            await connection.execute(_text(_OLD))
            await connection.execute(
                "insert into clips (id, name, code, genre, element, tempo_min, tempo_max, key_name, requires_packs)"
                " values ('clip_a', 'A', 's(\"bd\")', '{techno,house}', 'bass', 120, 130, 'C minor', '{github:a/b}'),"
                " ('clip_b', 'B', 's(\"sd\")', '{}', null, null, null, null, '{}')"
            )
            for name in ("clip_a", "clip_b"):
                await connection.execute(
                    "insert into clip_vectors values (%s, %s::vector, 'model')", (name, vector_text(vector))
                )
            await connection.execute("create index clip_vectors_hnsw on clip_vectors (model_id)")
            await connection.execute(_text(_NEW))
            found = await connection.execute(
                "select genre, element, tempo_min, tempo_max, key_name, requires_packs, model_id,"
                " embedding::real[] as embedding, to_regclass('clip_vectors_hnsw') as old_index,"
                " (select count(*) from clip_vectors where element is null) as without_element"
                " from clip_vectors where clip_id = 'clip_a'"
            )
            row = await found.fetchone()
            await connection.execute("drop schema older cascade")
        assert row is not None
        return row

    row = clips.run(migrate())
    embedding = row.pop("embedding")
    assert isinstance(embedding, list)
    assert max(abs(a - b) for a, b in zip(embedding, vector, strict=True)) < 0.001
    assert row == {
        "genre": ["techno", "house"],
        "element": "bass",
        "tempo_min": 120,
        "tempo_max": 130,
        "key_name": "C minor",
        "requires_packs": ["github:a/b"],
        "model_id": "model",
        "old_index": None,
        "without_element": 1,
    }
