"""A small MCP client over HTTP for the command line. It uses the stateless revision of the protocol: one POST per call.

Importing the official client takes 1.4 s. A whole `consort call` with this client takes a tenth of that.
"""

import base64
import http.client
import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from consort_cli.gateway_connection import connection_to
from consort_kit import API_VERSION
from consort_kit.errors import ConsortError, ServiceDown
from consort_kit.http.server_proof import NoProof
from consort_kit.tools.client_ids import CLIENT_HEADER

PROTOCOL_VERSION = "2026-07-28"
_META = "io.modelcontextprotocol/"
_TIMEOUT_S = 180.0


class McpConnection:
    """A connection to a gateway, kept open between calls."""

    def __init__(self, gateway_url: str, token: str, client: str | None = None, *, same_machine: bool = True) -> None:
        """Prepare a connection. `client` is the client id (see kit's `client_ids`).

        `same_machine` is False if a container or a proxy may lie between.
        """
        self._http = connection_to(gateway_url, token, _TIMEOUT_S, same_machine=same_machine)
        self._path = f"{urlsplit(gateway_url).path.rstrip('/')}/mcp"
        self._url = gateway_url
        self._token = token
        self._client = client
        self._count = 0

    def close(self) -> None:
        self._http.close()

    def call_tool(
        self, name: str, arguments: dict[str, Any], on_progress: Callable[[str], None] = lambda _: None
    ) -> tuple[bool, Any]:
        """Return whether the call succeeded, and its result or error as JSON."""
        try:
            message = self._request("tools/call", {"name": name, "arguments": arguments}, on_progress)
        except ConsortError as error:
            return False, error.response().model_dump(mode="json")
        if "error" in message:
            return False, _error_of(message["error"])
        if "result" not in message:
            return False, _error_of({"message": "The answer is not from a gateway. Check the address."})
        result = message["result"]
        if result.get("isError"):
            return False, json.loads(result["content"][0]["text"])
        return True, _answer_in(result["content"])

    def _request(self, method: str, params: dict[str, Any], on_progress: Callable[[str], None]) -> dict[str, Any]:
        self._count += 1
        envelope = {
            f"{_META}protocolVersion": PROTOCOL_VERSION,
            f"{_META}clientInfo": {"name": "consort-call", "version": API_VERSION},
            f"{_META}clientCapabilities": {},
            "progressToken": self._count,
        }
        body = {"jsonrpc": "2.0", "id": self._count, "method": method, "params": {**params, "_meta": envelope}}
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": PROTOCOL_VERSION,
            "Mcp-Method": method,
        }
        if self._client is not None:
            headers[CLIENT_HEADER] = self._client
        if "name" in params:
            headers["Mcp-Name"] = _header_value(params["name"])
        try:
            self._http.request("POST", self._path, json.dumps(body).encode(), headers)
            answer = self._http.getresponse()
            for message in _messages(answer):
                if message.get("id") == self._count or "method" not in message:
                    answer.read()
                    return message
                on_progress(message.get("params", {}).get("message", ""))
        except NoProof as error:
            self._http.close()
            raise ServiceDown(
                f"The program at {self._url} is not our gateway: it does not know the token. Nothing was sent to it.",
                suggestions=["`consort status` shows what runs.", "--data chooses the studio."],
                details={"service": "gateway"},
            ) from error
        except (OSError, http.client.HTTPException) as error:
            self._http.close()
            raise ServiceDown(
                f"The gateway at {self._url} does not answer. `consort up` starts the studio.",
                suggestions=["`consort up` starts the studio.", "`consort status` shows what runs."],
                details={"service": "gateway", "reason": type(error).__name__},
            ) from error
        raise ServiceDown(
            "The gateway ended the answer early. The call may have been done: check before you call again."
        )


def _answer_in(content: list[dict[str, Any]]) -> Any:
    """Return the JSON value if the result is one JSON text, otherwise an object with the content blocks."""
    if len(content) == 1 and content[0]["type"] == "text":
        try:
            return json.loads(content[0]["text"])
        except ValueError:
            pass
    return {"content": content}


def _messages(answer: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    """Yield the JSON message of a plain response, or the messages of an event stream."""
    if "text/event-stream" not in answer.headers.get("Content-Type", ""):
        yield json.loads(answer.read() or b'{"error": {"message": "The gateway answered nothing."}}')
        return
    for line in answer:
        if line.startswith(b"data:"):
            yield json.loads(line[5:])


def _error_of(error: dict[str, Any]) -> Any:
    """Convert a protocol error to the format of the gateway's own errors."""
    data = error.get("data")
    if isinstance(data, dict) and "error" in data:
        return data
    if "code" in error and isinstance(error["code"], str):  # rejected before MCP: token, Host
        return {"success": False, "error": error, "partial_result": None}
    return (
        ConsortError(error.get("message", "The gateway gave no reason."), code="PROTOCOL_ERROR")
        .response()
        .model_dump(mode="json")
    )


def _header_value(name: str) -> str:
    """Return a tool name as a header value: unchanged if possible, otherwise in the protocol's base64 form."""
    if name.isascii() and name.isprintable() and name.strip() == name:
        return name
    return f"=?base64?{base64.b64encode(name.encode()).decode()}?="
