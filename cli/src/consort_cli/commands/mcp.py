"""`consort mcp`: serve MCP over stdio for an assistant. Start the studio unless it is already running."""

import argparse
import os
import signal
import sys
from pathlib import Path

from consort_cli.commands.tools import add_choice_arguments
from consort_cli.launcher.run_folder import was_killed, while_used_marker
from consort_cli.launcher.start_and_stop import ensure_running, register_client, running_studio, wanted_port_base
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder
from consort_kit.errors import InvalidInput


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument("--port-base", type=int, metavar="N", help="the gateway's port (default: as before, else 8700)")
    parser.add_argument(
        "--no-start", action="store_true", help="do not start the studio; use it only if it is already running"
    )
    parser.add_argument("--tool-search", action="store_true", help="list two tools that find and call the others")
    add_choice_arguments(parser)


def run(args: argparse.Namespace) -> int:
    # Import before starting the studio, because seven starting processes make these imports three times as slow, and
    # the assistant waits for the tool list.
    from consort_gateway.mcp.stdio import run_stdio
    from consort_gateway.settings import GatewaySettings
    from consort_kit.logs import set_up_logs

    set_up_logs("mcp", "WARNING")
    # The SDK reads stdin in a thread that would keep the process alive after Ctrl-C.
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    if sys.stdin.isatty():
        print("Serving MCP on stdin and stdout, for an assistant to use. Ctrl-C ends it.", file=sys.stderr)
    data = data_folder(args.data)
    studio = running_studio(data)
    given = {"data": data, "toolsets": args.toolsets, "read_only": args.read_only, "tool_search": args.tool_search}
    given["port_base"] = studio.port_base if studio else wanted_port_base(data, args.port_base)
    settings = GatewaySettings(**{name: value for name, value in given.items() if value})
    with register_client(data):
        try:
            run_stdio(settings, SharedStudio(data, args.port_base, start=not args.no_start))
        except InvalidInput as error:
            raise SystemExit(f"consort mcp: {error}") from None
    return 0


class SharedStudio:
    """The studio of this data folder. It is started if it does not run, and restarted if its launcher is killed."""

    def __init__(self, data: Path, port_base: int | None, *, start: bool) -> None:
        self._data = data
        self._port_base = port_base
        self._launch = ensure_running(data, port_base, while_used=True) if start else None

    def runs(self) -> bool:
        return running_studio(self._data) is not None

    def is_alive(self) -> bool:
        return self._launch is not None and self._launch.is_alive()

    def failure(self) -> str | None:
        return self._launch.failure() if self._launch is not None else None

    def revive(self) -> None:
        if self._launch is not None and (was_killed(self._data) or self._launch.failure()):
            self._launch = ensure_running(
                self._data, self._port_base, while_used=while_used_marker(self._data).exists()
            )
