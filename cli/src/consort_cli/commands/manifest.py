"""`consort manifest`: write the list of stored MIDI files to a file, which `consort import` reads."""

import argparse
import json
import sys
from pathlib import Path

from consort_cli.link_client import LinkClient, RequestRejected
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder
from consort_kit.errors import ServiceDown


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: manifest.json in the data folder")


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    output = args.output or data / "manifest.json"
    try:
        entries = LinkClient(data).get("midi-store", "/manifest")
    except (RequestRejected, ServiceDown) as error:
        print(f"consort manifest: {error}", file=sys.stderr)
        return 1
    output.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{len(entries)} files are listed in {output}")
    return 0
