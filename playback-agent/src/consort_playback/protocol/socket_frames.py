"""Reads and writes frames on a socket. A frame has two sizes, a JSON head, and raw bytes (the payload).

Sockets are used instead of pipes, because `select` and asyncio work with sockets on every system. A child reads in
small pieces, so that receiving long music never delays a note.
"""

import socket
import struct
from typing import NamedTuple

MAX_READ_BYTES = 65536
SIZES = struct.Struct("!II")
"""The first bytes of a frame: the lengths of head and payload in bytes."""


class SocketFrame(NamedTuple):
    head: bytes | bytearray
    payload: bytes | bytearray = b""


class ConnectionClosed(Exception):
    """The process at the other end has ended."""


def pack_frame(head: bytes, payload: bytes | bytearray = b"") -> bytes:
    return SIZES.pack(len(head), len(payload)) + head + payload


class SocketFrameReader:
    """Reads frames from a socket, at most `MAX_READ_BYTES` bytes in a call."""

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._head_size: int | None = None
        self._payload_size = 0
        self._head: bytearray | None = None
        self._begin_part(SIZES.size)

    def _begin_part(self, size: int) -> None:
        self._part, self._received = bytearray(size), 0

    def read(self) -> SocketFrame | None:
        """Read once. Return a frame if it is complete now, otherwise None. Raise ConnectionClosed at the end."""
        try:
            free = memoryview(self._part)[self._received : self._received + MAX_READ_BYTES]
            count = self._socket.recv_into(free)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError as error:
            raise ConnectionClosed from error
        if not count:
            raise ConnectionClosed
        self._received += count
        return self._finish_part() if self._received == len(self._part) else None

    def _finish_part(self) -> SocketFrame | None:
        """Begin the next part (sizes, head, then payload if there is one). Return the frame after its last part."""
        if self._head_size is None:
            self._head_size, self._payload_size = SIZES.unpack(self._part)
            self._begin_part(self._head_size)
            return None
        if self._head is None:
            self._head = self._part
            if self._payload_size:
                self._begin_part(self._payload_size)
                return None
            frame = SocketFrame(self._head)
        else:
            frame = SocketFrame(self._head, self._part)
        self._head_size = self._head = None
        self._begin_part(SIZES.size)
        return frame

    def read_whole(self) -> SocketFrame:
        """Read until a frame is complete, and return it. For blocking sockets only."""
        while (frame := self.read()) is None:
            pass
        return frame
