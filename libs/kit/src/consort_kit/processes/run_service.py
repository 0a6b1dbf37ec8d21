"""Run a service as a process: set up logs, listen, and stop when the launcher dies."""

import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from consort_kit import logs
from consort_kit.data_folder import problem_of_token
from consort_kit.processes.listening_sockets import CannotListen, bind, free_ports_at_end, inherited, stop_listening
from consort_kit.services import GATEWAY, SERVICES
from consort_kit.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

_FILES = 16_384
"""How many files a service may have open, if the system allows it. A quarter of them may be waiting connections."""
STOP_S = 6.0
"""How long a service may take to stop when the launcher has ended. The next start waits longer for its port."""

SettingsT = TypeVar("SettingsT", bound=Settings)
_log = logging.getLogger("consort")


def serve(name: str, make_app: Callable[[SettingsT], "FastAPI"], settings: SettingsT) -> None:
    """Serve the app until a signal comes or the launcher ends. End the process if its threads are stuck."""
    import uvicorn  # here: `consort specs` and tests do not need it

    from consort_kit.processes.patient_connections import patient_connections

    logs.set_up_logs(name, settings.log_level)
    if problem := problem_of_token(settings.token or ""):
        _log.error("%s", problem)
        sys.exit(1)
    if os.environ.get("CONSORT_WATCH_STDIN"):
        end_with_launcher()
    part = GATEWAY if name == "gateway" else SERVICES[name]
    try:
        sockets = inherited() or bind(settings.host, settings.port or settings.port_base + part.port_offset)
    except CannotListen as error:
        _log.error("%s", error.strerror)
        sys.exit(1)
    app = make_app(settings)
    config = uvicorn.Config(
        app,
        http=patient_connections(most_waiting=_allow_many_files() // 4),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        # psycopg's async connections need the selector loop on Windows (untested there)
        loop="asyncio:SelectorEventLoop" if sys.platform == "win32" else "auto",
    )

    class ServiceServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            free_ports_at_end(sockets or [])
            # The objects that exist now stay. Without this, garbage collection takes 0.1 s in the middle of a call.
            gc.freeze()

        async def on_tick(self, counter: int) -> bool:
            if counter % 50 == 0 and app.state.limits.is_stuck():  # Docker does not restart an unhealthy container
                _log.error("all threads work for calls that have ended; the process ends")
                os.kill(os.getpid(), signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
            return await super().on_tick(counter)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            stop_listening(sockets or [])  # the launcher may still hold them
            await super().shutdown(sockets)

    server = ServiceServer(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets)
    if not server.started:
        sys.exit(1)


def _allow_many_files() -> int:
    """Raise the limit of open files, to which connections count, as far as is useful. Return the limit."""
    if sys.platform == "win32":
        return _FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return _FILES
    with contextlib.suppress(OSError, ValueError):  # the system has a lower limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def end_with_launcher() -> None:
    """Stop this process when stdin ends, and kill it if it has not ended after `STOP_S`.

    Stdin is a pipe that the launcher holds open, so this works even if the launcher was killed with SIGKILL. Postgres
    then stops at the same time, and what waits for it could keep the process and its port for minutes.
    """

    def wait_for_end() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(STOP_S)
        os._exit(1)

    threading.Thread(target=wait_for_end, name="launcher-watch", daemon=True).start()
