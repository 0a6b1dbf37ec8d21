"""The launcher: run Postgres, the services and the gateway of one data folder until it is stopped.

All processes start at the same time, as soon as the database cluster exists. Each service waits for the database.
`restarting_process` restarts a process that crashes or stops answering. The launcher binds the ports of all services
and keeps them until it ends, so that no other program can take one (see kit's `listening_sockets`). If the launcher
dies, the services stop because their stdin closes. On Linux the kernel then signals Postgres to stop; on other systems
the next launcher stops it.

`python -m consort_cli.launcher.run_studio` is the detached launcher; `consort up` runs the same code in the foreground.
"""

import argparse
import asyncio
import errno
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from types import FrameType

from consort_cli.launcher import health_checks, run_folder
from consort_cli.launcher.data_version import check_data_version
from consort_cli.launcher.embedded_postgres import EmbeddedPostgres
from consort_cli.launcher.errors import AlreadyRuns, LauncherError, PortBusy, PostgresError
from consort_cli.launcher.restarting_process import ManagedProgram, RestartingProcess, WaitTimes
from consort_cli.launcher.restore_marker import check_restored
from consort_cli.launcher.settings_check import check_settings
from consort_cli.log_lines import LAUNCHER, log_file, rotate_if_large
from consort_kit.data_folder import make_private_folder
from consort_kit.processes.listening_sockets import CAN_INHERIT, VARIABLE, CannotListen, numbers_of, reserve
from consort_kit.processes.studio_state import StudioState, remove_studio_state, studio_state_file
from consort_kit.services import POSTGRES_PORT_OFFSET, STUDIO_PARTS, StudioPart
from consort_kit.storage.migration_files import MadeByNewer

IDLE_S = 600.0
_TICK_S = 0.25
_TIMES = WaitTimes()
_POSTGRES_TIMES = WaitTimes(stop=30.0)
_PLAYBACK_TIMES = WaitTimes(children_end=1.5)
"""The agent's child processes need this time to end sounding notes when the agent dies."""
_OTHER_STOP_S = 40.0
"""How long the launcher waits for another launcher that is stopping."""
_OLD_SERVICES_S = 12.0
"""How long the launcher waits for ports of services that are stopping because their launcher was killed."""
_FOLDERS_OF_SERVICES = ("audio", "cache", "export", "import", "midi", "notation", "uploads")
"""They may exist with rights of others, made by an earlier Consort. The data folder itself may be the user's own."""
_DATABASE_S = 5.0
"""How long the launcher waits for the database in CONSORT_DATABASE_URL."""


class Launcher:
    """Runs the studio. `await run()` returns when all processes have stopped.

    A signal, `request_stop` or `consort down` stops them. With `while_used`, so do `idle_s` seconds without a client.
    """

    def __init__(
        self,
        data: Path,
        port_base: int,
        *,
        while_used: bool = False,
        idle_s: float = IDLE_S,
    ) -> None:
        self.data = data
        self.studio = StudioState(launcher_pid=os.getpid(), port_base=port_base)
        self._while_used = while_used
        self._idle_s = idle_s
        self._given_database = os.environ.get("CONSORT_DATABASE_URL")
        self._postgres: EmbeddedPostgres | None = None
        self._processes: list[RestartingProcess] = []
        self._sockets: dict[str, list[socket.socket]] = {}
        self._lock = run_folder.launcher_lock(data)
        self._stop = asyncio.Event()
        self._stopping = False
        self._was_killed = False

    async def run(self, concurrently: Callable[[], Awaitable[None]] | None = None) -> None:
        """Run the studio until it is stopped. `concurrently` runs at the same time (to show progress)."""
        self._make_folders()
        await self._take_lock()
        watcher = None
        old_handlers = self._handle_signals()
        try:
            await self._prepare()
            watcher = asyncio.create_task(self._run_concurrently(concurrently)) if concurrently else None
            await self._start()
            await self._wait_for_stop()
        finally:
            self._stopping = True
            remove_studio_state(self.data)  # without this file, other launchers wait for the lock
            await self._stop_all()
            if self._postgres is not None:
                self._postgres.address.remove_folder()
            for each in chain.from_iterable(self._sockets.values()):
                each.close()
            if watcher is not None:
                watcher.cancel()
                with suppress(asyncio.CancelledError):
                    await watcher
            run_folder.stop_marker(self.data).unlink(missing_ok=True)
            run_folder.while_used_marker(self.data).unlink(missing_ok=True)
            for number, handler in old_handlers.items():
                signal.signal(number, handler)

    def request_stop(self) -> None:
        """Stop all processes in order. A second call kills those still running."""
        if self._stop.is_set():
            for process in self._processes:
                process.kill()
        self._stop.set()

    def write_log(self, level: str, message: str) -> None:
        """Write a line to the launcher's log."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "level": level, "service": LAUNCHER, "message": message})
        with suppress(OSError), log_file(self.data, LAUNCHER).open("a") as log:
            log.write(line + "\n")

    async def _run_concurrently(self, concurrently: Callable[[], Awaitable[None]]) -> None:
        try:
            await concurrently()
        except Exception:  # for example, the output pipe was closed, as in `consort up | head`
            self.request_stop()
            raise

    def _make_folders(self) -> None:
        self.data.mkdir(parents=True, mode=0o700, exist_ok=True)  # tokens, logs and music are private
        make_private_folder(self.data / "logs")
        for name in _FOLDERS_OF_SERVICES:
            if (self.data / name).is_dir():
                make_private_folder(self.data / name)
        rotate_if_large(log_file(self.data, LAUNCHER))

    async def _take_lock(self) -> None:
        """Take the lock and hold it until this process ends. `consort down` waits until the lock is free."""
        end = time.monotonic() + _OTHER_STOP_S
        while not self._lock.acquire():
            runs = run_folder.running_studio(self.data)
            if runs or time.monotonic() > end:
                raise AlreadyRuns(f"Another launcher runs the studio in {self.data}.")
            await asyncio.sleep(0.1)  # the other launcher is stopping or has just begun
        # A killed launcher leaves its state, which would be taken for ours: the studio would seem to be healthy.
        self._was_killed = studio_state_file(self.data).exists()
        remove_studio_state(self.data)
        run_folder.stop_marker(self.data).unlink(missing_ok=True)

    def _handle_signals(self) -> dict[int, "signal._HANDLER"]:
        loop = asyncio.get_running_loop()

        def stop(_number: int, _frame: FrameType | None) -> None:
            loop.call_soon_threadsafe(self.request_stop)

        numbers = [signal.SIGINT, signal.SIGTERM]
        if sys.platform != "win32":
            numbers.append(signal.SIGHUP)  # the terminal was closed
        return {number: signal.signal(number, stop) for number in numbers}

    async def _prepare(self) -> None:
        """Check the settings and the database, and take the ports. Raise LauncherError if one of them is not usable."""
        check_settings(self.data)
        check_restored(self.data)
        if not self._given_database:
            check_data_version(self.data)
        marker = run_folder.while_used_marker(self.data)
        marker.touch() if self._while_used else marker.unlink(missing_ok=True)
        base = self.studio.port_base
        ports = {name: base + part.port_offset for name, part in STUDIO_PARTS.items()}
        if not self._given_database:
            self._postgres = EmbeddedPostgres(self.data, base + POSTGRES_PORT_OFFSET)
            await asyncio.to_thread(self._postgres.stop_abandoned_server)
        self._sockets = await _reserve_ports(ports, _OLD_SERVICES_S if self._was_killed else 0.0)
        run_folder.remember_port_base(self.data, base)
        if self._given_database:
            await asyncio.to_thread(_check_database, self._given_database)

    async def _start(self) -> None:
        if self._postgres is not None:
            self._processes.append(self._process_of_postgres(self._postgres))
            self._write_state()
            await asyncio.to_thread(self._postgres.prepare)
        if self._stop.is_set():
            return
        environment = self._environment()
        self._processes += [self._process_of_part(name, part, environment) for name, part in STUDIO_PARTS.items()]
        self._write_state()
        for process in self._processes:
            process.start()

    def _environment(self) -> dict[str, str]:
        ours = {
            "CONSORT_DATA": str(self.data),
            "CONSORT_PORT_BASE": str(self.studio.port_base),
            "CONSORT_DATABASE_URL": self._postgres.url if self._postgres else self._given_database or "",
            "CONSORT_WATCH_STDIN": "1",
            "PYTHONUTF8": "1",
        }
        kept = {name: value for name, value in os.environ.items() if name != "CONSORT_PORT"}  # each has its own port
        return kept | ours

    def _process_of_part(self, name: str, part: StudioPart, environment: dict[str, str]) -> RestartingProcess:
        port, sockets = self.studio.port_base + part.port_offset, self._sockets.get(name, [])
        program = ManagedProgram(
            name=name,
            command=lambda: [sys.executable, "-P", "-m", part.module],  # -P: import nothing from the current folder
            environment=environment | ({VARIABLE: numbers_of(sockets)} if sockets else {}),
            sockets=sockets,
            log=log_file(self.data, name),
            is_healthy=lambda _pid: health_checks.is_healthy(port, _TIMES.check),
        )
        times = _PLAYBACK_TIMES if name == "playback" else _TIMES
        return RestartingProcess(program, times, self._write_state, self.write_log)

    def _process_of_postgres(self, postgres: EmbeddedPostgres) -> RestartingProcess:
        async def is_healthy(pid: int) -> bool:
            return postgres.is_ready(pid) and await health_checks.postgres_answers(postgres.address)

        program = ManagedProgram(
            name="postgres",
            command=postgres.command,
            environment=postgres.environment,
            log=log_file(self.data, "postgres"),
            is_healthy=is_healthy,
            send_stop=postgres.send_stop,
            send_kill=lambda pid: postgres.send_stop(pid, at_once=True),
            prepare=postgres.prepare,
        )
        return RestartingProcess(program, _POSTGRES_TIMES, self._write_state, self.write_log)

    def _write_state(self) -> None:
        if self._stopping:
            return
        self.studio.services = {process.name: process.state for process in self._processes}
        with suppress(OSError):  # continue even if the disk is full
            self.studio.write(self.data)

    async def _wait_for_stop(self) -> None:
        """Wait until the studio must stop. Meanwhile, truncate large logs and check for connected clients."""
        used = looked = time.monotonic()
        while not self._stop.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), _TICK_S)
            if run_folder.stop_marker(self.data).exists():
                return
            now = time.monotonic()
            if now - looked < min(5.0, self._idle_s / 4):
                continue
            looked = now
            for process in self._processes:
                with suppress(OSError):
                    rotate_if_large(log_file(self.data, process.name))
            if not run_folder.while_used_marker(self.data).exists() or run_folder.has_clients(self.data):
                used = now
            elif now - used > self._idle_s:
                self.write_log("INFO", f"the studio had no client for {self._idle_s:g} s and stops")
                return

    async def _stop_all(self) -> None:
        """Stop the gateway first, so that no new call begins, and Postgres last, so that running calls can end."""
        self._stop.set()
        first = [process for process in self._processes if process.name == "gateway"]
        last = [process for process in self._processes if process.name == "postgres"]
        between = [process for process in self._processes if process not in first + last]
        for group in (first, between, last):
            await asyncio.gather(*(process.stop() for process in group))


def _check_database(url: str) -> None:
    from consort_kit.storage.postgres import DatabaseUnavailable, inspect_database  # slow to import and rarely needed

    try:
        inspect_database(url, _DATABASE_S)
    except DatabaseUnavailable as error:
        raise PostgresError(f"CONSORT_DATABASE_URL is set, but {error}") from error
    except MadeByNewer as error:
        raise PostgresError(str(error)) from error


async def _reserve_ports(ports: dict[str, int], timeout_s: float) -> dict[str, list[socket.socket]]:
    """Return sockets at which the parts will listen, by part. Where they cannot be inherited, only check the ports."""
    hosts = os.environ.get("CONSORT_HOST") or "127.0.0.1"
    reserved: dict[str, list[socket.socket]] = {}
    end = time.monotonic() + timeout_s
    for name, port in ports.items():
        while True:
            try:
                reserved[name] = reserve(hosts, port)
                break
            except CannotListen as error:
                if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                    raise PortBusy(f"{name} {error.strerror}. CONSORT_HOST is {hosts!r}.") from None
                if time.monotonic() >= end:
                    raise PortBusy(
                        f"Port {port}, which {name} needs, is in use{health_checks.user_of(port)}. "
                        f"Stop what uses it, or choose another range with --port-base (now {min(ports.values())})."
                    ) from None
            await asyncio.sleep(0.1)
    if CAN_INHERIT:
        return reserved
    for each in chain.from_iterable(reserved.values()):
        each.close()
    return {}


def main() -> int:
    parser = argparse.ArgumentParser(
        description="The detached launcher; started by `consort up --detach` and `consort mcp`."
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--port-base", type=int, required=True)
    parser.add_argument("--while-used", action="store_true")
    parser.add_argument("--idle-seconds", type=float, default=IDLE_S)
    args = parser.parse_args()

    async def run() -> int:
        launcher = Launcher(args.data, args.port_base, while_used=args.while_used, idle_s=args.idle_seconds)
        try:
            await launcher.run()
        except AlreadyRuns:
            return AlreadyRuns.exit_code
        except (LauncherError, OSError) as error:
            launcher.write_log("ERROR", str(error))
            return 1
        return 0

    return asyncio.run(run())


if __name__ == "__main__":
    sys.exit(main())
