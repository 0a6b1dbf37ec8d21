"""What agent and children say to each other: frames of a JSON head and raw bytes, over a socket.

A socket, because `select` and asyncio work with sockets on every system. The player reads in small pieces, so that
long music on its way never delays a note.
"""

import json
import socket
import struct
from typing import Any, NamedTuple

PIECE = 65536
SIZES = struct.Struct("!II")


class Frame(NamedTuple):
    head: dict[str, Any]
    payload: bytes | bytearray = b""


class Closed(Exception):
    """The other side is gone."""


def pack(head: dict[str, Any], payload: bytes = b"") -> bytes:
    text = json.dumps(head, separators=(",", ":")).encode()
    return SIZES.pack(len(text), len(payload)) + text + payload


class FrameReader:
    """Reads frames from a socket, at most a piece at a call."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._begin(bytearray(SIZES.size))

    def _begin(self, part: bytearray) -> None:
        self._part, self._got = part, 0

    def read(self) -> Frame | None:
        """A frame, if this piece completed one. Raises Closed at the end."""
        try:
            count = self._socket.recv_into(memoryview(self._part)[self._got : self._got + PIECE])
        except (BlockingIOError, InterruptedError):
            return None
        except OSError as error:
            raise Closed from error
        if not count:
            raise Closed
        self._got += count
        return self._advance() if self._got == len(self._part) else None

    _head_size: int | None = None
    _payload_size = 0
    _head: dict[str, Any] | None = None

    def _advance(self) -> Frame | None:
        """A part is complete: sizes, then head, then payload if there is one."""
        if self._head_size is None:
            self._head_size, self._payload_size = SIZES.unpack(self._part)
            self._begin(bytearray(self._head_size))
            return None
        payload: bytes | bytearray = b""
        if self._head is None:
            self._head = json.loads(self._part)
            if self._payload_size:
                self._begin(bytearray(self._payload_size))
                return None
        else:
            payload = self._part
        frame = Frame(self._head or {}, payload)
        self._head_size = self._head = None
        self._begin(bytearray(SIZES.size))
        return frame
