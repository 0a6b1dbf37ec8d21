"""`consort logs`: show the last lines of all logs or of one, sorted by time; `-f` follows them."""

import argparse
import os
import sys
import time

from consort_cli.log_lines import Follower, LogLine, escape_controls, format_line, last_lines, log_names
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder

_FOLLOW_S = 0.2


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument("name", nargs="?", metavar="NAME", help="one part: a service, gateway, postgres or launcher")
    parser.add_argument("-f", "--follow", action="store_true", help="show new lines as they come")
    parser.add_argument("-n", type=int, default=50, metavar="N", dest="count", help="how many lines (default: 50)")
    parser.add_argument("--json", action="store_true", help="print the lines as they were written")


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    names = log_names(data)
    if args.name is not None and args.name not in names:
        have = ", ".join(names) or "none yet"
        print(f"consort logs: there is no log of {args.name!r} in {data / 'logs'} (there are: {have})", file=sys.stderr)
        return 1
    chosen = [args.name] if args.name else names
    follower = Follower(data, [args.name] if args.name else None)
    for line in last_lines(data, chosen, max(args.count, 0)):
        _show(line, raw=args.json)
    while args.follow:
        for line in follower.new_lines():
            _show(line, raw=args.json)
        time.sleep(_FOLLOW_S)
    return 0


def _show(line: LogLine, *, raw: bool) -> None:
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    print(escape_controls(line.text) if raw else format_line(line, colour=colour), flush=True)
