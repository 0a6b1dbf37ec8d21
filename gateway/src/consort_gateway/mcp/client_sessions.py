"""Find out which client an MCP request over HTTP comes from.

In the older protocol a client first sends `initialize`. The response has a new id in the header `Mcp-Session-Id`, which
the client sends with all later requests. The gateway does not store the ids, so they stay valid when it restarts. The
stateless protocol (2026-07-28) has no such header: there a client may send `Consort-Client`.
"""

import json
from typing import Any

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from consort_kit.errors import InvalidInput, NotFound
from consort_kit.http.app import error_response
from consort_kit.tools.client_ids import CLIENT_HEADER, check_client_id, is_client_id, new_client_id


def client_of(request: Any) -> str | None:
    """Return the client id in an HTTP request, or None if it has none or `request` is not an HTTP request (stdio)."""
    return _client_in(request.headers) if isinstance(request, Request) else None


def _client_in(headers: Headers) -> str | None:
    return headers.get(CLIENT_HEADER) or headers.get(MCP_SESSION_ID_HEADER)


class ClientSessions:
    """Middleware that gives an id to a client that sends `initialize`, and rejects invalid ids."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            _check(headers)
        except (InvalidInput, NotFound) as error:
            await error_response(error)(scope, receive, send)
            return
        if MCP_SESSION_ID_HEADER in headers or not _is_older_protocol(headers):
            await self._app(scope, receive, send)
            return
        messages = await _read_all(receive)
        issued = new_client_id() if _is_initialize(messages) else None

        async def send_with_id(message: Message) -> None:
            if issued and message["type"] == "http.response.start" and message["status"] == 200:
                MutableHeaders(scope=message)[MCP_SESSION_ID_HEADER] = issued
            await send(message)

        await self._app(scope, _replay(messages, receive), send_with_id)


def _check(headers: Headers) -> None:
    check_client_id(headers.get(CLIENT_HEADER))
    session = headers.get(MCP_SESSION_ID_HEADER)
    if session is not None and not is_client_id(session):  # 404 makes an older client start a new session
        raise NotFound(
            "This Mcp-Session-Id is not from this gateway. Send 'initialize' without it to get one.",
            field=MCP_SESSION_ID_HEADER,
        )


def _is_older_protocol(headers: Headers) -> bool:
    version = headers.get("mcp-protocol-version")
    return version is None or version in HANDSHAKE_PROTOCOL_VERSIONS


async def _read_all(receive: Receive) -> list[Message]:
    messages = [await receive()]
    while messages[-1].get("more_body"):
        messages.append(await receive())
    return messages


def _replay(messages: list[Message], receive: Receive) -> Receive:
    """Return a `receive` that first returns `messages`, which were already read, and then calls `receive`."""
    left = iter(messages)

    async def receive_again() -> Message:
        return next(left, None) or await receive()

    return receive_again


def _is_initialize(messages: list[Message]) -> bool:
    try:
        body = json.loads(b"".join(message.get("body", b"") for message in messages))
    except (ValueError, RecursionError):
        return False
    return isinstance(body, dict) and body.get("method") == "initialize"
