"""Serve ASGI apps on real ports of this machine."""

import socket
import threading

import uvicorn
from starlette.types import ASGIApp


class AppServers:
    """Servers in threads, for one test."""

    def __init__(self) -> None:
        self._running: list[tuple[uvicorn.Server, threading.Thread]] = []

    def serve(self, app: ASGIApp, port: int = 0) -> str:
        """Start a server on this port (0: any free port) and return its address. It already accepts connections."""
        listener = socket.create_server(("127.0.0.1", port))
        config = uvicorn.Config(
            app, log_config=None, lifespan="on", ws="none", access_log=False, timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        self._running.append((server, thread))
        return f"http://127.0.0.1:{listener.getsockname()[1]}"

    def stop(self) -> None:
        """Stop the servers in reverse order, because a server that calls another one was started later."""
        for server, thread in reversed(self._running):
            server.should_exit = True
            thread.join()
