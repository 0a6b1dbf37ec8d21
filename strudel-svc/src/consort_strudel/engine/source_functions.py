"""What the sources of the pinned packages say about each function, read when the engine was bundled.

`strudel-svc/engine/src/build/read_functions.mjs` writes it to `dist/functions.json`.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from consort_strudel.engine.engine import DEFAULT_FOLDER
from consort_strudel.engine.worker import not_installed


@dataclass(frozen=True)
class SourceFunction:
    name: str
    aliases: tuple[str, ...]
    parameters: tuple[str, ...]
    """`name`, `name=` with a default, `...name` for the rest."""
    kind: Literal["control", "method", "function", "value"]
    file: str
    """`package/file.mjs`."""


@dataclass(frozen=True)
class EngineSources:
    functions: tuple[SourceFunction, ...]
    """Every function that the sources define, also those that no script can name."""
    documented: frozenset[str]
    """Names that the sources describe for Strudel's own reference."""


def engine_sources(engine_folder: Path = DEFAULT_FOLDER) -> EngineSources:
    path = engine_folder / "dist" / "functions.json"
    if not path.is_file():
        raise not_installed()
    content = json.loads(path.read_text("utf-8"))
    return EngineSources(tuple(map(_function, content["functions"])), frozenset(content["documented"]))


def _function(row: dict[str, Any]) -> SourceFunction:
    return SourceFunction(**{**row, "aliases": tuple(row["aliases"]), "parameters": tuple(row["parameters"])})
