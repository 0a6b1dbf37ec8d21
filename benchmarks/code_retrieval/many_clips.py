"""Fill the tables with many clips whose vectors are like those of the library.

A vector is a mixture of those of two clips, with noise in each half, so that neighbours are as close and as many as in
a large library of variations. Tags, tempo and texts are those of the first clip; names are numbered.
"""

from collections.abc import Iterator

import numpy as np
from psycopg import sql

from consort_kit.storage.postgres import Database
from consort_strudel.clips.storage.vector_search import vector_text
from consort_strudel.similarity.vectors import HALF

_SEED = 20261118
_MOST_OF_OTHER = 0.5
_NOISE = 0.25
"""The length of the noise, relative to the half that it is added to."""
_COPIED = (
    "description, code, genre, feeling, technique, instrument, complexity, element, tempo_min, tempo_max, key,"
    " key_name, requires_packs, words"
)
_FILTERED = "genre, feeling, technique, instrument, complexity, element, tempo_min, tempo_max, key_name, requires_packs"


async def add_clips(database: Database, count: int) -> None:
    """Add clips until there are `count`."""
    rows = await database.run("select clip_id, embedding::real[] as numbers, model_id from clip_vectors order by 1", ())
    names = [str(row["clip_id"]) for row in rows]
    vectors = np.array([row["numbers"] for row in rows])
    async with database.transaction() as connection:
        await connection.execute(
            "create temporary table made (id text, parent text, embedding public.halfvec(768)) on commit drop"
        )
        async with connection.cursor().copy("copy made from stdin") as copy:
            for number, (parent, vector) in enumerate(_mixtures(vectors, count - len(rows))):
                await copy.write_row((f"clip_made{number:020d}", names[parent], vector_text(vector.tolist())))
        await connection.execute(
            sql.SQL(
                "insert into clips (id, name, {columns}) select made.id, name || ' ' || right(made.id, 6), {columns}"
                " from made join clips on clips.id = made.parent"
            ).format(columns=sql.SQL(_COPIED))
        )
        await connection.execute(
            sql.SQL(
                "insert into clip_vectors (clip_id, embedding, model_id, {columns}) select made.id, made.embedding,"
                " model_id, {columns} from made join clip_vectors on clip_id = made.parent"
            ).format(columns=sql.SQL(_FILTERED))
        )
    async with database.pool.connection() as connection:
        await connection.set_autocommit(True)
        await connection.execute("vacuum analyze clips")
        await connection.execute("vacuum analyze clip_vectors")
        await connection.set_autocommit(False)


def _mixtures(vectors: np.ndarray, count: int) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the place of the first parent, and a vector of length 1."""
    chance = np.random.default_rng(_SEED)
    for _ in range(count):
        first, second = chance.integers(len(vectors), size=2)
        share = chance.uniform(0, _MOST_OF_OTHER)
        mixed = (1 - share) * vectors[first] + share * vectors[second]
        for half in (slice(0, HALF), slice(HALF, 2 * HALF)):
            noise = chance.normal(size=HALF)
            mixed[half] += noise * _NOISE * np.linalg.norm(mixed[half]) / np.linalg.norm(noise)
        yield int(first), mixed / np.linalg.norm(mixed)
