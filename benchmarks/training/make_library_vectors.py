"""Make the sentence vectors of the clip library that come with Consort. Takes half a minute of CPU.

Run `.venv/bin/python -m benchmarks.training.make_library_vectors` after a change of the library, of `words_of` or of
the sentence model. A test fails if that was forgotten.
"""

import asyncio
from pathlib import Path

import consort_strudel.similarity
from consort_kit.sentence_model_folder import sentence_model_folder
from consort_strudel.clips.background import library_rows
from consort_strudel.engine import Engine
from consort_strudel.similarity.code.reading import read_snippets
from consort_strudel.similarity.embedder import STORED_TOKENS, text_of_clip
from consort_strudel.similarity.library_vectors import FILE, file_of
from consort_strudel.similarity.sentence_model import loading

_TARGET = Path(consort_strudel.similarity.__file__).with_name(FILE)


async def texts_of_library() -> list[str]:
    """Return the texts whose vectors a first start needs."""
    engine, rows = Engine(), library_rows()
    try:
        snippets = await read_snippets(engine, [row.code for row in rows])
    finally:
        await engine.close()
    return [text_of_clip(snippet, row.summary) for row, snippet in zip(rows, snippets, strict=True) if snippet]


def main() -> None:
    folder = sentence_model_folder()
    if not loading.has_model(folder):
        raise SystemExit("The sentence model is not installed: ./consort up installs it.")
    encode = loading.load_encoder(folder)
    vectors = {text: encode(text, STORED_TOKENS) for text in asyncio.run(texts_of_library())}
    _TARGET.write_bytes(file_of(loading.model_id_of(folder), vectors))
    print(f"{_TARGET.name}: {len(vectors)} vectors, {_TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
