"""schemathesis sends random requests to each service: no server errors, and only responses that its spec allows."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from consort_cli.commands.specs import openapi_of
from consort_kit.services import SERVICES
from tests.support.servers.studio import Studio

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
TRIES = 3
"""Requests for each operation and mode. There are over a hundred such pairs."""

LONGEST_QUERY = 4000
"""In characters. The server closes the connection if a request's head is over 64 KB."""


def has_input(operation: dict[str, Any]) -> bool:
    """Return whether the operation has a body or parameters, so that a request can be wrong."""
    parameters = operation.get("parameters", [])
    return "requestBody" in operation or any(each["in"] in ("path", "query") for each in parameters)


OPERATIONS = [
    pytest.param(storage, service, path, method, mode, id=f"{storage}-{service}-{path}-{method}-{mode.value}")
    for service in SERVICES
    for path, methods in openapi_of(service)["paths"].items()
    for method, operation in methods.items()
    for mode in GenerationMode
    if mode is not GenerationMode.NEGATIVE or has_input(operation)
    for storage in (["local", "cloud"] if path.startswith("/files/") else ["local"])
]


@pytest.mark.parametrize(("studio", "service", "path", "method", "mode"), OPERATIONS, indirect=["studio"])
def test_service_follows_its_specification(
    studio: Studio, service: str, path: str, method: str, mode: GenerationMode
) -> None:
    # schemathesis' pytest plugin does not support pytest 9.2 yet; its strategies are enough
    operation: Any = schemathesis.openapi.from_dict(openapi_of(service))[path][method]

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=TRIES, deadline=None, suppress_health_check=list(HealthCheck))
    def tries(case: Any) -> None:
        assume(len(str(case.query)) < LONGEST_QUERY)
        case.call_and_validate(base_url=studio.url_of(service), headers=studio.headers, checks=CHECKS)

    tries()
