"""Turn errors of the MCP transport, which occur before a tool is called, into an `ErrorResponse`."""

import json
from typing import Any

import mcp_types as types
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from consort_kit.errors import ConsortError, InvalidInput, MethodNotAllowed, TooLarge
from consort_kit.http.app import error_response


class ErrorShape:
    """Middleware that replaces the transport's errors without JSON by an `ErrorResponse`.

    Its JSON errors stay, with one exception: if the body is not a JSON-RPC message, mcp 2.3 reports wrong parameters
    in the words of Pydantic. This becomes INVALID_REQUEST.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        failed: Message | None = None
        body = b""

        async def send_shaped(message: Message) -> None:
            nonlocal failed, body
            if message["type"] == "http.response.start" and message["status"] >= 400:
                failed = message
            elif failed is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    await _shaped(failed, body)(scope, receive, send)

        await self._app(scope, receive, send_shaped)


def _shaped(failed: Message, body: bytes) -> Response:
    status: int = failed["status"]
    if not Headers(raw=failed["headers"]).get("content-type", "").startswith("application/json"):
        answer = error_response(_BY_STATUS.get(status, _NOT_MCP))
        answer.status_code = status
    elif _is_not_request(json.loads(body)):
        answer = JSONResponse(_INVALID_REQUEST, status)
    else:
        answer = Response(body, status)
        answer.raw_headers = list(failed["headers"])
    return answer


def _is_not_request(answer: dict[str, Any]) -> bool:
    """Return whether the transport reports wrong parameters for a message without an id, which is not a request."""
    return answer.get("id") is None and answer.get("error", {}).get("code") == types.INVALID_PARAMS


_NOT_MCP = InvalidInput(
    "This is not a request of the MCP Streamable HTTP transport. POST JSON that accepts JSON and event streams.",
    suggestions=["POST JSON with 'Content-Type: application/json', 'Accept: application/json, text/event-stream'"],
)
_NOT_JSON_RPC = InvalidInput(
    "The body is not a JSON-RPC message.",
    suggestions=['{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}'],
)
_INVALID_REQUEST = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {
        "code": types.INVALID_REQUEST,
        "message": _NOT_JSON_RPC.body.message,
        "data": _NOT_JSON_RPC.response().model_dump(mode="json"),
    },
}
_BY_STATUS: dict[int, ConsortError] = {
    405: MethodNotAllowed("MCP takes only POST here. There are no sessions to open or delete."),
    413: TooLarge("The message is larger than CONSORT_MAX_BODY_BYTES allows. Send less."),
}
