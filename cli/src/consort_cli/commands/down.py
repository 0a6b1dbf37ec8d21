"""`consort down`: stop the studio of a data folder, however it was started."""

import argparse
import sys

from consort_cli import launch, run_folder
from consort_cli.main import add_data_argument
from consort_kit.folders import data_folder


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    if not run_folder.is_locked(data):
        print(f"Nothing runs in {data}")
        return 0
    if not launch.stop(data):
        stack = run_folder.running_stack(data)
        print(
            f"consort down: the launcher{f' (process {stack.launcher_pid})' if stack else ''} does not stop; "
            "end it, and what it started ends with it.",
            file=sys.stderr,
        )
        return 1
    print(f"Consort has stopped in {data}")
    return 0
