"""Who an MCP request over HTTP is from.

The older protocol begins with a handshake (`initialize`). Its answer carries a new id in the header `Mcp-Session-Id`,
which the client sends with all later requests. Nothing is kept for it here, so an id stays valid when the gateway
restarts. The stateless protocol (2026-07-28) has no such header: there a client may send `Consort-Client`.
"""

import json
from typing import Any

from mcp.server.streamable_http import MCP_SESSION_ID_HEADER
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from consort_kit.app import error_response
from consort_kit.clients import CLIENT_HEADER, check_client_id, is_client_id, new_client_id
from consort_kit.errors import InvalidInput, NotFound


def client_of(request: Any) -> str | None:
    """Return the id of the client that sent an HTTP request, if it has one; stdio has no request."""
    return _client_in(request.headers) if isinstance(request, Request) else None


def _client_in(headers: Headers) -> str | None:
    return headers.get(CLIENT_HEADER) or headers.get(MCP_SESSION_ID_HEADER)


class ClientSessions:
    """Gives an id to clients that begin a session, and refuses ids that are not written like one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        try:
            _check(headers)
        except (InvalidInput, NotFound) as refusal:
            await error_response(refusal)(scope, receive, send)
            return
        if MCP_SESSION_ID_HEADER in headers or not _is_handshake_era(headers):
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
    if session is not None and not is_client_id(session):  # 404 makes a client of the older protocol begin again
        raise NotFound(
            "Mcp-Session-Id is not one that this gateway issued. Send 'initialize' without it to get one.",
            field=MCP_SESSION_ID_HEADER,
        )


def _is_handshake_era(headers: Headers) -> bool:
    version = headers.get("mcp-protocol-version")
    return version is None or version in HANDSHAKE_PROTOCOL_VERSIONS


async def _read_all(receive: Receive) -> list[Message]:
    messages = [await receive()]
    while messages[-1].get("more_body"):
        messages.append(await receive())
    return messages


def _replay(messages: list[Message], receive: Receive) -> Receive:
    """Replay the messages that were already read, then receive the rest."""
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
