"""schemathesis tries each running service: no 5xx, no answer that its spec does not allow."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from consort_gateway.catalogue import load_spec
from consort_kit.services import SERVICES
from tests.studio import Studio

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
TRIES = 12
"""For each operation and mode: there are over a hundred of these pairs."""
OPERATIONS = [
    (storage, service, path, method)
    for service in SERVICES
    for path, methods in load_spec(service)["paths"].items()
    for method in methods
    for storage in (["local", "cloud"] if path.startswith("/files/") else ["local"])
]


@pytest.mark.parametrize(("studio", "service", "path", "method"), OPERATIONS, indirect=["studio"])
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_service_keeps_its_promises(studio: Studio, service: str, path: str, method: str, mode: GenerationMode) -> None:
    # schemathesis' own pytest plugin does not know pytest 9.2 yet; its strategies are all that is needed
    operation: Any = schemathesis.openapi.from_dict(load_spec(service))[path][method]
    if mode is GenerationMode.NEGATIVE and not (operation.body or operation.path_parameters or operation.query):
        return  # nothing that could be wrong

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=TRIES, deadline=None, suppress_health_check=list(HealthCheck))
    def tries(case: Any) -> None:
        case.call_and_validate(base_url=studio.url_of(service), headers=studio.headers, checks=CHECKS)

    tries()
