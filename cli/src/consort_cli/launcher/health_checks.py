"""Check whether a service or Postgres answers, and whether a port is free.

The requests are written by hand, because importing an HTTP client takes 0.2 s.
"""

import asyncio
import errno
import json
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from consort_cli.launcher.postgres_address import PostgresAddress

_SSL_REQUEST = bytes.fromhex("0000000804d2162f")
"""A Postgres client's first message. A running postmaster replies with one byte, without asking for a password."""


async def is_healthy(port: int, timeout_s: float = 5.0) -> bool:
    return await _get(port, "/health", timeout_s) is not None


async def version_of(port: int, timeout_s: float = 5.0) -> str | None:
    body = await _get(port, "/version", timeout_s)
    try:
        answer: Any = json.loads(body or b"null")
    except ValueError:
        return None
    return str(answer["version"]) if isinstance(answer, dict) and "version" in answer else None


async def postgres_answers(address: PostgresAddress, timeout_s: float = 5.0) -> bool:
    return bool(await _exchange(address.socket or address.port, _SSL_REQUEST, 1, timeout_s))


async def _get(port: int, path: str, timeout_s: float) -> bytes | None:
    """Return the body of the response, or None if its status is not 200 or there is none in time."""
    request = f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    head, _, body = (await _exchange(port, request, -1, timeout_s)).partition(b"\r\n\r\n")
    return body if head.split(b" ", 2)[1:2] == [b"200"] else None


async def _exchange(place: int | Path, request: bytes, length: int, timeout_s: float) -> bytes:
    """Send the request to a port or a Unix socket. Return up to `length` bytes of the response (-1: all).

    Return b"" if there is none in time.
    """
    try:
        async with asyncio.timeout(timeout_s):
            if isinstance(place, int):
                reader, writer = await asyncio.open_connection("127.0.0.1", place)
            else:
                reader, writer = await asyncio.open_unix_connection(place)
            try:
                writer.write(request)
                return await reader.read(length)
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return b""


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        if sys.platform != "win32":  # on Windows this option would let two processes listen on one port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                return False
            raise
    return True


def user_of(port: int) -> str:
    """Return the process that listens on the port, such as ` by process 7 (name)`, or "" if it cannot be found."""
    import psutil

    with suppress(psutil.Error, OSError):
        for connection in psutil.net_connections("tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr.port == port and connection.pid:
                return f" by process {connection.pid} ({psutil.Process(connection.pid).name()})"
    return ""
