"""Is it alive? Small requests over the loopback, by hand: an HTTP client costs the command line 0.2 s to import."""

import asyncio
import json
from typing import Any

_SSL_REQUEST = bytes.fromhex("0000000804d2162f")
"""What a Postgres client may send first. The answer, one byte, needs a living postmaster and no password."""


async def is_healthy(port: int, timeout_s: float = 5.0) -> bool:
    return await _get(port, "/health", timeout_s) is not None


async def version_of(port: int, timeout_s: float = 5.0) -> str | None:
    body = await _get(port, "/version", timeout_s)
    try:
        answer: Any = json.loads(body or b"null")
    except ValueError:
        return None
    return str(answer["version"]) if isinstance(answer, dict) and "version" in answer else None


async def postgres_answers(port: int, timeout_s: float = 5.0) -> bool:
    return bool(await _exchange(port, _SSL_REQUEST, 1, timeout_s))


async def _get(port: int, path: str, timeout_s: float) -> bytes | None:
    """The body of a 200 answer, else None."""
    request = f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    head, _, body = (await _exchange(port, request, -1, timeout_s)).partition(b"\r\n\r\n")
    return body if head.split(b" ", 2)[1:2] == [b"200"] else None


async def _exchange(port: int, request: bytes, length: int, timeout_s: float) -> bytes:
    """Send the request and read `length` bytes, or all there is; nothing when there is no answer in time."""
    try:
        async with asyncio.timeout(timeout_s):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(request)
                return await reader.read(length)
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return b""
