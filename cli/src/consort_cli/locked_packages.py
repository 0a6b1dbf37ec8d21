"""The packages that Consort installs, as its locks name them: Python packages, models, and npm packages of Strudel."""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from urllib.parse import quote

from consort_cli import bootstrap, listening_models, sentence_model

PYTHON_LOCKS = (bootstrap.RUNTIME_LOCK, bootstrap.BOOTSTRAP_LOCK, listening_models.LOCK, sentence_model.LOCK)
NPM_LOCK = "strudel-svc/engine/package-lock.json"
_PINNED = re.compile(r"([A-Za-z0-9._-]+)==([^ ;\\]+)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True)
class LockedPackage:
    kind: str
    """`pypi` or `npm`."""
    name: str
    version: str
    hashes: tuple[tuple[str, str], ...]
    """Algorithm, as CycloneDX names it, and hexadecimal checksum of each file that may be installed."""
    licence: str | None
    lock: str
    """The file that names it."""

    @property
    def purl(self) -> str:
        """The package's name for databases (package URL)."""
        name = quote(self.name.lower().replace("_", "-") if self.kind == "pypi" else self.name, safe="/")
        return f"pkg:{self.kind}/{name}@{quote(self.version, safe='')}"


def locked_packages(root: Path = bootstrap.ROOT) -> list[LockedPackage]:
    """Return every package once, in the order of package URLs."""
    found: dict[str, LockedPackage] = {}
    for lock in PYTHON_LOCKS:
        for package in _python_packages(root / lock, lock):
            found.setdefault(package.purl, package)
    for package in _npm_packages(root / NPM_LOCK):
        found.setdefault(package.purl, package)
    return [found[purl] for purl in sorted(found)]


def _python_packages(path: Path, lock: str) -> Iterator[LockedPackage]:
    for requirement in path.read_text().replace("\\\n", " ").splitlines():
        if match := _PINNED.match(requirement):
            name, version = match.groups()
            hashes = tuple(("SHA-256", checksum) for checksum in _HASH.findall(requirement))
            yield LockedPackage("pypi", name, version, hashes, _python_licence(name), lock)


def _python_licence(name: str) -> str | None:
    """Return the licence that an installed package declares."""
    try:
        declared = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    text = next((declared[field] for field in ("License-Expression", "License") if field in declared), "")
    if text and "\n" not in text and len(text) <= 100:
        return text
    classifiers = declared.get_all("Classifier") or []
    named = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    return ", ".join(named) or None


def _npm_packages(path: Path) -> Iterator[LockedPackage]:
    for place, package in json.loads(path.read_text())["packages"].items():
        if not place or package.get("dev") or package.get("link"):
            continue
        name = package.get("name") or place.rpartition("node_modules/")[2]
        algorithm, _, checksum = package.get("integrity", "").partition("-")
        hashes = (("SHA-512", base64.b64decode(checksum).hex()),) if algorithm == "sha512" else ()
        yield LockedPackage("npm", name, package["version"], hashes, package.get("license"), NPM_LOCK)
