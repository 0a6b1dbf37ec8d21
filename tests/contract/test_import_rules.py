"""Packages import only allowed packages, and tests use only public names."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from consort_cli import bootstrap
from tests.support.imports import imported_names

ROOT = bootstrap.ROOT
SERVICE_TESTS = [
    f"{folder}/tests" for folder in bootstrap.packages() if folder != "cli" and (ROOT / folder / "tests").is_dir()
]
FORBIDDEN = {
    "evaluation": ("tests", "benchmarks"),
    "benchmarks": ("tests",),
    "tests": ("benchmarks",),
    **{folder: ("benchmarks",) for folder in SERVICE_TESTS},
}
"""The top-level packages that the modules of a folder must not import. Only `cli/tests` tests the benchmark report."""
NAMED_TUPLE_METHODS = {"_replace", "_asdict", "_fields", "_make"}


def sources(folder: str) -> list[Path]:
    found = sorted(path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts)
    assert found, f"{folder} has no Python files"
    return found


def used_names(path: Path) -> Iterator[str]:
    """Yield the imported names, the attributes of other objects, and the names that `setattr` replaces."""
    yield from imported_names(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) not in ("self", "cls"):
            yield node.attr
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setattr"):
            yield from (
                part.value for part in node.args[:2] if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )


def is_private(name: str) -> bool:
    return any(
        part.startswith("_") and not part.endswith("__") and part not in NAMED_TUPLE_METHODS for part in name.split(".")
    )


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_folder_imports_no_forbidden_package(folder: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(folder)
        for name in imported_names(path)
        if name.split(".")[0] in FORBIDDEN[folder] or (folder != "tests" and ".tests." in name)
    ]
    assert wrong == []


@pytest.mark.parametrize("folder", ["tests", "cli/tests", "benchmarks", "evaluation", *SERVICE_TESTS])
def test_no_private_name_is_used(folder: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} uses {name}"
        for path in sources(folder)
        for name in used_names(path)
        if is_private(name)
    ]
    assert wrong == []


def test_private_names_are_recognised(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text("from a._b import c\nd._e()\nmonkeypatch.setattr(f, '_g', 1)\nself._own = note._replace(h=2)\n")
    assert {name for name in used_names(source) if is_private(name)} == {"a._b.c", "_e", "_g"}
    assert not is_private("consort_gateway.__main__") and not is_private("consort_music.score.Note")
