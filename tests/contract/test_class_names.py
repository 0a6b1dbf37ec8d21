"""Every class name is used once in the whole repository, including the tests."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from consort_cli.bootstrap import ROOT, packages

FOLDERS = [*packages(), "tests", "benchmarks", "evaluation"]


def class_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names of all classes and of the type aliases of a module."""
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        yield from (name.id for name in targets if isinstance(name, ast.Name) and is_camel_case(name.id))


def is_camel_case(name: str) -> bool:
    return name[0].isupper() and not name.isupper()


def test_every_class_name_is_unique() -> None:
    places = defaultdict(list)
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            if "node_modules" not in path.parts:
                for name in class_names(ast.parse(path.read_text(encoding="utf-8"))):
                    places[name].append(str(path.relative_to(ROOT)))
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
