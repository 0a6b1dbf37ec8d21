"""Every failure of every route of every service has the one shape."""

from typing import Any

import httpx2
import pytest

from consort_gateway.catalogue import load_spec
from consort_kit import API_VERSION
from consort_kit.services import SERVICES
from tests.studio import Studio

ROUTES = [
    (service, path, method)
    for service in SERVICES
    for path, methods in load_spec(service)["paths"].items()
    for method in methods
]
BODIES: dict[str, bytes] = {
    "not JSON": b"{",
    "not an object": b"[1, 2]",
    "deeply nested": b"[" * 100_000,
    "nothing": b"",
    "not UTF-8": b'{"name": "\xff\xfe"}',
}


def assert_shape(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-api-version"] == API_VERSION
    assert answer.headers["x-request-id"]
    body = answer.json()
    assert set(body) == {"success", "error", "partial_result"} and body["success"] is False
    error: dict[str, Any] = body["error"]
    assert set(error) == {"code", "message", "field", "suggestions", "details"}
    assert error["code"].isupper() and error["message"] and isinstance(error["suggestions"], list)
    return error


@pytest.mark.parametrize(("service", "path", "method"), ROUTES)
def test_wrong_method(studio: Studio, service: str, path: str, method: str) -> None:
    answer = httpx2.request("DELETE", f"{studio.url_of(service)}{path}", headers=studio.headers)
    assert answer.status_code == 405
    assert assert_shape(answer)["code"] == "METHOD_NOT_ALLOWED"


@pytest.mark.parametrize(("service", "path", "method"), [each for each in ROUTES if each[2] == "post"])
@pytest.mark.parametrize("body", BODIES)
def test_wrong_body(studio: Studio, service: str, path: str, method: str, body: str) -> None:
    headers = {**studio.headers, "Content-Type": "application/json"}
    answer = httpx2.post(f"{studio.url_of(service)}{path}", content=BODIES[body], headers=headers)
    assert answer.status_code == 422
    assert_shape(answer)


@pytest.mark.parametrize(("service", "path", "method"), ROUTES)
def test_no_token(studio: Studio, service: str, path: str, method: str) -> None:
    answer = httpx2.request(method, f"{studio.url_of(service)}{path}")
    if path in ("/health", "/version"):
        assert answer.status_code == 200
    else:
        assert answer.status_code == 401
        assert assert_shape(answer)["code"] == "UNAUTHORIZED"


@pytest.mark.parametrize("part", [*SERVICES, "gateway"])
def test_unknown_route(studio: Studio, part: str) -> None:
    url = studio.url if part == "gateway" else studio.url_of(part)
    answer = httpx2.get(f"{url}/no/such/thing", headers=studio.headers)
    assert answer.status_code == 404
    assert assert_shape(answer)["code"] == "NOT_FOUND"


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
def test_gateway_lets_no_stranger_in(studio: Studio, headers: dict[str, str], status: int) -> None:
    sent = headers if "Authorization" in headers or not headers else {**studio.headers, **headers}
    answer = httpx2.post(f"{studio.url}/mcp", json={}, headers=sent)
    assert answer.status_code == status
    assert_shape(answer)


def test_what_is_not_mcp_is_told_so(studio: Studio) -> None:
    answer = httpx2.post(f"{studio.url}/mcp", headers=studio.headers, content=b"hello")
    assert answer.status_code == 400
    assert_shape(answer)


def test_too_large_message(studio: Studio) -> None:
    answer = httpx2.post(f"{studio.url}/mcp", headers=studio.headers, json={"much": "x" * 17_000_000})
    assert answer.status_code == 413
    assert assert_shape(answer)["code"] == "TOO_LARGE"
