"""uvicorn's HTTP/1.1 connection with limits, so that clients without the token cannot occupy a service.

A connection waits while no request on it is being answered: it was just opened, or its headers are incomplete, or the
rest of a body comes after the answer. It is closed `HEADER_TIMEOUT_S` after it began to wait, whatever arrives, and
earlier if too many wait: for each new connection, the one that has waited longest is closed then. A connection is never
closed while a request on it is being answered, unless the client stops receiving the answer for `STALL_TIMEOUT_S`.

The entry `connection` in the state of each request is a dict for notes about its connection.
"""

import asyncio
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

HEADER_TIMEOUT_S = 10.0
"""uvicorn closes a connection without any new request after 5 s, but waits without limit for the end of its headers."""
SEND_TIMEOUT_S = 60.0
"""How long an answered client may take to receive the rest of the answer."""
STALL_TIMEOUT_S = 600.0
"""How long a client may receive nothing in the middle of an answer: a browser does so while its player is paused."""


def patient_connections(
    most_waiting: int, header_timeout_s: float = HEADER_TIMEOUT_S, stall_timeout_s: float = STALL_TIMEOUT_S
) -> type[H11Protocol]:
    """Return the class of the connections of one server, of which at most so many wait."""
    waiting: dict[asyncio.Protocol, asyncio.TimerHandle] = {}  # in the order in which they began

    class PatientConnection(H11Protocol):
        def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any], _loop: Any = None):
            super().__init__(config, server_state, {**app_state, "connection": {}}, _loop)

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._stall: asyncio.TimerHandle | None = None
            self._begin_to_wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._end_waiting()
            self._end_stall()
            super().connection_lost(exc)

        def handle_events(self) -> None:
            before = self.cycle
            super().handle_events()
            if self.cycle is not before and not self.cycle.response_complete:
                self._end_waiting()

        def on_response_complete(self) -> None:
            self._begin_to_wait()
            super().on_response_complete()  # may handle the next request, if it has arrived already

        def pause_writing(self) -> None:  # asyncio: the client does not receive as fast as we send
            super().pause_writing()
            self._stall = self.loop.call_later(stall_timeout_s, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._end_stall()

        def _end_stall(self) -> None:
            if self._stall is not None:
                self._stall.cancel()

        def _begin_to_wait(self) -> None:
            self._end_waiting()
            if len(waiting) >= most_waiting:
                longest = next(iter(waiting))
                assert isinstance(longest, PatientConnection)
                longest._close()
            waiting[self] = self.loop.call_later(header_timeout_s, self._close)

        def _end_waiting(self) -> None:
            if timer := waiting.pop(self, None):
                timer.cancel()

        def _close(self) -> None:
            self._end_waiting()
            self.transport.close()  # sends what is left, as long as the client receives it
            if self.transport.get_write_buffer_size():
                self.loop.call_later(SEND_TIMEOUT_S, self.transport.abort)

    return PatientConnection
