"""`consort COMMAND …`: find the command's module and run it. For a fast start only that module is imported."""

import argparse
import importlib
import os
import sys
from pathlib import Path

from consort_cli.launcher.errors import LauncherError
from consort_kit import API_VERSION

COMMANDS = {
    "up": "Start the studio: database, services and gateway.",
    "down": "Stop the studio.",
    "status": "Show what runs, where, and whether it is healthy.",
    "logs": "Show the logs of the studio or of one service.",
    "agent": "Run the playback agent alone, for a studio in containers.",
    "mcp": "Serve MCP over stdio; this is what an assistant starts.",
    "tools": "List the tools an assistant sees.",
    "call": "Call one tool, or many from a file, through the gateway.",
    "manifest": "Write manifest.json: a list of all stored MIDI files.",
    "import": "Store the MIDI files of a folder, or of another studio's manifest.json.",
    "backup": "Write a whole studio to one file, also while it is used.",
    "restore": "Make the studio of a backup in an empty data folder.",
    "sounds": "List the sounds of Strudel scripts, build them, or fetch sample packs.",
    "demo": "Add six pieces to see and hear, or take them out.",
    "install": "Register Consort with an assistant.",
    "bundle": "Write the MCP bundle that desktop assistants install with a click.",
    "doctor": "Check this machine and say how to fix what is missing.",
    "test": "Run the test suite.",
    "bench": "Run the benchmarks.",
    "specs": "Rewrite the checked-in specifications and tool snapshots.",
    "sbom": "Write which packages Consort is made of, or look for their known vulnerabilities.",
    "lock": "Resolve the dependencies again and write the hashed locks.",
}


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="consort", description="Consort: an AI music studio behind one MCP gateway.")
    parser.add_argument("--version", action="version", version=f"consort {API_VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text)
        if argv and argv[0] == name:  # only the command that is called is imported
            importlib.import_module(f"consort_cli.commands.{name}").arguments(command)
    if not argv:
        parser.print_help()
        return 0
    args, rest = parser.parse_known_args(argv)
    if rest and (args.command != "call" or any(each.startswith("-") or "=" not in each for each in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:  # argparse does not accept name=value after an option
        args.values += rest
    return int(importlib.import_module(f"consort_cli.commands.{args.command}").run(args))


def run_main() -> int:
    """Run `main`. Print common errors in one line instead of a traceback."""
    try:
        return main()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the output pipe was closed, as in `consort logs | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except LauncherError as error:
        print(f"consort: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        print(f"consort: {error.strerror or error}{place}; `consort doctor` checks this machine", file=sys.stderr)
        return 1


def add_data_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="data folder (default: CONSORT_DATA, else this user's data folder)"
    )


if __name__ == "__main__":
    sys.exit(run_main())
