"""Time that runs out: a composer in a hurry, its own compose-svc and gateway beside the studio's, on the same data."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI

from consort_cli.mcp_client import McpConnection
from consort_compose.app import make_app as compose_app
from consort_gateway.app import make_app as gateway_app
from consort_gateway.settings import GatewaySettings
from consort_kit.services import POSTGRES_PORT_OFFSET
from consort_kit.settings import Settings
from tests.studio import Studio

ENGINE_S = 0.01


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def hurried(studio: Studio) -> Iterator[McpConnection]:
    password = (studio.data / "postgres.password").read_text().strip()
    database = f"postgresql://consort:{password}@127.0.0.1:{studio.port_base + POSTGRES_PORT_OFFSET}/consort"
    settings: dict[str, Any] = {"data": studio.data, "port_base": studio.port_base}
    compose = compose_app(Settings(**settings, database_url=database))
    with served(compose) as compose_url:
        compose.state.composer.engine_s = ENGINE_S
        with served(gateway_app(GatewaySettings(**settings, service_urls={"compose": compose_url}))) as url:
            connection = McpConnection(url, studio.token)
            yield connection
            connection.close()


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
    ok, refused = hurried.call_tool(tool, arguments)
    assert not ok and refused["error"]["code"] == "GENERATION_FAILED", refused
    assert "0.01 seconds" in refused["error"]["message"] and "fewer" in refused["error"]["message"]
