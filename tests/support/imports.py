"""Find out which modules a file imports, and which modules an import loads in a new process."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

HEAVY_PACKAGES = {"asyncio", "fastapi", "httpx2", "numpy", "obstore", "psycopg", "pydantic", "starlette"}
"""Packages that a child process should not import, because they would slow down each start of a child."""


def imported_names(path: Path, package: str | None = None) -> Iterator[str]:
    """Yield the full name of each module or name that a file imports: `a.b.c` for `from a.b import c`.

    Imports inside functions count; code in strings does not. Relative imports are resolved if `package`, the package
    of the file, is given; otherwise they keep their dots.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            if node.level and package is not None:
                parents = package.split(".")
                base = ".".join([*parents[: len(parents) - node.level + 1], *filter(None, [node.module])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def modules_loaded_by(module: str) -> set[str]:
    """Return the names of all modules that are loaded after a new Python process has imported `module`."""
    script = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", script], check=True, capture_output=True, text=True)
    return set(done.stdout.split())
