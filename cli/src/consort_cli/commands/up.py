"""`consort up`: start the studio and stay with it, or leave it running with `--detach`."""

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path

from consort_cli import launch, run_folder, system_packages
from consort_cli.errors import AlreadyRuns, LauncherError, NotHealthy
from consort_cli.log_lines import Follower, readable
from consort_cli.main import add_data_argument
from consort_cli.overview import Progress, log_tails, next_steps, table
from consort_kit.folders import data_folder
from consort_kit.stack import Stack

_FOLLOW_S = 0.2


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument("--detach", action="store_true", help="leave it running and return when all is healthy")
    parser.add_argument(
        "--port-base",
        type=_port_base,
        metavar="N",
        help="the gateway's port; the others follow (default: as at the last start of this data folder, else 8700)",
    )


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    try:
        if run_folder.running_stack(data) is not None:
            return _join(data, args.port_base)
        print(f"Consort starts in {data}", flush=True)
        system_packages.offer(system_packages.SYNTH, "the built-in synth")
        if args.detach:
            return _start_detached(data, args.port_base)
        try:
            return asyncio.run(_stay(data, launch.wanted_port_base(data, args.port_base)))
        except AlreadyRuns:  # another command was quicker
            return _join(data, args.port_base)
    except BrokenPipeError:
        raise
    except (LauncherError, OSError) as error:
        print(f"consort up: {error}", file=sys.stderr)
        return 1


def _join(data: Path, port_base: int | None) -> int:
    """It runs already; one that `consort mcp` started now stays after its last client."""
    print(f"Consort already runs in {data}", flush=True)
    stack = _wait(launch.ensure_running(data), data)
    if port_base not in (None, stack.port_base):
        print(f"  its port base is {stack.port_base}, not {port_base}; `consort down` first to change it")
    _print_all(stack, data)
    return 0


def _start_detached(data: Path, port_base: int | None) -> int:
    started = launch.ensure_running(data, port_base)
    try:
        stack = _wait(started, data)
    except (NotHealthy, KeyboardInterrupt):
        if started.started and run_folder.is_locked(data):  # nothing half-started stays behind
            launch.stop(data)
        raise
    _print_all(stack, data)
    return 0


def _wait(started: launch.Launch, data: Path) -> Stack:
    stack = started.stack()
    quiet = stack is not None and launch.is_healthy(stack)
    try:
        return started.wait(progress=None if quiet else Progress(_say).show)
    except NotHealthy:
        print(log_tails(started.stack(), data), file=sys.stderr)
        raise


async def _stay(data: Path, port_base: int) -> int:
    from consort_cli.supervisor import Supervisor  # the other ways do not need it

    supervisor = Supervisor(data, port_base)
    failure: list[str] = []

    async def watch() -> None:
        follower = Follower(data)
        failure.extend(await _watch_start(supervisor.stack, data))
        if failure:
            supervisor.request_stop()
            return
        _print_all(supervisor.stack, data)
        _say("  stop        Ctrl-C\n")
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        while True:
            for line in follower.new_lines():
                if not line.is_routine:
                    _say(readable(line, colour=colour))
            await asyncio.sleep(_FOLLOW_S)

    await supervisor.run(watch)
    for line in failure:
        print(line, file=sys.stderr)
    if not failure:
        _say("Consort has stopped.")
    return 1 if failure else 0


async def _watch_start(stack: Stack, data: Path) -> list[str]:
    """Until all is healthy, or it is clear that something will not be: what to say then."""
    progress, end = Progress(_say), time.monotonic() + launch.START_TIMEOUT_S
    while True:
        progress.show(stack)
        if launch.is_healthy(stack):
            return []
        if hopeless := launch.hopeless_parts(stack):
            return [log_tails(stack, data), f"consort up: {', '.join(hopeless)} cannot be started."]
        if time.monotonic() > end:
            late = ", ".join(launch.unhealthy_parts(stack))
            return [
                log_tails(stack, data),
                f"consort up: {late} did not become healthy within {launch.START_TIMEOUT_S:g} s.",
            ]
        await asyncio.sleep(0.05)


def _print_all(stack: Stack, data: Path) -> None:
    _say(f"\n{table(stack)}\n\n{next_steps(stack, data)}")


def _say(text: str) -> None:
    print(text, flush=True)


def _port_base(text: str) -> int:
    number = int(text)
    if not 1024 <= number <= 65000:
        raise argparse.ArgumentTypeError("must be from 1024 to 65000")
    return number
