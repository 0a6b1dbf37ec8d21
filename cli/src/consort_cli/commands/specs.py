"""`consort specs`: write the files that are generated from the services' tools.

The files are: one list of tools per service, which the gateway reads; one snapshot per tool, so that a diff shows what
changes for an assistant; the table of toolsets in README.md; and docs/reference.md, all tools with all parameters.
"""

import argparse
import importlib
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from consort_cli.bootstrap import ROOT
from consort_cli.tool_reference import reference, toolset_table
from consort_gateway.tools.catalogue import tool_file
from consort_gateway.tools.openapi_tools import tools_of
from consort_kit.services import SERVICES

TOOL_FILES = ROOT / "gateway" / "src" / "consort_gateway" / "tools"
SNAPSHOTS = ROOT / "tests" / "contract" / "snapshots"
README = ROOT / "README.md"
REFERENCE = ROOT / "docs" / "reference.md"
TABLE_BEGINS = "<!-- The table of tools is written by `consort specs`. -->\n"
TABLE_ENDS = "<!-- End of the table of tools. -->\n"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if a file is out of date")


def run(args: argparse.Namespace) -> int:
    wanted = generated_files()
    stale = [path for path in generated_paths() if path not in wanted]
    changed = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in [*changed, *stale]:
        print(
            f"{'out of date' if args.check else 'written' if path in wanted else 'removed'}: {path.relative_to(ROOT)}"
        )
    if args.check:
        return 1 if changed or stale else 0
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], "utf-8")
    for path in stale:
        path.unlink()
    print(f"{len(wanted)} files are up to date")
    return 0


def generated_paths() -> list[Path]:
    """Return the generated files that exist."""
    return [*TOOL_FILES.glob("*.json"), *SNAPSHOTS.glob("*.json"), README, *REFERENCE.parent.glob(REFERENCE.name)]


def generated_files() -> dict[Path, str]:
    """Return the up-to-date text of every generated file."""
    wanted = {}
    all_tools = []
    for service in SERVICES:
        tools = tools_of(service, openapi_of(service))
        all_tools += tools
        wanted[TOOL_FILES / f"{service}.json"] = tool_file(tools)
        for tool in tools:
            snapshot = {"service": service, "toolset": tool.toolset, **tool.as_mcp()}
            wanted[SNAPSHOTS / f"{tool.name}.json"] = json.dumps(snapshot, indent=1, ensure_ascii=False) + "\n"
    before, _, rest = README.read_text("utf-8").partition(TABLE_BEGINS)
    _, _, after = rest.partition(TABLE_ENDS)
    wanted[README] = f"{before}{TABLE_BEGINS}\n{toolset_table(all_tools)}\n{TABLE_ENDS}{after}"
    wanted[REFERENCE] = reference(all_tools)
    return wanted


@cache
def openapi_of(service: str) -> dict[str, Any]:
    """Return the OpenAPI specification of a service, without running it."""
    make_app = importlib.import_module(f"{SERVICES[service].module}.app").make_app
    settings = get_type_hints(make_app)["settings"]
    with tempfile.TemporaryDirectory() as folder:
        specification: dict[str, Any] = make_app(settings(data=folder, token="none")).openapi()
    return specification
