"""A proxy in front of Postgres that cuts connections when a change is sent, as a network may."""

import re
import socket
import threading
from contextlib import suppress
from typing import Literal, Self
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict


class CuttingProxy:
    """Forwards connections to a Postgres until `cut` is set. Use it in a `with` statement."""

    def __init__(self, url: str) -> None:
        self._upstream = conninfo_to_dict(url)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.cut: Literal["", "before", "after"] = ""
        """Whether to cut a connection that sends a change: before Postgres gets it, or after, without the answer."""
        self.cut_at = rb"COMMIT|insert into"
        """A regular expression for what a client sends."""

    @property
    def url(self) -> str:
        """The address of the database, through the proxy."""
        user, password = self._upstream["user"], quote(str(self._upstream.get("password", "")), safe="")
        return f"postgresql://{user}:{password}@127.0.0.1:{self._listener.getsockname()[1]}/{self._upstream['dbname']}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = self._connect()
            for source, target, is_client in ((client, server, True), (server, client, False)):
                threading.Thread(target=self._forward, args=(source, target, is_client), daemon=True).start()

    def _connect(self) -> socket.socket:
        host, port = str(self._upstream.get("host", "127.0.0.1")), self._upstream.get("port", 5432)
        if not host.startswith("/"):
            return socket.create_connection((host, int(str(port))))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _forward(self, source: socket.socket, target: socket.socket, is_client: bool) -> None:
        try:
            while part := source.recv(65536):
                if is_client and self.cut and re.search(self.cut_at, part):
                    if self.cut == "after":
                        _close(source)
                        target.sendall(part)
                        target.shutdown(socket.SHUT_WR)  # Postgres still does what it got
                        continue
                    break
                target.sendall(part)
        except OSError:
            pass
        _close(source)
        if not (is_client and self.cut == "after"):
            _close(target)


def _close(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
