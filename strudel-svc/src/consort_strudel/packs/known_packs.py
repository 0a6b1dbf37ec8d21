"""The table of sample packs (`known_packs.json`): address, licence and names of sounds. The sounds are not included."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_BRANCH = re.compile(r"^(github:[^/]+/[^/]+)(/[^/]+)?$", re.IGNORECASE)


@dataclass(frozen=True)
class KnownPack:
    name: str
    address: str
    """What `samples()` is called with."""
    licence: str | None
    """None: none is stated, so all rights are reserved."""
    in_public_repl: bool
    """Whether strudel.cc loads it by itself."""
    sounds: tuple[str, ...]


@cache
def known_packs() -> tuple[KnownPack, ...]:
    rows = json.loads(Path(__file__).with_name("known_packs.json").read_text(encoding="utf-8"))
    return tuple(KnownPack(**{**row, "sounds": tuple(row["sounds"])}) for row in rows)


def pack_at(address: str) -> KnownPack | None:
    """Return the pack that `samples(address)` loads. A branch in the address does not matter."""
    wanted = _plain(address)
    return next((pack for pack in known_packs() if _plain(pack.address) == wanted), None)


def _plain(address: str) -> str:
    found = _BRANCH.match(address)
    return (found[1] if found else address).lower()
