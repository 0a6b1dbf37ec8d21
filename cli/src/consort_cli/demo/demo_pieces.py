"""Load the pieces. They are files in the folder `pieces`, named by a number for their order and the name."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from consort_cli.scripted_calls import ScriptedCall


@dataclass(frozen=True)
class DemoPiece:
    name: str
    """The name of its file without the number."""
    title: str
    about: str
    ask: str
    """What a user can say to an assistant about the piece."""
    calls: tuple[ScriptedCall, ...]


@cache
def load_demo_pieces() -> tuple[DemoPiece, ...]:
    folder = files("consort_cli.demo").joinpath("pieces")
    found = sorted((path for path in folder.iterdir() if path.name.endswith(".toml")), key=lambda path: path.name)
    return tuple(_read(path.name, path.read_text(encoding="utf-8")) for path in found)


def _read(file_name: str, text: str) -> DemoPiece:
    piece = tomllib.loads(text)
    calls = tuple(ScriptedCall(call["tool"], call["arguments"], call.get("as")) for call in piece["calls"])
    name = file_name.partition("-")[2].removesuffix(".toml")
    return DemoPiece(name, piece["title"], piece["about"], piece["ask"], calls)
