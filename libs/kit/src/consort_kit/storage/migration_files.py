"""The migrations of a service: files named NNNN_name.sql in a package. Standard library only.

Beside them may be `blob_keys.sql`: queries for the keys of the blobs that rows refer to, for backups. A key that ends
with a slash means all blobs below it.
"""

import hashlib
import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from consort_kit import API_VERSION


class Migration(NamedTuple):
    number: int
    name: str
    text: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


class MadeByNewer(RuntimeError):
    """Raised if data have migrations that this Consort does not know."""


def migration_files(package: str) -> list[Migration]:
    """Return the migrations of a package, in order."""
    found = []
    folder = _folder(package)
    for entry in folder.iterdir() if folder.is_dir() else ():
        match = re.fullmatch(r"(\d{4})_\w+\.sql", entry.name)
        if match:
            found.append(Migration(int(match[1]), entry.name, entry.read_text(encoding="utf-8")))
    return sorted(found)


def blob_keys_queries(package: str) -> list[str]:
    """Return the queries for the keys of the service's blobs, one for each table that has some."""
    file = _folder(package) / "blob_keys.sql"
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    return [query for query in map(str.strip, text.split(";")) if query]


def _folder(package: str) -> Path:
    """Return the folder of a package without importing it: the launcher imports no service."""
    top, _, rest = package.partition(".")
    spec = find_spec(top)
    places = list(spec.submodule_search_locations or []) if spec else []
    return Path(places[0] if places else top, *rest.split("."))


def check_is_known(what: str, applied: Iterable[int], known: list[Migration]) -> None:
    """Raise MadeByNewer if a migration was applied that is not known. `what` begins the message: 'The database'."""
    newest = max(applied, default=0)
    if newest > (ours := known[-1].number if known else 0):
        raise MadeByNewer(
            f"{what} was made by a newer Consort: it has migration {newest}, and this Consort ({API_VERSION}) knows "
            f"{ours}. Nothing was changed. Install the newer Consort again, or restore a backup that was made before "
            "its update into an empty data folder."
        )
