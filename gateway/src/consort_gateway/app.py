"""The gateway over HTTP: MCP at `/mcp` for whoever has the token, links and docs for a browser."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.routing import Route

from consort_gateway.client_sessions import ClientSessions
from consort_gateway.guard import host_and_origin_check
from consort_gateway.pages import router
from consort_gateway.refusals import InOneShape
from consort_gateway.server import create_server
from consort_gateway.settings import GatewaySettings
from consort_gateway.upstream import Upstream
from consort_kit.app import create_app, token_check
from consort_kit.links import Links

DESCRIPTION = "The one door to the studio: MCP, signed links and the services' docs."
OPEN_PATHS = ("/", "/docs", "/health", "/version", "/links/", "/services/")


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
    app.router.routes.append(
        Route("/mcp", ClientSessions(InOneShape(StreamableHTTPASGIApp(manager))), methods=["POST"])
    )
    return app
