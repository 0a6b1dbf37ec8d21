"""Packages do not import each other in a cycle, neither directly nor through other packages."""

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.imports import imported_names

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for path in ROOT.glob("**/src/consort_*") if ".venv" not in path.parts)


def imports_among_children(sources: list[Path]) -> dict[str, dict[str, set[str]]]:
    """Return the imports between the direct children (packages and modules) of each package.

    `result["a"]["x"]` contains "b" if any module in `a.x` imports `a.b` or anything inside it.
    """
    children: dict[str, dict[str, set[str]]] = {}
    for source in sources:
        for path in source.glob("**/*.py"):
            parts = path.relative_to(source.parent).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            module = ".".join(parts[:-1] if is_package else parts)
            package = module if is_package else module.rpartition(".")[0]
            for imported in imported_names(path, package):
                ours, theirs = module.split("."), imported.split(".")
                shared = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), len(ours))
                if (
                    shared < min(len(ours), len(theirs))
                    and ours[0].startswith("consort_")
                    and theirs[0].startswith("consort_")
                ):
                    parent = ".".join(ours[:shared])
                    children.setdefault(parent, {}).setdefault(ours[shared], set()).add(theirs[shared])
    return children


def cycle(imports: dict[str, set[str]]) -> list[str]:
    """Return the names on a cycle of imports, or an empty list if there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_package_imports_itself_through_others() -> None:
    found = imports_among_children(SOURCES)
    assert "composer" in found["consort_compose"], "the imports of a package that has some were not found"
    assert {package: names for package, imports in found.items() if (names := cycle(imports))} == {}


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ("from consort_x.b.deep import y", "import consort_x.a.z", {"a", "b"}),
        ("from ..b import y", "def f():\n    from consort_x import a", {"a", "b"}),
        ("from consort_x.b.deep import y", "import consort_x.c", set()),
    ],
)
def test_a_planted_cycle_is_found(tmp_path: Path, first: str, second: str, names: set[str]) -> None:
    for package, text in {"a": first, "b": second}.items():
        (tmp_path / "consort_x" / package).mkdir(parents=True)
        (tmp_path / "consort_x" / package / "module.py").write_text(text)
    assert set(cycle(imports_among_children([tmp_path / "consort_x"]).get("consort_x", {}))) == names
