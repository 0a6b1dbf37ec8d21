"""Ask an OSV database which known vulnerabilities packages have. The service and the format: https://osv.dev."""

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from consort_cli.locked_packages import LockedPackage

OSV = "https://api.osv.dev"
_BATCH = 500
_TIMEOUT_S = 30.0


class DatabaseNotReached(Exception):
    """Raised if the database cannot be asked. The message says why."""


@dataclass(frozen=True)
class Vulnerability:
    package: LockedPackage
    id: str
    summary: str


def known_vulnerabilities(packages: Sequence[LockedPackage], database: str = OSV) -> list[Vulnerability]:
    """Return the vulnerabilities of the packages. Raise DatabaseNotReached."""
    found: list[tuple[LockedPackage, str]] = []
    waiting: list[tuple[LockedPackage, str | None]] = [(package, None) for package in packages]
    while waiting:
        batch, waiting = waiting[:_BATCH], waiting[_BATCH:]
        queries = [
            {"package": {"purl": package.purl}, **({"page_token": page} if page else {})} for package, page in batch
        ]
        answer = _ask(f"{database}/v1/querybatch", {"queries": queries})
        for (package, _), result in zip(batch, answer["results"], strict=True):
            found += [(package, each["id"]) for each in result.get("vulns") or []]
            if page := result.get("next_page_token"):
                waiting.append((package, page))
    return [Vulnerability(package, name, _summary(database, name)) for package, name in found]


def _summary(database: str, name: str) -> str:
    described = _ask(f"{database}/v1/vulns/{name}")
    return str(described.get("summary") or described.get("details") or "").split("\n")[0][:200]


def _ask(url: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
            return json.load(answer)
    except (OSError, ValueError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise DatabaseNotReached(f"{url} does not answer as an OSV database does: {reason}") from error
