"""`consort specs`: writes what the gateway builds its tools from, and a snapshot of each tool."""

import argparse
import importlib
import json
import tempfile
from pathlib import Path
from typing import Any, get_type_hints

from consort_cli.bootstrap import ROOT
from consort_gateway.catalogue import tools_of
from consort_kit.services import SERVICES

SPECS = ROOT / "gateway" / "src" / "consort_gateway" / "specs"
SNAPSHOTS = ROOT / "tests" / "contract" / "snapshots"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if a file is out of date")


def run(args: argparse.Namespace) -> int:
    wanted = wanted_files()
    stale = [path for path in [*SPECS.glob("*.json"), *SNAPSHOTS.glob("*.json")] if path not in wanted]
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


def wanted_files() -> dict[Path, str]:
    """Every spec and snapshot as it should be now."""
    wanted = {}
    for service, part in SERVICES.items():
        spec = live_spec(part.module)
        wanted[SPECS / f"{service}.json"] = _text(spec)
        for tool in tools_of(service, spec):
            wanted[SNAPSHOTS / f"{tool.name}.json"] = _text(
                {"service": service, "toolset": tool.toolset, **tool.as_mcp()}
            )
    return wanted


def live_spec(module: str) -> dict[str, Any]:
    """What the service itself says, without running it."""
    make_app = importlib.import_module(f"{module}.app").make_app
    settings = get_type_hints(make_app)["settings"]
    with tempfile.TemporaryDirectory() as folder:
        spec: dict[str, Any] = make_app(settings(data=folder, token="none")).openapi()
    return spec


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"
