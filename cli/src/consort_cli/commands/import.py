"""`consort import`: MIDI files from a folder or from another studio's manifest.json, each under its name."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from consort_cli.door import Door, Refused
from consort_cli.main import add_data_argument
from consort_kit.errors import ServiceDown
from consort_kit.folders import data_folder
from consort_kit.ids import new_id
from consort_kit.sandbox import MIDI_SUFFIXES


class Found(NamedTuple):
    id: str
    """As in the manifest, so that what refers to a file still finds it; else a new one."""
    name: str
    file: Path


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", type=Path, metavar="PATH", help="a manifest.json, a folder, or a MIDI file")
    parser.add_argument("--overwrite", action="store_true", help="replace files of the same name")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    try:
        found = list(find(args.source))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"consort import: {args.source} cannot be read as a manifest: {error}", file=sys.stderr)
        return 1
    if not found:
        print(f"consort import: there is no MIDI file in {args.source}", file=sys.stderr)
        return 1
    door = Door(data_folder(args.data))
    stored = 0
    for each in found:
        query = {"name": each.name, "if_taken": "replace" if args.overwrite else "refuse"}
        try:
            answer = door.put("midi-store", f"/files/{each.id}", query, each.file.read_bytes())
        except (Refused, OSError) as error:
            print(f"  {each.name}: {error}", file=sys.stderr)
        except ServiceDown as error:
            print(f"consort import: {error}", file=sys.stderr)
            return 1
        else:
            stored += 1
            print(f"  {each.name}: {answer['midi_file_id']}")
    print(f"{stored} of {len(found)} files are stored")
    return 0 if stored == len(found) else 1


def find(source: Path) -> Iterator[Found]:
    if source.is_dir():
        for file in sorted(path for path in source.rglob("*") if path.suffix.lower() in MIDI_SUFFIXES):
            yield Found(new_id("midi"), file.name, file)
    elif source.suffix.lower() in MIDI_SUFFIXES:
        yield Found(new_id("midi"), source.name, source)
    else:
        for entry in json.loads(source.read_text("utf-8")):
            place = source.parent / entry["path"]
            if source.parent.resolve() not in place.resolve().parents:
                raise ValueError(f"{entry['path']} is not below the folder of the manifest")
            known = str(entry["id"]).startswith("midi_")
            yield Found(entry["id"] if known else new_id("midi"), entry["name"], place)
