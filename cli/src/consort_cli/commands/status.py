"""`consort status`: what runs, where, and whether it answers; asked now, not read from a file."""

import argparse
import asyncio
import json
from typing import Any

from consort_cli import probes
from consort_cli.main import add_data_argument
from consort_cli.overview import url_of
from consort_cli.run_folder import running_stack
from consort_kit import API_VERSION
from consort_kit.folders import data_folder
from consort_kit.services import GATEWAY, POSTGRES_PORT_OFFSET, SERVICES
from consort_kit.stack import ServiceState, Stack

_TIMEOUT_S = 3.0
_PARTS = {**SERVICES, "gateway": GATEWAY}


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    stack = running_stack(data)
    found = asyncio.run(_ask(stack)) if stack else _nothing()
    if args.json:
        print(json.dumps(found, indent=2))
    elif stack is None:
        print(f"Nothing runs in {data}; `consort up` starts the studio")
    else:
        _print(found, stack)
    return 0 if found["healthy"] else 1


def _nothing() -> dict[str, Any]:
    down = {"healthy": False, "url": None, "pid": None, "version": None}
    return {"healthy": False, "gateway_url": None, "services": {name: dict(down) for name in _PARTS}}


async def _ask(stack: Stack) -> dict[str, Any]:
    names = [*_PARTS, *(["postgres"] if "postgres" in stack.services else [])]
    answers = await asyncio.gather(*(_ask_one(name, stack) for name in names))
    return {
        "healthy": all(answer["healthy"] for answer in answers),
        "gateway_url": url_of("gateway", stack.port_base),
        "services": dict(zip(names, answers, strict=True)),
    }


async def _ask_one(name: str, stack: Stack) -> dict[str, Any]:
    if name == "postgres":
        healthy = await probes.postgres_answers(stack.port_base + POSTGRES_PORT_OFFSET, _TIMEOUT_S)
        version = _postgres_version()
    else:
        port = stack.port_base + _PARTS[name].port_offset
        healthy, version = await asyncio.gather(
            probes.is_healthy(port, _TIMEOUT_S), probes.version_of(port, _TIMEOUT_S)
        )
    pid = stack.services.get(name, ServiceState()).pid
    return {"healthy": healthy, "url": url_of(name, stack.port_base), "pid": pid, "version": version}


def _postgres_version() -> str | None:
    from consort_cli.errors import PostgresError
    from consort_cli.postgres import server_version

    try:
        return server_version()
    except PostgresError:
        return None


def _print(found: dict[str, Any], stack: Stack) -> None:
    print("  part        healthy     process  version     address")
    for name, one in found["services"].items():
        state = "yes" if one["healthy"] else stack.services.get(name, ServiceState()).state.replace("healthy", "no")
        print(f"  {name:<11} {state:<10} {one['pid'] or '-':>8}  {one['version'] or '-':<10}  {one['url']}")
    for name, one in found["services"].items():
        if name != "postgres" and one["version"] not in (None, API_VERSION):
            print(
                f"  note: {name} has version {one['version']}, this command {API_VERSION}; "
                "`consort down` and `consort up` bring them together"
            )
