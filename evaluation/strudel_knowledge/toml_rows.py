"""Read the rows of a data set: the tables of one name in the TOML files of its folder under `data`."""

import tomllib
from pathlib import Path
from typing import Any

_DATA = Path(__file__).with_name("data")


def rows_of(data_set: str, table: str) -> list[dict[str, Any]]:
    """Return the tables `[[table]]` of a data set, file by file in alphabetical order."""
    files = sorted((_DATA / data_set).glob("*.toml"))
    return [row for file in files for row in tomllib.loads(file.read_text(encoding="utf-8"))[table]]
