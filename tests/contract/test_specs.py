"""The generated files agree with the services."""

import httpx2
import pytest

from consort_cli.commands.specs import generated_files, generated_paths, openapi_of
from consort_kit import API_VERSION
from consort_kit.services import SERVICES
from tests.support.servers.studio import Studio


def test_generated_files_are_up_to_date() -> None:
    wanted = generated_files()
    present = {path: path.read_text("utf-8") for path in generated_paths()}
    assert present.keys() == wanted.keys(), "run `consort specs`"
    assert [path.name for path in wanted if present[path] != wanted[path]] == [], "run `consort specs`"


@pytest.mark.parametrize("service", SERVICES)
def test_running_service_agrees_with_its_code(studio: Studio, service: str) -> None:
    assert httpx2.get(f"{studio.url_of(service)}/openapi.json").json() == openapi_of(service)
    assert httpx2.get(f"{studio.url_of(service)}/version").json() == {"service": service, "version": API_VERSION}


def test_status_is_healthy_and_complete(studio: Studio) -> None:
    status = studio.status()
    assert status["healthy"] is True
    assert status["gateway_url"] == studio.url
    assert set(status["services"]) == {*SERVICES, "gateway", "postgres"}
    for part in status["services"].values():
        assert part["healthy"] is True
        assert part["pid"] > 0
    assert {status["services"][name]["version"] for name in [*SERVICES, "gateway"]} == {API_VERSION}
