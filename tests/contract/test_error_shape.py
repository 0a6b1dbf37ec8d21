"""Every failed request to any route gets an `ErrorResponse`."""

from collections.abc import Iterator

import httpx2
import pytest

from consort_cli.commands.specs import openapi_of
from consort_kit.services import SERVICES
from tests.support.errors_and_faults.error_shape import check_error_answer
from tests.support.servers.studio import Studio

ROUTES = [
    (service, path, method)
    for service in SERVICES
    for path, methods in openapi_of(service)["paths"].items()
    for method in methods
]
BODIES: dict[str, bytes] = {
    "not JSON": b"{",
    "not an object": b"[1, 2]",
    "deeply nested": b"[" * 100_000,
    "nothing": b"",
    "not UTF-8": b'{"name": "\xff\xfe"}',
}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx2.Client]:
    """One client for all requests: each loads all root certificates."""
    with httpx2.Client() as client:
        yield client


@pytest.mark.parametrize(("service", "path", "method"), ROUTES)
def test_wrong_method(client: httpx2.Client, studio: Studio, service: str, path: str, method: str) -> None:
    answer = client.request("DELETE", f"{studio.url_of(service)}{path}", headers=studio.headers)
    assert answer.status_code == 405
    assert check_error_answer(answer)["code"] == "METHOD_NOT_ALLOWED"


@pytest.mark.parametrize(("service", "path", "method"), [each for each in ROUTES if each[2] == "post"])
@pytest.mark.parametrize("body", BODIES)
def test_wrong_body(client: httpx2.Client, studio: Studio, service: str, path: str, method: str, body: str) -> None:
    headers = {**studio.headers, "Content-Type": "application/json"}
    answer = client.post(f"{studio.url_of(service)}{path}", content=BODIES[body], headers=headers)
    assert answer.status_code == 422
    check_error_answer(answer)


@pytest.mark.parametrize(("service", "path", "method"), ROUTES)
def test_no_token(client: httpx2.Client, studio: Studio, service: str, path: str, method: str) -> None:
    answer = client.request(method, f"{studio.url_of(service)}{path}")
    if path in ("/health", "/version"):
        assert answer.status_code == 200
    else:
        assert answer.status_code == 401
        assert check_error_answer(answer)["code"] == "UNAUTHORIZED"


@pytest.mark.parametrize("part", [*SERVICES, "gateway"])
def test_unknown_route(client: httpx2.Client, studio: Studio, part: str) -> None:
    url = studio.url if part == "gateway" else studio.url_of(part)
    answer = client.get(f"{url}/no/such/thing", headers=studio.headers)
    assert answer.status_code == 404
    assert check_error_answer(answer)["code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
    ],
)
def test_gateway_checks_token_host_and_origin(
    client: httpx2.Client, studio: Studio, headers: dict[str, str], status: int
) -> None:
    sent = headers if "Authorization" in headers or not headers else {**studio.headers, **headers}
    answer = client.post(f"{studio.url}/mcp", json={}, headers=sent)
    assert answer.status_code == status
    check_error_answer(answer)


def test_a_body_that_is_not_mcp(client: httpx2.Client, studio: Studio) -> None:
    answer = client.post(f"{studio.url}/mcp", headers=studio.headers, content=b"hello")
    assert answer.status_code == 400
    check_error_answer(answer)


def test_too_large_message(client: httpx2.Client, studio: Studio) -> None:
    answer = client.post(f"{studio.url}/mcp", headers=studio.headers, json={"much": "x" * 17_000_000})
    assert answer.status_code == 413
    assert check_error_answer(answer)["code"] == "TOO_LARGE"
