"""The gateway over HTTP: MCP at `/mcp` for whoever has the token, links and docs for a browser."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from consort_gateway.guard import host_and_origin_check
from consort_gateway.pages import router
from consort_gateway.server import create_server
from consort_gateway.settings import GatewaySettings
from consort_gateway.upstream import Upstream
from consort_kit.app import create_app, error_response, token_check
from consort_kit.errors import ConsortError, InvalidInput, MethodNotAllowed, TooLarge
from consort_kit.links import Links

DESCRIPTION = "The one door to the studio: MCP, signed links and the services' docs."
OPEN_PATHS = ("/health", "/version", "/links/", "/services/")


def make_app(settings: GatewaySettings) -> FastAPI:
    upstream = Upstream(settings)
    manager = StreamableHTTPSessionManager(
        create_server(settings, upstream),
        stateless=True,  # a restart of the gateway breaks no client
        max_request_body_size=settings.max_body_bytes,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with manager.run():
            yield
        await upstream.aclose()

    checks = [host_and_origin_check(settings), token_check(settings.bearer_token, OPEN_PATHS)]
    app = create_app("gateway", DESCRIPTION, [router], settings=settings, lifespan=lifespan, checks=checks)
    app.state.links = Links(settings)
    app.state.upstream = upstream
    app.router.routes.append(Route("/mcp", InOneShape(StreamableHTTPASGIApp(manager)), methods=["POST"]))
    return app


class InOneShape:
    """Gives our error shape to what the MCP transport refuses with plain text or nothing (its JSON stays)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = False

        async def send_shaped(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] >= 400:
                kind = Headers(raw=message["headers"]).get("content-type", "")
                refused = not kind.startswith("application/json")
                if refused:
                    answer = error_response(_REFUSALS.get(message["status"], _NOT_MCP))
                    answer.status_code = message["status"]
                    await answer(scope, receive, send)
            if not refused:
                await send(message)

        await self._app(scope, receive, send_shaped)


_NOT_MCP = InvalidInput(
    "this is not a request of the MCP Streamable HTTP transport",
    suggestions=["POST JSON with 'Content-Type: application/json', 'Accept: application/json, text/event-stream'"],
)
_REFUSALS: dict[int, ConsortError] = {
    405: MethodNotAllowed("MCP takes POST here; there are no sessions to open or delete"),
    413: TooLarge("the message is too large; use an upload link for big files"),
}
