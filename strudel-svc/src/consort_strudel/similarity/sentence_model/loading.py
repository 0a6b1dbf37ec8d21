"""Load a sentence model from a folder: `config.json`, `vocab.txt` and `model.safetensors`."""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

CONFIG, VOCABULARY, WEIGHTS = "config.json", "vocab.txt", "model.safetensors"
MODEL_FILES = (CONFIG, VOCABULARY, WEIGHTS)
EncodeText = Callable[[str, int], list[float]]
"""Takes a text and the most tokens to read of it. Returns a vector of length 1."""


def has_model(folder: Path) -> bool:
    return all((folder / name).is_file() for name in MODEL_FILES)


def model_id_of(folder: Path) -> str:
    """Return a name for the model that changes when its files do. Reads only the small files and the size."""
    digest = hashlib.sha256((folder / CONFIG).read_bytes() + (folder / VOCABULARY).read_bytes())
    digest.update(str((folder / WEIGHTS).stat().st_size).encode())
    return f"{folder.name}-{digest.hexdigest()[:12]}"


def dimensions_of(folder: Path) -> int:
    return int(json.loads((folder / CONFIG).read_text(encoding="utf-8"))["hidden_size"])


def load_encoder(folder: Path) -> EncodeText:
    """Return a function that turns a text into a vector. Raise UnusableModel. Imports numpy."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy must not take all cores
    from consort_strudel.similarity.sentence_model.bert import BertEncoder
    from consort_strudel.similarity.sentence_model.tensor_file import read_tensors
    from consort_strudel.similarity.sentence_model.word_pieces import WordPieces

    pieces = WordPieces((folder / VOCABULARY).read_text(encoding="utf-8").splitlines())
    network = BertEncoder(read_tensors(folder / WEIGHTS), json.loads((folder / CONFIG).read_text(encoding="utf-8")))

    def encode(text: str, most_tokens: int) -> list[float]:
        tokens = pieces.numbers(text, min(most_tokens, network.most_tokens))
        numbers: list[float] = network.encode(tokens).tolist()
        return numbers

    return encode
