"""`consort up`: run the studio in the foreground, or in the background with `--detach`."""

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path

from consort_cli import downloads, sound_library, system_packages
from consort_cli.launcher import run_folder, start_and_stop
from consort_cli.launcher.errors import AlreadyRuns, LauncherError, NotHealthy
from consort_cli.launcher.status_text import Progress, log_tails, next_steps, table
from consort_cli.log_lines import Follower, format_line
from consort_cli.main import add_data_argument
from consort_kit.data_folder import data_folder
from consort_kit.processes.studio_state import StudioState

_FOLLOW_S = 0.2


def arguments(parser: argparse.ArgumentParser) -> None:
    add_data_argument(parser)
    parser.add_argument(
        "--detach", action="store_true", help="run in the background; return when all processes are healthy"
    )
    parser.add_argument(
        "--port-base",
        type=_port_base,
        metavar="N",
        help="the gateway's port; the others follow (default: as at the last start of this data folder, else 8700)",
    )


def run(args: argparse.Namespace) -> int:
    data = data_folder(args.data)
    try:
        if run_folder.running_studio(data) is not None:
            return _show_running(data, args.port_base)
        print(f"Consort starts in {data}", flush=True)
        system_packages.install_if_possible(system_packages.SYNTH, "the built-in synth")
        downloads.install_if_possible()
        sound_library.install_if_possible()
        system_packages.install_if_possible(system_packages.BROWSER, "the browser that renders Strudel scripts")
        if args.detach:
            return _start_detached(data, args.port_base)
        try:
            return asyncio.run(_run_in_foreground(data, start_and_stop.wanted_port_base(data, args.port_base)))
        except AlreadyRuns:  # another command was faster
            return _show_running(data, args.port_base)
    except BrokenPipeError:
        raise
    except (LauncherError, OSError) as error:
        print(f"consort up: {error}", file=sys.stderr)
        return 1


def _show_running(data: Path, port_base: int | None) -> int:
    """Show the running studio. If `consort mcp` started it, it no longer stops after its last client has ended."""
    print(f"Consort already runs in {data}", flush=True)
    studio = _wait(start_and_stop.ensure_running(data), data)
    if port_base not in (None, studio.port_base):
        print(f"  its port base is {studio.port_base}, not {port_base}; `consort down` first to change it")
    _print_all(studio, data)
    return 0


def _start_detached(data: Path, port_base: int | None) -> int:
    started = start_and_stop.ensure_running(data, port_base)
    try:
        studio = _wait(started, data)
    except (NotHealthy, KeyboardInterrupt):
        if started.started and run_folder.is_locked(data):  # stop a studio that started only in part
            start_and_stop.stop(data)
        raise
    _print_all(studio, data)
    return 0


def _wait(started: start_and_stop.DetachedLaunch, data: Path) -> StudioState:
    studio = started.studio()
    quiet = studio is not None and start_and_stop.is_healthy(studio)
    try:
        return started.wait(progress=None if quiet else Progress(_say).show)
    except NotHealthy:
        print(log_tails(started.studio(), data), file=sys.stderr)
        raise


async def _run_in_foreground(data: Path, port_base: int) -> int:
    from consort_cli.launcher.run_studio import Launcher  # slow to import, and only needed here

    launcher = Launcher(data, port_base)
    failure: list[str] = []

    async def watch() -> None:
        follower = Follower(data)
        failure.extend(await _watch_start(launcher.studio, data))
        if failure:
            launcher.request_stop()
            return
        _print_all(launcher.studio, data)
        _say("  stop        Ctrl-C\n")
        colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        while True:
            for line in follower.new_lines():
                if not line.is_routine:
                    _say(format_line(line, colour=colour))
            await asyncio.sleep(_FOLLOW_S)

    await launcher.run(watch)
    for line in failure:
        print(line, file=sys.stderr)
    if not failure:
        _say("Consort has stopped.")
    return 1 if failure else 0


async def _watch_start(studio: StudioState, data: Path) -> list[str]:
    """Wait until all processes are healthy. Return [], or the lines to print if one keeps crashing or is too slow."""
    progress, end = Progress(_say), time.monotonic() + start_and_stop.START_TIMEOUT_S
    while True:
        progress.show(studio)
        if start_and_stop.is_healthy(studio):
            return []
        if crashing := start_and_stop.parts_that_keep_crashing(studio):
            return [log_tails(studio, data), f"consort up: {', '.join(crashing)} cannot be started."]
        if time.monotonic() > end:
            late = ", ".join(start_and_stop.unhealthy_parts(studio))
            return [
                log_tails(studio, data),
                f"consort up: {late} did not become healthy within {start_and_stop.START_TIMEOUT_S:g} s.",
            ]
        await asyncio.sleep(0.05)


def _print_all(studio: StudioState, data: Path) -> None:
    _say(f"\n{table(studio)}\n\n{next_steps(studio, data)}")


def _say(text: str) -> None:
    print(text, flush=True)


def _port_base(text: str) -> int:
    number = int(text)
    if not 1024 <= number <= 65000:
        raise argparse.ArgumentTypeError("must be from 1024 to 65000")
    return number
