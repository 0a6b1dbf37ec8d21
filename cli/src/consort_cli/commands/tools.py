"""`consort tools`: what an assistant sees, whether or not anything runs."""

import argparse
import json

from consort_cli.main import add_data_argument
from consort_gateway.catalogue import load_catalogue
from consort_kit.errors import InvalidInput


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the array as MCP gives it")
    add_data_argument(parser)  # as every command has it; the tools are the same in all
    add_choice_arguments(parser)


def add_choice_arguments(parser: argparse.ArgumentParser) -> None:
    """Which tools are offered; `consort mcp` takes the same."""
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
