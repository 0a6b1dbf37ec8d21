"""The examples in the doc comments of the installed npm packages. They are read from there, not copied."""

import re
from functools import cache
from pathlib import Path

PACKAGES = Path(__file__).parents[2] / "strudel-svc" / "engine" / "node_modules"
_COMMENT = re.compile(r"/\*\*(.*?)\*/", re.DOTALL)
_STAR = re.compile(r"^\s*\* ?")


@cache
def doc_examples() -> tuple[str, ...]:
    """Return all examples, in the order of the packages and files."""
    files = sorted(PACKAGES.glob("@strudel/*/*.mjs")) + sorted(PACKAGES.glob("superdough/*.mjs"))
    return tuple(example for file in files for example in _examples(file.read_text(encoding="utf-8")))


def _examples(source: str) -> list[str]:
    found = []
    for comment in _COMMENT.findall(source):
        lines: list[str] | None = None
        for line in [*(_STAR.sub("", line) for line in comment.split("\n")), "@end"]:
            if line.lstrip().startswith("@"):
                if lines and "\n".join(lines).strip():
                    found.append("\n".join(lines).strip())
                lines = [] if line.lstrip().startswith("@example") else None
            elif lines is not None:
                lines.append(line)
    return found
