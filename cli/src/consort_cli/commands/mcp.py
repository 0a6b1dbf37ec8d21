"""`consort mcp`: what an assistant starts. Starts the studio if it is not running, shares it if it is."""

import argparse
import os
import signal
import sys
from pathlib import Path

from consort_cli.commands.tools import add_choice_arguments
from consort_cli.launch import ensure_running, register_client, running_stack, wanted_port_base
from consort_cli.main import add_data_argument
from consort_cli.run_folder import was_killed, while_used_marker
from consort_kit.errors import InvalidInput
from consort_kit.folders import data_folder


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument("--port-base", type=int, metavar="N", help="the gateway's port (default: as before, else 8700)")
    parser.add_argument("--no-start", action="store_true", help="only use what already runs")
    parser.add_argument("--tool-search", action="store_true", help="list two tools that find and call the others")
    add_choice_arguments(parser)


def run(args: argparse.Namespace) -> int:
    # The slow imports come first: seven processes that start would make them take three times as long, and an
    # assistant that asks for the tools should not wait for that. Calls wait for the service that they need.
    from consort_gateway.settings import GatewaySettings
    from consort_gateway.stdio import run_stdio
    from consort_kit.logs import set_up_logs

    set_up_logs("mcp", "WARNING")
    # The SDK reads stdin in a thread, which would keep the process alive after Ctrl-C.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    if sys.stdin.isatty():
        print("Serving MCP on stdin and stdout, for an assistant to use. Ctrl-C ends it.", file=sys.stderr)
    data = data_folder(args.data)
    stack = running_stack(data)
    given = {"data": data, "toolsets": args.toolsets, "read_only": args.read_only, "tool_search": args.tool_search}
    given["port_base"] = stack.port_base if stack else wanted_port_base(data, args.port_base)
    settings = GatewaySettings(**{name: value for name, value in given.items() if value})
    with register_client(data):
        try:
            run_stdio(settings, SharedStudio(data, args.port_base, start=not args.no_start))
        except InvalidInput as error:
            raise SystemExit(f"consort mcp: {error}") from None
    return 0


class SharedStudio:
    """The studio of this data folder, started if need be, and again if its launcher is killed."""

    def __init__(self, data: Path, port_base: int | None, *, start: bool) -> None:
        self._data = data
        self._port_base = port_base
        self._launch = ensure_running(data, port_base, while_used=True) if start else None

    def runs(self) -> bool:
        return running_stack(self._data) is not None

    def is_alive(self) -> bool:
        return self._launch is not None and self._launch.is_alive()

    def failure(self) -> str | None:
        return self._launch.failure() if self._launch is not None else None

    def revive(self) -> None:
        if self._launch is not None and (was_killed(self._data) or self._launch.failure()):
            self._launch = ensure_running(
                self._data, self._port_base, while_used=while_used_marker(self._data).exists()
            )
