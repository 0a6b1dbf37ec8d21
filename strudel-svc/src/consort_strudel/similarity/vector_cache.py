"""Keep the sentence vectors of texts that never change on disk, because a thousand of them take half a minute.

The file lies beside the model. It is read at once and replaced as a whole, so several processes may use it. If it
cannot be written, as in a container, the vectors are computed again by the next process.
"""

import hashlib
import os
from array import array
from pathlib import Path

_KEY_BYTES = 32


class VectorCache:
    def __init__(self, file: Path, dimensions: int) -> None:
        self._file = file
        self._bytes = 4 * dimensions
        self._vectors = self._read()
        self._is_changed = False

    def find(self, text: str) -> list[float] | None:
        """Return the vector of a text, or None if it is not kept."""
        found = self._vectors.get(_key(text))
        return None if found is None else array("f", found).tolist()

    def add(self, text: str, vector: list[float]) -> None:
        self._vectors[_key(text)] = array("f", vector).tobytes()
        self._is_changed = True

    def save(self) -> None:
        """Write the file, together with what other processes have added to it."""
        if not self._is_changed:
            return
        self._vectors = self._read() | self._vectors
        temporary = self._file.with_suffix(f".{os.getpid()}")
        try:
            temporary.write_bytes(b"".join(key + vector for key, vector in self._vectors.items()))
            temporary.replace(self._file)
        except OSError:
            temporary.unlink(missing_ok=True)
        self._is_changed = False

    def _read(self) -> dict[bytes, bytes]:
        try:
            content = self._file.read_bytes()
        except OSError:
            return {}
        size = _KEY_BYTES + self._bytes
        if len(content) % size:
            return {}
        rows = (content[start : start + size] for start in range(0, len(content), size))
        return {row[:_KEY_BYTES]: row[_KEY_BYTES:] for row in rows}


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
