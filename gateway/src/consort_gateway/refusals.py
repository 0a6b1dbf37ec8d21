"""What the MCP transport refuses before a tool is reached, in our error shape."""

import json
from typing import Any

import mcp_types as types
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from consort_kit.app import error_response
from consort_kit.errors import ConsortError, InvalidInput, MethodNotAllowed, TooLarge


class InOneShape:
    """Gives our shape to what is refused with plain text or nothing. JSON stays, but for one: a body that is no
    JSON-RPC message is told so, not that its parameters are wrong (with pydantic's own words, in mcp 2.3).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal: Message | None = None
        body = b""

        async def send_shaped(message: Message) -> None:
            nonlocal refusal, body
            if message["type"] == "http.response.start" and message["status"] >= 400:
                refusal = message
            elif refusal is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    await _shaped(refusal, body)(scope, receive, send)

        await self._app(scope, receive, send_shaped)


def _shaped(refusal: Message, body: bytes) -> Response:
    status: int = refusal["status"]
    if not Headers(raw=refusal["headers"]).get("content-type", "").startswith("application/json"):
        answer = error_response(_REFUSALS.get(status, _NOT_MCP))
        answer.status_code = status
    elif _is_no_request(json.loads(body)):
        answer = JSONResponse(_NO_REQUEST, status)
    else:
        answer = Response(body, status)
        answer.raw_headers = list(refusal["headers"])
    return answer


def _is_no_request(answer: dict[str, Any]) -> bool:
    """Only a request has parameters that can be wrong, and a request has an id."""
    return answer.get("id") is None and answer.get("error", {}).get("code") == types.INVALID_PARAMS


_NOT_MCP = InvalidInput(
    "This is not a request of the MCP Streamable HTTP transport. POST JSON that accepts JSON and event streams.",
    suggestions=["POST JSON with 'Content-Type: application/json', 'Accept: application/json, text/event-stream'"],
)
_NOT_JSON_RPC = InvalidInput(
    "The body is not a JSON-RPC message.",
    suggestions=['{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}'],
)
_NO_REQUEST = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {
        "code": types.INVALID_REQUEST,
        "message": _NOT_JSON_RPC.body.message,
        "data": _NOT_JSON_RPC.response().model_dump(mode="json"),
    },
}
_REFUSALS: dict[int, ConsortError] = {
    405: MethodNotAllowed("MCP takes POST here. A session is only a name: there is none to open or delete."),
    413: TooLarge("The message is larger than CONSORT_MAX_BODY_BYTES allows. Send less."),
}
