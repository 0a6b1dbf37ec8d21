"""Runs a service as a process: logs, port, and an end when its launcher ends."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from starlette.types import ASGIApp

from consort_kit import logs
from consort_kit.services import GATEWAY, SERVICES
from consort_kit.settings import Settings

SettingsT = TypeVar("SettingsT", bound=Settings)


def serve(name: str, make_app: Callable[[SettingsT], ASGIApp], settings: SettingsT) -> None:
    import uvicorn  # here, so that writing a spec or a test does not pay for it

    logs.set_up_logs(name, settings.log_level)
    if os.environ.get("CONSORT_WATCH_STDIN"):
        end_with_launcher()
    part = GATEWAY if name == "gateway" else SERVICES[name]
    uvicorn.run(
        make_app(settings),
        host=settings.host,
        port=settings.port or settings.port_base + part.port_offset,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        # psycopg's async connections need the selector loop on Windows (untested there)
        loop="asyncio:SelectorEventLoop" if sys.platform == "win32" else "auto",
    )


def end_with_launcher() -> None:
    """Stop when stdin ends: the launcher holds the other side of that pipe, so its death, even by kill -9, is seen."""

    def wait_for_end() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait_for_end, name="launcher-watch", daemon=True).start()
