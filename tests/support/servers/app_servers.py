"""Serve ASGI apps on real ports of this machine."""

import socket
import threading
from typing import Any

import uvicorn
from starlette.types import ASGIApp


class AppServers:
    """Servers in threads, for one test."""

    def __init__(self) -> None:
        self._running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def serve(self, app: ASGIApp, port: int = 0, host: str = "127.0.0.1", **options: Any) -> str:
        """Start a server on this port (0: any free port) and return its address. It already accepts connections.

        `options` are those of uvicorn.
        """
        listener = socket.create_server((host, port))
        usual = {"log_config": None, "lifespan": "on", "ws": "none", "access_log": False}
        config = uvicorn.Config(app, **{**usual, "timeout_graceful_shutdown": 1, **options})
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        self._running.append((server, thread))
        return f"http://{host}:{listener.getsockname()[1]}"

    def stop(self) -> None:
        """Stop the servers in reverse order, because a server that calls another one was started later."""
        for server, thread in reversed(self._running):
            server.should_exit = True
            thread.join()
