"""Run a service as a process: set up logs, bind the port, and stop when the launcher dies."""

import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from starlette.types import ASGIApp

from consort_kit import logs
from consort_kit.data_folder import problem_of_token
from consort_kit.services import GATEWAY, SERVICES
from consort_kit.settings import Settings

SettingsT = TypeVar("SettingsT", bound=Settings)


def serve(name: str, make_app: Callable[[SettingsT], ASGIApp], settings: SettingsT) -> None:
    import uvicorn  # here: `consort specs` and tests do not need it

    logs.set_up_logs(name, settings.log_level)
    if problem := problem_of_token(settings.token or ""):
        logging.getLogger("consort").error("%s", problem)
        sys.exit(1)
    if os.environ.get("CONSORT_WATCH_STDIN"):
        end_with_launcher()
    part = GATEWAY if name == "gateway" else SERVICES[name]
    sockets = bind(settings.host, settings.port or settings.port_base + part.port_offset)
    config = uvicorn.Config(
        make_app(settings),
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        # psycopg's async connections need the selector loop on Windows (untested there)
        loop="asyncio:SelectorEventLoop" if sys.platform == "win32" else "auto",
    )

    class FreezingServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            # The objects that exist now stay. Without this, garbage collection takes 0.1 s in the middle of a call.
            gc.freeze()

    server = FreezingServer(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets)
    if not server.started:
        sys.exit(1)


def bind(hosts: str, port: int) -> list[socket.socket]:
    """Return a socket bound to the port at each address in `hosts`, a text with commas between the addresses.

    The server begins to listen later, when the app is ready. End the process if an address cannot be bound.
    """
    sockets = []
    with contextlib.ExitStack() as taken:
        for host in map(str.strip, hosts.split(",")):
            try:
                family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
                new = taken.enter_context(socket.socket(family, kind, protocol))
                if os.name != "nt":  # on Windows it would let two servers share the port
                    new.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    new.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                new.bind(address)
            except OSError as error:
                logging.getLogger("consort").error("cannot listen on %s, port %d: %s", host, port, error.strerror)
                sys.exit(1)
            sockets.append(new)
        taken.pop_all()  # no error: keep the sockets open
    return sockets


def end_with_launcher() -> None:
    """Stop this process when stdin ends.

    Stdin is a pipe that the launcher holds open, so this works even if the launcher was killed with SIGKILL.
    """

    def wait_for_end() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait_for_end, name="launcher-watch", daemon=True).start()
