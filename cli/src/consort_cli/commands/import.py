"""`consort import`: store the MIDI files of a folder or of another studio's manifest.json under their own names."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from consort_cli.link_client import LinkClient, RequestRejected
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder
from consort_kit.errors import ServiceDown
from consort_kit.ids import new_id
from consort_music.midi.file_names import MIDI_SUFFIXES


class FoundFile(NamedTuple):
    id: str
    """The id in the manifest, so that references to the file stay valid, or a new id if there is none."""
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
    client = LinkClient(data_folder(args.data))
    stored = 0
    for each in found:
        query = {"name": each.name, "if_taken": "replace" if args.overwrite else "refuse"}
        try:
            answer = client.put("midi-store", f"/files/{each.id}", query, each.file.read_bytes())
        except (RequestRejected, OSError) as error:
            print(f"  {each.name}: {error}", file=sys.stderr)
        except ServiceDown as error:
            print(f"consort import: {error}", file=sys.stderr)
            return 1
        else:
            stored += 1
            print(f"  {each.name}: {answer['midi_file_id']}")
    print(f"{stored} of {len(found)} files were imported")
    return 0 if stored == len(found) else 1


def find(source: Path) -> Iterator[FoundFile]:
    if source.is_dir():
        for file in sorted(path for path in source.rglob("*") if path.suffix.lower() in MIDI_SUFFIXES):
            yield FoundFile(new_id("midi"), file.name, file)
    elif source.suffix.lower() in MIDI_SUFFIXES:
        yield FoundFile(new_id("midi"), source.name, source)
    else:
        for entry in json.loads(source.read_text("utf-8")):
            place = source.parent / entry["path"]
            if source.parent.resolve() not in place.resolve().parents:
                raise ValueError(f"{entry['path']} is not below the folder of the manifest")
            known = str(entry["id"]).startswith("midi_")
            yield FoundFile(entry["id"] if known else new_id("midi"), entry["name"], place)
