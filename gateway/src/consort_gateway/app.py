"""The gateway over HTTP: MCP at `/mcp`, which requires the token, and links and pages for a browser."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.routing import Route

from consort_gateway.host_check import host_and_origin_check
from consort_gateway.mcp.client_sessions import ClientSessions
from consort_gateway.mcp.server import create_server
from consort_gateway.mcp.transport_errors import ErrorShape
from consort_gateway.routes import agent_routes, link_routes, pages, service_docs
from consort_gateway.service_calls import ServiceCalls
from consort_gateway.settings import GatewaySettings
from consort_kit.http.app import create_app
from consort_kit.http.signed_links import Links
from consort_kit.http.token_check import token_check
from consort_kit.settings import port_of

DESCRIPTION = "The entrance to the studio: MCP, signed links and the services' documentation."
UPLOAD_PATHS = ("/links/audio/",)
"""Where bodies are only passed on, and may be large. The service limits them."""
OPEN_PATHS = ("/", "/docs", "/health", "/version", "/links/", "/services/")


def make_app(settings: GatewaySettings) -> FastAPI:
    services = ServiceCalls(settings)
    manager = StreamableHTTPSessionManager(
        create_server(settings, services),
        stateless=True,  # clients do not notice a restart of the gateway
        max_request_body_size=settings.max_body_bytes,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with manager.run():
            yield
        await services.aclose()

    checks = [host_and_origin_check(settings), token_check(settings.bearer_token, OPEN_PATHS)]
    app = create_app(
        "gateway",
        DESCRIPTION,
        [each.router for each in (pages, link_routes, service_docs, agent_routes)],
        settings=settings,
        lifespan=lifespan,
        checks=checks,
        upload_paths=UPLOAD_PATHS,
        more_ports=frozenset({port_of(settings.gateway_url)}),  # a container listens at another port than the host
    )
    app.state.links = Links(settings)
    app.state.services = services
    app.router.routes.append(
        Route("/mcp", ClientSessions(ErrorShape(StreamableHTTPASGIApp(manager))), methods=["POST"])
    )
    return app
