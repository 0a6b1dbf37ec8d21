"""`consort tools`: list the tools that an assistant sees. The studio need not run."""

import argparse
import json

from consort_cli.main import add_data_argument
from consort_gateway.tools.catalogue import load_catalogue
from consort_kit.errors import InvalidInput


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the JSON array that MCP sends")
    add_data_argument(parser)  # every command has it; the tools do not depend on it
    add_choice_arguments(parser)


def add_choice_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that select tools. `consort mcp` uses them too."""
    parser.add_argument(
        "--toolsets", metavar="NAMES", help="only these, with commas between: midi,songs (default: all)"
    )
    parser.add_argument("--read-only", action="store_true", help="only tools that change nothing")


def run(args: argparse.Namespace) -> int:
    try:
        catalogue = load_catalogue(args.toolsets, args.read_only)
    except InvalidInput as error:
        raise SystemExit(f"consort tools: {error}") from None
    if args.json:
        print(json.dumps([tool.as_mcp() for tool in catalogue], indent=1, ensure_ascii=False))
        return 0
    width = max((len(tool.name) for tool in catalogue), default=0)
    for tool in sorted(catalogue, key=lambda each: each.toolset):
        print(f"{tool.toolset:<9} {tool.name:<{width}}  {tool.title}")
    return 0
