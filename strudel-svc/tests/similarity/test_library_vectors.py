"""The sentence vectors that come with Consort belong to the clip library and to the sentence model."""

import pytest

from consort_kit.sentence_model_folder import sentence_model_folder
from consort_strudel.clips.background import library_rows
from consort_strudel.engine import Engine
from consort_strudel.similarity.code.reading import Snippet, read_snippets
from consort_strudel.similarity.embedder import STORED_TOKENS, text_of_clip
from consort_strudel.similarity.library_vectors import LibraryVectors, file_of, shipped_content
from consort_strudel.similarity.sentence_model import loading
from consort_strudel.similarity.vectors import HALF
from tests.support.strudel_engine import RunningEngine


@pytest.fixture(scope="module")
def texts(engine: RunningEngine) -> list[str]:
    rows = library_rows()

    async def read(engine: Engine) -> list[Snippet | None]:
        return await read_snippets(engine, [row.code for row in rows])

    return [text_of_clip(snippet, row.summary) for row, snippet in zip(rows, engine.run(read), strict=True) if snippet]


def test_every_clip_of_the_library_has_its_vector(texts: list[str]) -> None:
    """After a change of the library run `python -m benchmarks.training.make_library_vectors`."""
    vectors = LibraryVectors(shipped_content(), loading.model_id_of(sentence_model_folder()), HALF)
    assert len(texts) == len(library_rows())
    assert [text for text in texts if vectors.find(text) is None] == []


def test_they_are_those_of_the_model(texts: list[str]) -> None:
    folder = sentence_model_folder()
    vectors, encode = LibraryVectors(shipped_content(), loading.model_id_of(folder), HALF), loading.load_encoder(folder)
    for text in texts[::200]:
        assert vectors.find(text) == pytest.approx(encode(text, STORED_TOKENS), abs=2e-4)


def test_vectors_of_another_model_are_not_used() -> None:
    content = file_of("one", {"a text": [0.5, -0.25]})
    assert LibraryVectors(content, "one", 2).find("a text") == [0.5, -0.25]
    assert LibraryVectors(content, "one", 2).find("another text") is None
    assert LibraryVectors(content, "two", 2).find("a text") is None
