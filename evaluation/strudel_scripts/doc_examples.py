"""The examples in the doc comments of the installed npm packages. They are read from there, not copied."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGES = Path(__file__).parents[2] / "strudel-svc" / "engine" / "node_modules"
_COMMENT = re.compile(r"/\*\*(.*?)\*/(?=\s*(.{0,200}))", re.DOTALL)
_STAR = re.compile(r"^\s*\* ?")
_NAME = re.compile(r"@name\s+(\w+)")
_DEFINED = re.compile(
    r"(?:export\s+)?(?:"
    r"(?:const|let)\s+\{\s*(?P<first>\w+)"
    r"|(?:const|let|function\*?)\s+(?P<named>\w+)"
    r"|register\(\s*\[?\s*['\"](?P<registered>\w+)"
    r"|Pattern\.prototype\.(?P<method>\w+)"
    r"|(?P<member>\w+)\s*\()"
)


class DocExample(NamedTuple):
    function: str
    """What the comment is about."""
    code: str


@cache
def doc_examples() -> tuple[str, ...]:
    """Return all examples, in the order of the packages and files."""
    return tuple(example.code for example in examples_of_functions())


@cache
def examples_of_functions() -> tuple[DocExample, ...]:
    """Return all examples with the function that each explains; the name is empty if it cannot be told."""
    files = sorted(PACKAGES.glob("@strudel/*/*.mjs")) + sorted(PACKAGES.glob("superdough/*.mjs"))
    return tuple(example for file in files for example in _examples(file.read_text(encoding="utf-8")))


def _examples(source: str) -> Iterator[DocExample]:
    for found in _COMMENT.finditer(source):
        comment, following = found.groups()
        lines: list[str] | None = None
        for line in [*(_STAR.sub("", line) for line in comment.split("\n")), "@end"]:
            if line.lstrip().startswith("@"):
                if lines and "\n".join(lines).strip():
                    yield DocExample(_function(comment, following), "\n".join(lines).strip())
                lines = [] if line.lstrip().startswith("@example") else None
            elif lines is not None:
                lines.append(line)


def _function(comment: str, following: str) -> str:
    """Return the name that a comment states, or else that of the code that follows it, unless it is an internal one."""
    if named := _NAME.search(comment):
        return named[1]
    defined = _DEFINED.match(following)
    name = next(filter(None, defined.groups()), "") if defined else ""
    return "" if name.startswith("_") else name
