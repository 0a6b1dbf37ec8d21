"""`consort sounds`: list the sounds that Strudel scripts can use here, build the library, or fetch a sample pack."""

import argparse
import subprocess
import sys
from pathlib import Path

from consort_cli import sound_library, system_packages
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder
from consort_strudel.packs import KnownPack, known_packs
from consort_strudel.sounds.fetch_pack import PackProblem, fetch_pack
from consort_strudel.sounds.folders import packs_folder
from consort_strudel.sounds.library import SoundLibrary, flat_files, open_library

_WIDTH = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=("list", "packs", "build", "fetch"),
        default="list",
        help="list: what is here (default); packs: what can be fetched; build: build the library; fetch: get a pack",
    )
    parser.add_argument("pack", nargs="?", help="for fetch: the name of a pack")
    parser.set_defaults(usage_error=parser.error)
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    match args.action:
        case "list":
            return show(open_library(data))
        case "packs":
            return show_packs(data)
        case "build":
            return build()
    if not args.pack:
        args.usage_error("which pack? `consort sounds packs` lists them")
    return fetch(args.pack, data)


def show(library: SoundLibrary) -> int:
    """Print the sounds by where they come from, with the licence."""
    if library.is_empty:
        print("There is no sound library here: scripts play synths only. `consort sounds build` builds one.")
        return 0
    for origin in library.origins:
        files = {file for file in library.files if file.startswith(f"{origin.folder}/")}
        names = sorted(name for name, each in library.samples.items() if files.intersection(flat_files(each)))
        shown = names or [f"{len(files)} instruments of General MIDI, as gm_piano … gm_gunshot"]
        print(
            f"{origin.name} ({origin.folder}): {len(files)} files\n  from {origin.origin}\n  licence {origin.licence}"
        )
        print(_wrapped(shown))
    print("Synths of the engine (sine, sawtooth, supersaw, white, …) need no files.")
    return 0


def show_packs(data: Path) -> int:
    for pack in sorted(known_packs(), key=lambda each: each.name.lower()):
        here = "  (here)" if (packs_folder(data) / pack.name / "library.json").exists() else ""
        licence = pack.licence or "licence not stated"
        print(f"  {pack.name:<28} {len(pack.sounds):>4} sounds  {licence}{here}")
    print("Fetch one with `consort sounds fetch NAME`. A pack without a stated licence is for your own use only.")
    return 0


def build() -> int:
    system_packages.install_if_possible(system_packages.SOUNDS, "the sound library of Strudel")
    try:
        sound_library.build()
    except subprocess.CalledProcessError:
        return 1
    return 0


def fetch(name: str, data: Path) -> int:
    pack = _find(name)
    if pack is None:
        print(f"consort sounds: there is no pack {name!r}. `consort sounds packs` lists them.", file=sys.stderr)
        return 1
    print(f"{pack.name} from {pack.address}, licence: {pack.licence or 'not stated; for your own use only'}")
    try:
        folder = fetch_pack(pack, packs_folder(data), _show_progress)
    except (PackProblem, OSError, ValueError) as error:
        print(f"\nconsort sounds: {error} What has arrived is kept: the same command goes on.", file=sys.stderr)
        return 1
    print(f"\n{pack.name} is in {folder}. Restart the studio to use it.")
    return 0


def _find(name: str) -> KnownPack | None:
    return next((pack for pack in known_packs() if name.lower() in (pack.name.lower(), pack.address.lower())), None)


def _show_progress(done: int, count: int) -> None:
    print(f"\r  {done} of {count} files", end="", flush=True)


def _wrapped(names: list[str]) -> str:
    lines, line = [], " "
    for name in names:
        if len(line) + len(name) > _WIDTH:
            lines.append(line)
            line = " "
        line += f" {name}"
    return "\n".join([*lines, line])
