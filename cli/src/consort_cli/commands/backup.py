"""`consort backup FILE`: write a whole studio to one file, also while it is used."""

import argparse
import sys
import time
from datetime import datetime
from pathlib import Path

from consort_cli.backup.progress import ProgressLine, run_async
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a new file, or a folder for consort-DATE.tar.gz")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    from consort_cli.backup.archive import BackupError
    from consort_cli.backup.make_backup import make_backup

    data, target = data_folder(args.data), args.file.expanduser().absolute()
    if target.is_dir():
        target /= f"consort-{datetime.now():%Y-%m-%d-%H%M%S}.tar.gz"
    if target.exists():
        raise BackupError(f"{target} exists already. Give the name of a new file.")
    if not target.parent.is_dir():
        raise BackupError(f"There is no folder {target.parent}. Make it, or give a file in another one.")
    began = time.monotonic()
    with ProgressLine() as progress:
        manifest = run_async(make_backup(data, target, progress.show))
    print(
        f"{target}\n  {manifest.summary()}, {target.stat().st_size / 1e6:,.1f} MB, "
        f"in {time.monotonic() - began:.1f} s\n  Not in it: the token, passwords and logs. "
        "Restore it with `./consort restore FILE --data NEW_FOLDER`."
    )
    for key in manifest.missing:
        print(
            f"consort backup: the bytes of {key} are missing in this studio, so they are not in the backup.",
            file=sys.stderr,
        )
    return 0
