"""Find a name that is not used yet: `alto`, `alto 2`, `alto 3`."""

from collections.abc import Callable
from itertools import chain, count

_ROOM_FOR_NUMBER = 5


def unused_name(name: str, is_taken: Callable[[str], bool], longest: int = 1_000) -> str:
    """Return the name, or `name 2`, `name 3` … if it is taken. The result has at most `longest` characters."""
    numbered = (f"{name[: longest - _ROOM_FOR_NUMBER]} {number}" for number in count(2))
    return next(each for each in chain([name[:longest]], numbered) if not is_taken(each))
