"""`consort down`: stop the studio of a data folder, however it was started."""

import argparse
import sys

from consort_cli.launcher import run_folder, start_and_stop
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    if not run_folder.is_locked(data):
        print(f"Nothing runs in {data}")
        return 0
    if not start_and_stop.stop(data):
        studio = run_folder.running_studio(data)
        print(
            f"consort down: the launcher{f' (process {studio.launcher_pid})' if studio else ''} does not stop; "
            "end that process, and the rest ends with it.",
            file=sys.stderr,
        )
        return 1
    print(f"Consort has stopped in {data}")
    return 0
