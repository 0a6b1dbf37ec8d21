"""Names of files that nobody named: after the music, and with a number only where two would be alike."""

from collections.abc import Collection
from itertools import count
from pathlib import PurePosixPath

from consort_kit.sandbox import MAX_NAME_BYTES

UNTITLED = "untitled.mid"


def first_free(name: str, taken: Collection[str]) -> str:
    """The name, or `name 2`, `name 3` … if it is taken; names that differ only in case count as one."""
    known = {each.casefold() for each in taken}
    path = PurePosixPath(name)
    tries = (fitting(path.stem, f"{f' {number}' if number > 1 else ''}{path.suffix}") for number in count(1))
    return next(each for each in tries if each.casefold() not in known)


def fitting(stem: str, rest: str) -> str:
    """Join both, with the stem cut so that the name is not too long."""
    return cut(stem, MAX_NAME_BYTES - len(rest.encode())) + rest


def cut(text: str, size: int) -> str:
    return text.encode()[:size].decode(errors="ignore")


def with_suffix(name: str) -> str:
    """Add `.mid` to a name without a suffix."""
    return name if PurePosixPath(name).suffix else f"{name}.mid"
