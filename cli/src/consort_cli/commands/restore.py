"""`consort restore FILE`: make the studio of a backup in an empty data folder."""

import argparse
import sys
import time
from pathlib import Path

from consort_cli.backup.progress import ProgressLine, run_async
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a file that `consort backup` wrote")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    from consort_cli.backup.restore_backup import restore_backup

    data = data_folder(args.data)
    began = time.monotonic()
    with ProgressLine() as progress:
        manifest = run_async(restore_backup(args.file.expanduser().absolute(), data, progress.show))
    print(
        f"{data}\n  has the studio of {manifest.made_at} (Consort {manifest.consort}): "
        f"{manifest.summary()}, in {time.monotonic() - began:.1f} s\n  It gets a new token at the next start. "
        f"Start it with `./consort up --data {data}`."
    )
    for key in manifest.missing:
        print(f"consort restore: the bytes of {key} were missing when the backup was made.", file=sys.stderr)
    return 0
