"""Sentence vectors of the clip library that come with Consort, so that the first start computes none.

They were computed from our own texts with all-MiniLM-L6-v2 (Apache License 2.0, see NOTICE).

`library_vectors.bin` starts with a line that names the model. Each row after it has 16 bytes of the SHA-256 of a text
and its vector in half precision. After a change of the library, of the words for code or of the model, this command
makes it again: `.venv/bin/python -m benchmarks.training.make_library_vectors`. A text that is not in it is computed.
"""

import hashlib
import struct
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

FILE = "library_vectors.bin"
_KEY_BYTES = 16


class LibraryVectors:
    def __init__(self, content: bytes, model: str, dimensions: int) -> None:
        """Read the content of the file. It is used only if it was made by this model."""
        self._row = struct.Struct(f"<{dimensions}e")
        self._vectors: dict[bytes, bytes] = {}
        made_by, _, rows = content.partition(b"\n")
        size = _KEY_BYTES + self._row.size
        if made_by.decode() == model and len(rows) % size == 0:
            parts = (rows[start : start + size] for start in range(0, len(rows), size))
            self._vectors = {part[:_KEY_BYTES]: part[_KEY_BYTES:] for part in parts}

    def find(self, text: str) -> list[float] | None:
        """Return the vector of a text, or None if it is not there."""
        found = self._vectors.get(_key(text))
        return None if found is None else list(self._row.unpack(found))


def file_of(model: str, vectors: Mapping[str, Sequence[float]]) -> bytes:
    """Return the content of the file for texts and their vectors."""
    rows = sorted(_key(text) + struct.pack(f"<{len(vector)}e", *vector) for text, vector in vectors.items())
    return model.encode() + b"\n" + b"".join(rows)


@cache
def shipped_content() -> bytes:
    return (files(__package__) / FILE).read_bytes()


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:_KEY_BYTES]
