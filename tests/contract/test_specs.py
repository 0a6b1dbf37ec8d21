"""The checked-in specs are the contract: file, service and tool list agree."""

import httpx2
import pytest

from consort_cli.commands.specs import SNAPSHOTS, SPECS, wanted_files
from consort_gateway.catalogue import load_spec
from consort_kit import API_VERSION
from consort_kit.services import SERVICES
from tests.studio import Studio


def test_specs_and_snapshots_are_up_to_date() -> None:
    wanted = wanted_files()
    present = {path: path.read_text("utf-8") for path in [*SPECS.glob("*.json"), *SNAPSHOTS.glob("*.json")]}
    assert present.keys() == wanted.keys(), "run `consort specs`"
    assert [path.name for path in wanted if present[path] != wanted[path]] == [], "run `consort specs`"


@pytest.mark.parametrize("service", SERVICES)
def test_running_service_agrees_with_its_file(studio: Studio, service: str) -> None:
    assert httpx2.get(f"{studio.url_of(service)}/openapi.json").json() == load_spec(service)
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
