"""Download a sample pack into the data folder, for users who are online.

A pack is a map of names to files in a repository on GitHub. GitHub's list of a repository's files has the checksum of
each file (that of git), so that every file is checked. Files that are complete are not downloaded again, and a file
that was interrupted is continued where it ended. The description is written last: until then the library does not have
the pack.
"""

import hashlib
import json
import os
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from consort_strudel.packs import KnownPack
from consort_strudel.sounds.folders import DESCRIPTION_FILE
from consort_strudel.sounds.library import PACKS

RAW, API = "https://raw.githubusercontent.com", "https://api.github.com"
AT_ONCE = 6
_TIMEOUT_S = 30
_MOST_BYTES = 4 * 2**30
_PIECE = 1 << 18
_AUDIO = (".wav", ".flac", ".ogg", ".mp3", ".aif", ".aiff", ".m4a")

FetchProgress = Callable[[int, int], None]
"""Is called with the files that are done and the number of all files."""


class PackProblem(Exception):
    """The pack cannot be fetched."""


@dataclass(frozen=True)
class Addresses:
    """Where files and lists of files are."""

    raw: str = RAW
    api: str = API


@dataclass(frozen=True)
class RemoteFile:
    repository: str
    """OWNER/NAME/REFERENCE."""
    path: str

    @property
    def local(self) -> str:
        """The path in the folder of the pack."""
        return f"{self.repository.partition('/')[2].partition('/')[0]}/{self.path}"


@dataclass(frozen=True)
class KnownFile:
    checksum: str
    """The SHA-1 of git."""
    size: int


def fetch_pack(pack: KnownPack, folder: Path, report: FetchProgress, addresses: Addresses | None = None) -> Path:
    """Download a pack into a folder of its name and return that. Raise PackProblem or OSError."""
    places = addresses or Addresses()
    target = folder / pack.name
    sample_map, base = _read_map(pack, places)
    wanted = {name: _files(value, base) for name, value in sample_map.items() if not name.startswith("_")}
    listed = {file for files in wanted.values() for _, file in files}
    known = _known_files({file.repository for file in listed}, places)
    present = sorted((file for file in listed if file in known), key=lambda file: file.local)
    if not present:
        raise PackProblem(f"No file of the pack {pack.name} was found.")
    if sum(known[file].size for file in present) > _MOST_BYTES:
        raise PackProblem(f"The pack {pack.name} is larger than {_MOST_BYTES // 2**30} GB.")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for done, _ in enumerate(pool.map(lambda file: _download(file, known[file], target, places), present), 1):
            report(done, len(present))
    _describe(pack, target, wanted, set(present), known)
    return target


def _read_map(pack: KnownPack, places: Addresses) -> tuple[dict[str, Any], str]:
    """Return the sample map of a pack, and the address that its paths begin with."""
    address = pack.address
    if address.startswith("github:"):
        owner, name, *branch = address.removeprefix("github:").split("/")
        address = f"{RAW}/{owner}/{name}/{branch[0] if branch else 'main'}/strudel.json"
    if not address.startswith(f"{RAW}/"):
        raise PackProblem(f"The pack {pack.name} is not on GitHub: {address}")
    try:
        with _open(address.replace(RAW, places.raw, 1)) as answer:
            found = json.load(answer)
    except ValueError as error:
        raise PackProblem(f"The map of the pack {pack.name} is not JSON.") from error
    if not isinstance(found, dict):
        raise PackProblem(f"The map of the pack {pack.name} is not a JSON object.")
    return found, str(found.get("_base") or address.rpartition("/")[0] + "/")


def _files(value: Any, base: str) -> list[tuple[str | None, RemoteFile]]:
    """Return the files of a name, each with the note that it is for, or None."""
    notes = value.items() if isinstance(value, dict) else [(None, value)]
    return [
        (note, file)
        for note, paths in notes
        for path in ([paths] if isinstance(paths, str) else paths)
        if isinstance(path, str) and (file := _remote_file(path if "://" in path else base + path)) is not None
    ]


def _remote_file(address: str) -> RemoteFile | None:
    """Return the file at an address of GitHub, or None if it is elsewhere or no audio."""
    if address.startswith("github:"):
        owner, name, *rest = address.removeprefix("github:").split("/")
        address = "/".join([RAW, owner, name, *rest])
    parts = address.removeprefix(f"{RAW}/").split("/", 3)
    if not address.startswith(f"{RAW}/") or len(parts) < 4 or not parts[3].lower().endswith(_AUDIO):
        return None
    return RemoteFile("/".join(parts[:3]), unquote(parts[3]).lstrip("/").replace("//", "/"))


def _known_files(repositories: set[str], places: Addresses) -> dict[RemoteFile, KnownFile]:
    """Return the checksum and size of every file of some repositories."""
    found = {}
    for repository in repositories:
        owner, name, reference = repository.split("/")
        with _open(f"{places.api}/repos/{owner}/{name}/git/trees/{quote(reference)}?recursive=1") as answer:
            tree = json.load(answer)
        for row in tree.get("tree", []):
            if row.get("type") == "blob":
                found[RemoteFile(repository, row["path"])] = KnownFile(row["sha"], int(row.get("size", 0)))
    return found


def _download(file: RemoteFile, known: KnownFile, folder: Path, places: Addresses) -> None:
    """Download a file, unless it is there. Raise PackProblem if it is cut off, or its checksum is wrong twice."""
    target = folder / file.local
    if target.is_file() and _git_checksum(target) == known.checksum:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    for _ in range(2):
        start = part.stat().st_size if part.exists() else 0
        if start < known.size:
            with (
                _open(f"{places.raw}/{file.repository}/{quote(file.path)}", start) as answer,
                part.open("ab" if answer.status == 206 else "wb") as output,
            ):
                for piece in _pieces(answer, known.size):
                    output.write(piece)
        if _git_checksum(part) == known.checksum:
            os.replace(part, target)
            return
        if part.stat().st_size < known.size:
            raise PackProblem(f"The connection ended during {file.path}.")
        part.unlink()
    raise PackProblem(f"The file {file.path} arrived damaged. Try again.")


def _pieces(answer: HTTPResponse, most: int) -> Iterator[bytes]:
    received = 0
    while (piece := answer.read(_PIECE)) and received <= most:
        received += len(piece)
        yield piece


def _open(address: str, start: int = 0) -> HTTPResponse:
    headers = {"User-Agent": "consort"} | ({"Range": f"bytes={start}-"} if start else {})
    answer: HTTPResponse = urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=_TIMEOUT_S)
    return answer


def _git_checksum(path: Path) -> str:
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _describe(
    pack: KnownPack,
    folder: Path,
    wanted: dict[str, list[tuple[str | None, RemoteFile]]],
    present: set[RemoteFile],
    known: dict[RemoteFile, KnownFile],
) -> None:
    """Write the description, which makes the pack a part of the library."""
    samples: dict[str, Any] = {}
    for name, files in wanted.items():
        for note, file in files:
            if file not in present:
                continue
            path = f"{PACKS}/{pack.name}/{file.local}"
            if note is None:
                samples.setdefault(name, []).append(path)
            else:
                samples.setdefault(name, {}).setdefault(note, []).append(path)
    origin = {
        "name": pack.name,
        "origin": pack.address,
        "licence": pack.licence or "none stated: for your own use only",
        "folder": f"{PACKS}/{pack.name}",
    }
    checksums = "".join(sorted(known[file].checksum for file in present))
    description = {
        "samples": samples,
        "origins": [origin],
        "fingerprint": hashlib.sha256(checksums.encode()).hexdigest(),
    }
    temporary = folder / f".{DESCRIPTION_FILE}.part"
    temporary.write_text(json.dumps(description, indent=1), encoding="utf-8")
    os.replace(temporary, folder / DESCRIPTION_FILE)
