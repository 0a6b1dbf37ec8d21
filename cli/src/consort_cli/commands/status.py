"""`consort status`: ask each process of the studio whether it answers, and show its address and version."""

import argparse
import asyncio
import json
from pathlib import Path
from typing import Any

from consort_cli.launcher import health_checks
from consort_cli.launcher.postgres_address import PostgresAddress
from consort_cli.launcher.run_folder import running_studio
from consort_cli.launcher.status_text import url_of
from consort_cli.main import add_data_argument
from consort_kit import API_VERSION
from consort_kit.data_folder import data_folder
from consort_kit.processes.studio_state import ServiceState, StudioState
from consort_kit.services import POSTGRES_PORT_OFFSET, STUDIO_PARTS

_TIMEOUT_S = 3.0


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    studio = running_studio(data)
    found = asyncio.run(_ask(studio, data)) if studio else _nothing()
    if args.json:
        print(json.dumps(found, indent=2))
    elif studio is None:
        print(f"No studio runs in {data}. `./consort up` starts it.")
    else:
        _print(found, studio)
    return 0 if found["healthy"] else 1


def _nothing() -> dict[str, Any]:
    down = {"healthy": False, "url": None, "pid": None, "version": None}
    return {"healthy": False, "gateway_url": None, "services": {name: dict(down) for name in STUDIO_PARTS}}


async def _ask(studio: StudioState, data: Path) -> dict[str, Any]:
    names = [*STUDIO_PARTS, *(["postgres"] if "postgres" in studio.services else [])]
    answers = await asyncio.gather(*(_ask_one(name, studio, data) for name in names))
    return {
        "healthy": all(answer["healthy"] for answer in answers),
        "gateway_url": url_of("gateway", studio.port_base),
        "services": dict(zip(names, answers, strict=True)),
    }


async def _ask_one(name: str, studio: StudioState, data: Path) -> dict[str, Any]:
    if name == "postgres":
        address = PostgresAddress(data / "postgres", studio.port_base + POSTGRES_PORT_OFFSET)
        healthy = await health_checks.postgres_answers(address, _TIMEOUT_S)
        version = _postgres_version()
    else:
        port = studio.port_base + STUDIO_PARTS[name].port_offset
        healthy, version = await asyncio.gather(
            health_checks.is_healthy(port, _TIMEOUT_S), health_checks.version_of(port, _TIMEOUT_S)
        )
    pid = studio.services.get(name, ServiceState()).pid
    return {"healthy": healthy, "url": url_of(name, studio.port_base), "pid": pid, "version": version}


def _postgres_version() -> str | None:
    from consort_cli.launcher.embedded_postgres import server_version
    from consort_cli.launcher.errors import PostgresError

    try:
        return server_version()
    except PostgresError:
        return None


def _print(found: dict[str, Any], studio: StudioState) -> None:
    print("  part        healthy     process  version     address")
    for name, one in found["services"].items():
        state = "yes" if one["healthy"] else studio.services.get(name, ServiceState()).state.replace("healthy", "no")
        print(f"  {name:<11} {state:<10} {one['pid'] or '-':>8}  {one['version'] or '-':<10}  {one['url']}")
    for name, one in found["services"].items():
        if name != "postgres" and one["version"] not in (None, API_VERSION):
            print(
                f"  note: {name} has version {one['version']}, this command {API_VERSION}; "
                "run `consort down` and `consort up` to use the same"
            )
