"""`consort demo`: add six pieces to the studio, so that there is something to see and hear; `--remove` takes them out.

The pieces are made by calls of the studio's own tools. A piece that is there already is not added again.
"""

import argparse
import os
import sys
from pathlib import Path

from consort_cli.demo.adding import CallTool, DemoFailure, add_piece, is_there, remove_piece
from consort_cli.demo.demo_pieces import load_demo_pieces
from consort_cli.demo.made_things import MadeThings
from consort_cli.file_lock import FileLock
from consort_cli.launcher.start_and_stop import running_studio
from consort_cli.main import add_data_argument
from consort_cli.mcp_client import McpConnection
from consort_kit.data_folder import data_folder, read_or_make_secret
from consort_kit.tools.client_ids import new_client_id


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--remove", action="store_true", help="take the pieces out, also if you have changed them")
    parser.add_argument("--url", help="address of the gateway (default: that of this data folder's studio)")
    add_data_argument(parser)


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    studio = running_studio(data)
    if studio is None and args.url is None:
        print(f"consort demo: No studio runs in {data}. Start it with `./consort up`, then try again.", file=sys.stderr)
        return 1
    token = os.environ.get("CONSORT_TOKEN") or read_or_make_secret(data / "token")
    url = args.url or f"http://127.0.0.1:{studio.port_base if studio else 0}"
    connection = McpConnection(url, token, new_client_id(), same_machine=args.url is None)
    with FileLock(data / "run" / "demo.lock") as is_mine:
        if not is_mine:
            print("consort demo: Another `consort demo` is running. Wait until it has finished.", file=sys.stderr)
            return 1
        try:
            return _remove(connection.call_tool, data) if args.remove else _add(connection.call_tool, data)
        finally:
            connection.close()


def _add(call_tool: CallTool, data: Path) -> int:
    made = MadeThings(data)
    failed = 0
    for piece in load_demo_pieces():
        if is_there(call_tool, made, piece):
            print(f"  {piece.title}: is there already")
            continue
        try:
            remove_piece(call_tool, made, piece.name)  # what is left of it
            link = add_piece(call_tool, made, piece)
        except DemoFailure as error:
            failed += 1
            print(f"  {piece.title}: left out. {error}", file=sys.stderr)
            continue
        print(f"  {piece.title}: {piece.about}\n      say   “{piece.ask}”" + (f"\n      hear  {link}" if link else ""))
    print("`./consort demo --remove` takes the pieces out.")
    return 1 if failed else 0


def _remove(call_tool: CallTool, data: Path) -> int:
    made = MadeThings(data)
    titles = {piece.name: piece.title for piece in load_demo_pieces()}
    if not made.pieces():
        print("There is nothing to take out.")
    failed = 0
    for name in made.pieces():
        try:
            remove_piece(call_tool, made, name)
            print(f"  {titles.get(name, name)}: taken out")
        except DemoFailure as error:
            failed += 1
            print(f"  {titles.get(name, name)}: left. {error}", file=sys.stderr)
    return 1 if failed else 0
