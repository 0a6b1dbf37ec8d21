"""Turn snippets and texts into vectors of 768 numbers.

The model is the one in the sentence model folder: MiniLM by default, whose 384 numbers are joined with 384 for the
code, or any other BERT model with 384 or 768 numbers. One with 768 stands alone. Without a model, code still has its
half, and text has no vector. `model_id` changes with the model, and is kept with each stored vector: only vectors with
the same one can be compared.
"""

import asyncio
import logging
import os
import sys
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock, get_native_id
from typing import Literal

from consort_kit.sentence_model_folder import sentence_model_folder
from consort_strudel.similarity.code.features import features_of
from consort_strudel.similarity.code.plain_words import words_of
from consort_strudel.similarity.code.reading import Snippet
from consort_strudel.similarity.library_vectors import LibraryVectors, shipped_content
from consort_strudel.similarity.sentence_model import loading
from consort_strudel.similarity.vector_cache import VectorCache
from consort_strudel.similarity.vectors import DIMENSIONS, HALF, TEXT_SCALE, hashed, joined

CODE_ID = "code-2"
"""Names how the half for the code is made. Change it together with the features."""
QUERY_TOKENS = 48
"""A query must be fast; most are shorter."""
STORED_TOKENS = 128
_KEPT = 512
_LOW_PRIORITY = 15
_CACHE_FILE = "vectors.cache"

TextLength = Literal["query", "stored"]
_log = logging.getLogger("consort")


def text_of_clip(snippet: Snippet, description: str) -> str:
    """Return what the sentence model reads of a clip."""
    return f"{description} {words_of(snippet)}"


def _lower_priority() -> None:
    """Let other threads go first, on systems where each thread has a priority (Linux)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, get_native_id(), _LOW_PRIORITY)


class Embedder:
    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or sentence_model_folder()
        self._encoder: loading.EncodeText | None = None
        self._loading = Lock()
        self._background = ThreadPoolExecutor(1, "embedder", _lower_priority)
        """For what is stored: many clips take minutes, and requests come first."""
        self._recent: OrderedDict[tuple[TextLength, str], list[float]] = OrderedDict()
        self._cache: VectorCache | None = None
        self._shipped: LibraryVectors | None = None
        self._dimensions = 0
        self.model_id = CODE_ID
        self._choose_model()

    @property
    def has_model(self) -> bool:
        """Whether words can be compared by their meaning."""
        return self._dimensions > 0

    @property
    def text_scale(self) -> float:
        """What the cosine of a text and a snippet is multiplied with, so that 1 means equal."""
        return TEXT_SCALE if self._dimensions == HALF else 1.0

    def _choose_model(self) -> None:
        """Use the model in the folder if there is one that can be used."""
        if not loading.has_model(self._folder):
            return
        try:
            dimensions = loading.dimensions_of(self._folder)
        except (OSError, ValueError, KeyError):
            dimensions = 0
        if dimensions not in (HALF, DIMENSIONS):
            _log.warning("the sentence model in %s has neither %d nor %d numbers", self._folder.name, HALF, DIMENSIONS)
            return
        self._dimensions = dimensions
        name = loading.model_id_of(self._folder)
        self.model_id = f"{name}+{CODE_ID}" if dimensions == HALF else name

    async def vector_of_text(self, text: str) -> list[float] | None:
        """Return the vector of a musician's words, or None without a model."""
        meaning = await self._meaning(text, "query")
        if meaning is None or self._dimensions == DIMENSIONS:
            return meaning
        return joined(meaning, None)

    async def vector_of_query(self, snippet: Snippet) -> list[float]:
        """Return the vector of a snippet that others are compared with."""
        return await self._vector(snippet, words_of(snippet), "query")

    async def vector_of_clip(self, snippet: Snippet, description: str) -> list[float]:
        """Return the vector of a snippet that is kept, together with what is said about it."""
        return await self._vector(snippet, text_of_clip(snippet, description), "stored")

    async def meaning_of(self, text: str) -> list[float] | None:
        """Return the sentence vector of a text that never changes: one that came with Consort, or from the cache."""
        if not self.has_model:
            return None
        if self._shipped is None:
            self._shipped = LibraryVectors(shipped_content(), loading.model_id_of(self._folder), self._dimensions)
        if shipped := self._shipped.find(text):
            return shipped
        cache = self._opened_cache()
        found = cache.find(text)
        if found is None:
            found = await self._meaning(text, "stored")
            assert found is not None
            cache.add(text, found)
        return found

    def save_cache(self) -> None:
        if self._cache is not None:
            self._cache.save()

    async def _vector(self, snippet: Snippet, words: str, length: TextLength) -> list[float]:
        if self._dimensions == DIMENSIONS:
            whole = await self._meaning(f"{words}. {snippet.code}", length)
            assert whole is not None
            return whole
        meaning = await self._meaning(words, length) if length == "query" else await self.meaning_of(words)
        return joined(meaning, hashed(features_of(snippet)))

    async def _meaning(self, text: str, length: TextLength) -> list[float] | None:
        if not self.has_model:
            return None
        key = (length, text)
        if key in self._recent:
            self._recent.move_to_end(key)
            return self._recent[key]
        threads = self._background if length == "stored" else None
        found = self._recent[key] = await asyncio.get_running_loop().run_in_executor(
            threads, self._encode, text, length
        )
        if len(self._recent) > _KEPT:
            self._recent.popitem(last=False)
        return found

    def _encode(self, text: str, length: TextLength) -> list[float]:
        with self._loading:
            encode = self._encoder = self._encoder or loading.load_encoder(self._folder)
        return encode(text, QUERY_TOKENS if length == "query" else STORED_TOKENS)

    def _opened_cache(self) -> VectorCache:
        if self._cache is None:
            self._cache = VectorCache(self._folder / _CACHE_FILE, self._dimensions)
        return self._cache
