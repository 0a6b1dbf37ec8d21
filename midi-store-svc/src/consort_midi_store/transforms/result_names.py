"""Make names for transformed files, if the caller gave none."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from consort_kit.storage.file_names import name_from_title
from consort_midi_store.files.names import UNTITLED, cut_to_bytes, first_free_name
from consort_midi_store.transforms.operation_parameters import OperationParameters
from consort_music.midi.file_names import title_from_name

MAX_LABEL_BYTES = 100
_PARTICIPLES = {
    "transpose": "transposed",
    "quantize": "quantized",
    "swing": "swung",
    "humanize": "humanized",
    "trim": "trimmed",
    "cut": "shortened",
    "merge": "merged",
}
"""The word that is added to the name if all operations have this type. Otherwise `edited` is added."""


def result_name(source: str | None, operations: Sequence[OperationParameters]) -> str:
    """Return the name of the source with a word for the change, or without it after a split."""
    types = {operation.type for operation in operations}
    word = "" if "split" in types else " edited"
    if len(types) == 1:
        word = f" {_PARTICIPLES[types.pop()]}" if types <= _PARTICIPLES.keys() else word
    title = title_from_name(source or UNTITLED)
    return name_from_title(title.removesuffix(word) + word, ".mid")


def names_with_labels(name: str, labels: Sequence[str | None]) -> list[str]:
    """Return a different name for each resulting file. After a split, the label is added to each name."""
    if len(labels) == 1:
        return [name]
    path = PurePosixPath(name)
    names: list[str] = []
    for label in labels:
        names.append(first_free_name(path.stem, f" - {_allowed_label(label)}", path.suffix, names))
    return names


def _allowed_label(label: str | None) -> str:
    """Return the label, shortened and without characters that are not allowed in a file name."""
    kept = "".join(letter if letter.isalnum() or letter in " ._-#()" else "_" for letter in label or "part")
    return cut_to_bytes(kept.strip(" ."), MAX_LABEL_BYTES).strip(" .") or "part"
