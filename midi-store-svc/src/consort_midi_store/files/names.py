"""Make names of stored files: find a free one, shorten it, and add `.mid` if it has no suffix.

`writer` decides what happens if a name is taken.
"""

from collections.abc import Collection
from itertools import count
from pathlib import PurePosixPath

from consort_kit.storage.file_names import MAX_NAME_BYTES

UNTITLED = "untitled.mid"


def first_free_name(stem: str, label: str, suffix: str, taken: Collection[str]) -> str:
    """Return stem + label + suffix. If that name is in `taken`, add 2, 3 … after the label.

    The stem is shortened if the name would be too long. Names that differ only in upper and lower case are the same.
    """
    known = {each.casefold() for each in taken}
    tries = (_joined(stem, f"{label}{f' {number}' if number > 1 else ''}{suffix}") for number in count(1))
    return next(each for each in tries if each.casefold() not in known)


def _joined(stem: str, rest: str) -> str:
    return cut_to_bytes(stem, MAX_NAME_BYTES - len(rest.encode())) + rest


def cut_to_bytes(text: str, size: int) -> str:
    """Shorten a text to at most `size` bytes of UTF-8."""
    return text.encode()[:size].decode(errors="ignore")


def with_suffix(name: str) -> str:
    """Return the name, with `.mid` added if it has no suffix."""
    return name if PurePosixPath(name).suffix else f"{name}.mid"
