"""The launcher: runs Postgres, the services and the gateway of one data folder, and nothing else, until it is stopped.

All start at once, as soon as the database cluster exists; each service waits for the database by itself. A part that
crashes or falls silent is started again (see `keeper.py`). A service ends by itself when the launcher dies, because its
stdin does; Postgres ends by a signal that Linux sends then, and elsewhere at the next start.

`python -m consort_cli.supervisor` is the detached launcher; `consort up` runs the same in the foreground.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from consort_cli import probes, run_folder
from consort_cli.errors import AlreadyRuns, LauncherError, PortBusy, PostgresError
from consort_cli.keeper import Keeper, Patience, Program
from consort_cli.log_lines import LAUNCHER, keep_small, log_file
from consort_cli.postgres import EmbeddedPostgres
from consort_cli.settings_check import check_settings
from consort_kit.services import GATEWAY, POSTGRES_PORT_OFFSET, SERVICES, Part
from consort_kit.stack import Stack, remove_stack

IDLE_S = 600.0
_TICK_S = 0.25
_PARTS = {**SERVICES, "gateway": GATEWAY}
_PATIENCE = Patience()
_POSTGRES_PATIENCE = Patience(stop=30.0)
_PLAYBACK_PATIENCE = Patience(leave=1.5)
"""Players end the notes that sound when their agent dies."""
_HAND_OVER_S = 40.0
"""How long a new launcher waits for one that is stopping."""
_LEFT_OVER_S = 8.0
"""How long it waits for the ports of services whose launcher was killed, and who are ending by themselves."""
_DATABASE_S = 5.0
"""How long it waits for a database that is not the embedded one."""


class Supervisor:
    """`await run()` returns when all has been stopped: by a signal, `request_stop`, `consort down`, or disuse."""

    def __init__(
        self,
        data: Path,
        port_base: int,
        *,
        while_used: bool = False,
        idle_s: float = IDLE_S,
    ) -> None:
        self.data = data
        self.stack = Stack(launcher_pid=os.getpid(), port_base=port_base)
        self._while_used = while_used
        self._idle_s = idle_s
        self._given_database = os.environ.get("CONSORT_DATABASE_URL")
        self._postgres: EmbeddedPostgres | None = None
        self._keepers: list[Keeper] = []
        self._lock = run_folder.launcher_lock(data)
        self._stop = asyncio.Event()
        self._stopping = False

    async def run(self, beside: Callable[[], Awaitable[None]] | None = None) -> None:
        """`beside` runs along, for the one who watches; it is cancelled when the stack has stopped."""
        self._make_folders()
        await self._take_lock()
        watcher = None
        old_handlers = self._handle_signals()
        try:
            await self._prepare()
            watcher = asyncio.create_task(self._run_beside(beside)) if beside else None
            await self._start()
            await self._wait_for_stop()
        finally:
            self._stopping = True
            remove_stack(self.data)  # whoever wants a running stack now waits for the lock
            await self._stop_all()
            if watcher is not None:
                watcher.cancel()
                with suppress(asyncio.CancelledError):
                    await watcher
            run_folder.stop_marker(self.data).unlink(missing_ok=True)
            run_folder.while_used_marker(self.data).unlink(missing_ok=True)
            for number, handler in old_handlers.items():
                signal.signal(number, handler)

    def request_stop(self) -> None:
        """Once: stop in order. Again: kill what still runs."""
        if self._stop.is_set():
            for keeper in self._keepers:
                keeper.kill()
        self._stop.set()

    def note(self, level: str, message: str) -> None:
        """A line in the launcher's log."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "level": level, "service": LAUNCHER, "message": message})
        with suppress(OSError), log_file(self.data, LAUNCHER).open("a") as log:
            log.write(line + "\n")

    async def _run_beside(self, beside: Callable[[], Awaitable[None]]) -> None:
        try:
            await beside()
        except Exception:  # whoever read our output has gone: `consort up | head`
            self.request_stop()
            raise

    def _make_folders(self) -> None:
        if not self.data.exists():
            self.data.mkdir(parents=True, mode=0o700)  # tokens, logs and music are the user's own
        (self.data / "logs").mkdir(mode=0o700, exist_ok=True)
        keep_small(log_file(self.data, LAUNCHER))

    async def _take_lock(self) -> None:
        """Held until the process ends: whoever waits for that, such as `consort down`, waits for all of it."""
        end = time.monotonic() + _HAND_OVER_S
        while not self._lock.acquire():
            runs = run_folder.running_stack(self.data)
            if runs or time.monotonic() > end:
                raise AlreadyRuns(f"Another launcher runs the studio in {self.data}.")
            await asyncio.sleep(0.1)  # the other one is stopping, or has only just begun
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
        """All that can fail for good fails here, before a service is started."""
        check_settings()
        marker = run_folder.while_used_marker(self.data)
        marker.touch() if self._while_used else marker.unlink(missing_ok=True)
        was_killed = (run_folder.folder(self.data) / "stack.json").exists()
        base = self.stack.port_base
        ports = {name: base + part.port_offset for name, part in _PARTS.items()}
        if not self._given_database:
            self._postgres = EmbeddedPostgres(self.data, base + POSTGRES_PORT_OFFSET)
            ports["postgres"] = self._postgres.port
            await asyncio.to_thread(self._postgres.stop_left_over)
        await _check_ports(ports, _LEFT_OVER_S if was_killed else 0.0)
        run_folder.remember_port_base(self.data, base)
        if self._given_database:
            await asyncio.to_thread(_check_database, self._given_database)

    async def _start(self) -> None:
        if self._postgres is not None:
            self._keepers.append(self._postgres_keeper(self._postgres))
            self._write_stack()
            await asyncio.to_thread(self._postgres.prepare)
        if self._stop.is_set():
            return
        environment = self._environment()
        self._keepers += [self._part_keeper(name, part, environment) for name, part in _PARTS.items()]
        self._write_stack()
        for keeper in self._keepers:
            keeper.start()

    def _environment(self) -> dict[str, str]:
        ours = {
            "CONSORT_DATA": str(self.data),
            "CONSORT_PORT_BASE": str(self.stack.port_base),
            "CONSORT_DATABASE_URL": self._postgres.url if self._postgres else self._given_database or "",
            "CONSORT_WATCH_STDIN": "1",
            "PYTHONUTF8": "1",
        }
        kept = {name: value for name, value in os.environ.items() if name != "CONSORT_PORT"}  # one port for all: no
        return kept | ours

    def _part_keeper(self, name: str, part: Part, environment: dict[str, str]) -> Keeper:
        port = self.stack.port_base + part.port_offset
        program = Program(
            name=name,
            command=lambda: [sys.executable, "-P", "-m", part.module],  # -P: no module of the current folder
            environment=environment,
            log=log_file(self.data, name),
            is_healthy=lambda _pid: probes.is_healthy(port, _PATIENCE.check),
        )
        patience = _PLAYBACK_PATIENCE if name == "playback" else _PATIENCE
        return Keeper(program, patience, self._write_stack, self.note)

    def _postgres_keeper(self, postgres: EmbeddedPostgres) -> Keeper:
        async def is_healthy(pid: int) -> bool:
            return postgres.is_ready(pid) and await probes.postgres_answers(postgres.port)

        program = Program(
            name="postgres",
            command=postgres.command,
            environment=postgres.environment,
            log=log_file(self.data, "postgres"),
            is_healthy=is_healthy,
            send_stop=postgres.send_stop,
            send_kill=lambda pid: postgres.send_stop(pid, at_once=True),
            prepare=postgres.prepare,
        )
        return Keeper(program, _POSTGRES_PATIENCE, self._write_stack, self.note)

    def _write_stack(self) -> None:
        if self._stopping:
            return
        self.stack.services = {keeper.name: keeper.state for keeper in self._keepers}
        with suppress(OSError):  # a full disk is no reason to stop looking after the services
            self.stack.write(self.data)

    async def _wait_for_stop(self) -> None:
        """Until something asks for it; small duties meanwhile."""
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
            for keeper in self._keepers:
                with suppress(OSError):
                    keep_small(log_file(self.data, keeper.name))
            if not run_folder.while_used_marker(self.data).exists() or run_folder.has_clients(self.data):
                used = now
            elif now - used > self._idle_s:
                self.note("INFO", f"nobody has used the studio for {self._idle_s:g} s; it stops")
                return

    async def _stop_all(self) -> None:
        """The gateway first, so that no call begins; Postgres last, so that every call can end."""
        self._stop.set()
        first = [keeper for keeper in self._keepers if keeper.name == "gateway"]
        last = [keeper for keeper in self._keepers if keeper.name == "postgres"]
        between = [keeper for keeper in self._keepers if keeper not in first + last]
        for group in (first, between, last):
            await asyncio.gather(*(keeper.stop() for keeper in group))


def _check_database(url: str) -> None:
    from consort_kit.postgres import DatabaseAway, look_at_database  # takes time to import, and is rarely needed

    try:
        look_at_database(url, _DATABASE_S)
    except DatabaseAway as error:
        raise PostgresError(f"CONSORT_DATABASE_URL is set, but {error}") from error


async def _check_ports(ports: dict[str, int], patience_s: float) -> None:
    end = time.monotonic() + patience_s
    for name, port in ports.items():
        while not probes.is_free(port):
            if time.monotonic() >= end:
                raise PortBusy(
                    f"Port {port}, which {name} needs, is in use{probes.user_of(port)}. "
                    f"Stop what uses it, or choose another range with --port-base (now {min(ports.values())})."
                )
            await asyncio.sleep(0.1)


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
        supervisor = Supervisor(args.data, args.port_base, while_used=args.while_used, idle_s=args.idle_seconds)
        try:
            await supervisor.run()
        except AlreadyRuns:
            return AlreadyRuns.exit_code
        except (LauncherError, OSError) as error:
            supervisor.note("ERROR", str(error))
            return 1
        return 0

    return asyncio.run(run())


if __name__ == "__main__":
    sys.exit(main())
