"""Test the time limit of the engines, with a second compose-svc and gateway on the data of the studio."""

from collections.abc import Iterator
from typing import Any

import pytest

from consort_cli.launcher.embedded_postgres import EmbeddedPostgres
from consort_cli.mcp_client import McpConnection
from consort_compose.app import make_app as compose_app
from consort_gateway.app import make_app as gateway_app
from consort_gateway.settings import GatewaySettings
from consort_kit.services import POSTGRES_PORT_OFFSET
from consort_kit.settings import Settings
from evaluation.processes.servers import wait_until
from tests.support.servers.app_servers import AppServers
from tests.support.servers.studio import Studio

ENGINE_S = 0.01


@pytest.fixture(scope="module")
def hurried(studio: Studio) -> Iterator[McpConnection]:
    """Connect to a gateway whose compose-svc has a very short time limit for its engines."""
    database = EmbeddedPostgres(studio.data, studio.port_base + POSTGRES_PORT_OFFSET).url
    settings: dict[str, Any] = {"data": studio.data, "port_base": studio.port_base}
    compose = compose_app(Settings(**settings, database_url=database))
    servers = AppServers()
    compose_url = servers.serve(compose)
    wait_until(lambda: hasattr(compose.state, "composer"), "compose-svc has started")
    compose.state.composer.engine_s = ENGINE_S
    url = servers.serve(gateway_app(GatewaySettings(**settings, service_urls={"compose": compose_url})))
    connection = McpConnection(url, studio.token)
    yield connection
    connection.close()
    servers.stop()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("generate_melody", {"key": "C major", "length_measures": 64, "rhythmic_density": "dense"}),
        ("reharmonize", {"melody": "C5:q D5 E5 F5 " * 16, "style": "jazz", "chord_rhythm": "per_beat"}),
        ("add_voice", {"existing_voice": "C5:w D5:w E5:w F5:w " * 8, "new_voice_type": "alto", "species": 5}),
    ],
)
def test_an_engine_that_takes_too_long_is_a_failed_generation(
    hurried: McpConnection, tool: str, arguments: dict[str, Any]
) -> None:
    ok, rejected = hurried.call_tool(tool, arguments)
    assert not ok and rejected["error"]["code"] == "GENERATION_FAILED", rejected
    assert "0.01 seconds" in rejected["error"]["message"] and "fewer" in rejected["error"]["message"]
