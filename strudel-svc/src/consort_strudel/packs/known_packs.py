"""The table of sample packs: facts from `known_packs.json`, words from `descriptions.toml`. No sound is included."""

import json
import re
import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

PackType = Literal[
    "drums",
    "percussion",
    "breaks",
    "loops",
    "bass",
    "synths",
    "wavetables",
    "keys",
    "instruments",
    "vocals",
    "pads",
    "fx",
    "textures",
]
PACK_TYPES: tuple[PackType, ...] = get_args(PackType)
PackCharacter = Literal[
    "analog", "digital", "acoustic", "orchestral", "lo-fi", "clean", "retro", "glitch", "found sound", "world"
]
PACK_CHARACTERS: tuple[PackCharacter, ...] = get_args(PackCharacter)

_BRANCH = re.compile(r"^(github:[^/]+/[^/]+)(/[^/]+)?$", re.IGNORECASE)


@dataclass(frozen=True)
class KnownPack:
    name: str
    """Unique, and the name of its folder when it is fetched."""
    address: str
    """What `samples()` is called with. The engine reads branch `main` if it names none."""
    repository: str
    """OWNER/NAME on GitHub."""
    licence: str | None
    """None: none is stated, so all rights are reserved."""
    in_public_repl: bool
    """Whether strudel.cc loads it by itself."""
    sounds: dict[str, int]
    """The names, each with its number of samples."""
    branch: str = "main"
    commit: str | None = None
    """Where the facts were read."""
    commit_date: str | None = None
    upstream: str | None = None
    """Where the sounds come from, if only their map is in the repository."""
    is_loadable: bool = True
    """Whether the map can be read by the engine."""
    pitched: tuple[str, ...] = ()
    """Sounds with a sample for each of several notes."""
    description: str = ""
    types: tuple[PackType, ...] = ()
    character: tuple[PackCharacter, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def loading_syntax(self) -> str:
        return f"samples('{self.address}')"

    @property
    def sample_count(self) -> int:
        return sum(self.sounds.values())


@cache
def known_packs() -> tuple[KnownPack, ...]:
    folder = Path(__file__).parent
    words = tomllib.loads((folder / "descriptions.toml").read_text(encoding="utf-8"))
    rows = json.loads((folder / "known_packs.json").read_text(encoding="utf-8"))
    packs = []
    for row in rows:
        said = words[row["name"]]
        lists = {field: tuple(said[field]) for field in ("types", "character", "tags")}
        pitched = tuple(row.get("pitched", ()))
        packs.append(KnownPack(**{**row, "pitched": pitched, "description": said["description"], **lists}))
    return tuple(packs)


def pack_at(address: str) -> KnownPack | None:
    """Return the pack that `samples(address)` loads. A branch in the address does not matter."""
    wanted = _plain(address)
    return next((pack for pack in known_packs() if _plain(pack.address) == wanted), None)


def packs_with_sound(name: str) -> tuple[KnownPack, ...]:
    """Return the packs that have a sound of this name, in any case: licensed ones first, then by number of samples."""
    return _by_sound().get(name.lower(), ())


@cache
def _by_sound() -> dict[str, tuple[KnownPack, ...]]:
    found: defaultdict[str, list[tuple[int, KnownPack]]] = defaultdict(list)
    for pack in known_packs():
        for sound, count in pack.sounds.items():
            found[sound.lower()].append((count, pack))
    return {
        sound: tuple(pack for _, pack in sorted(each, key=lambda item: (item[1].licence is None, -item[0])))
        for sound, each in found.items()
    }


def _plain(address: str) -> str:
    found = _BRANCH.match(address)
    return (found[1] if found else address).lower()
