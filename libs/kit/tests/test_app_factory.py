"""The middleware and routes of every service: token, ids, headers, limits, metrics, docs."""

import asyncio
import http.client
import json
import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import httpx2
import pytest
from fastapi import APIRouter, FastAPI, Request
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from consort_kit import API_VERSION
from consort_kit.http.app import create_app
from consort_kit.settings import Settings
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.tools.tool_decorator import tool, tool_router
from tests.support.errors_and_faults.error_shape import check_error_answer

TOKEN = {"Authorization": "Bearer secret-token-of-tests"}


class NoFields(ToolInput):
    pass


class Count(ToolInput):
    text: str = ""


class Counted(ToolOutput):
    count: int


class WaitingTools:
    """Tools that wait until a test lets them finish."""

    def __init__(self) -> None:
        self.running = 0
        self.most = 0
        self.changed = asyncio.Event()
        self.end = asyncio.Event()

    def router(self) -> APIRouter:
        router = tool_router()

        async def work(body: NoFields) -> Counted:
            """Wait."""
            self.running += 1
            self.most = max(self.most, self.running)
            self.changed.set()
            try:
                await self.end.wait()
            finally:
                self.running -= 1
            return Counted(count=self.most)

        async def heavy_work(body: NoFields) -> Counted:
            """Wait."""
            return await work(body)

        async def light_work(body: NoFields) -> Counted:
            """Wait."""
            return await work(body)

        tool(router, title="Heavy", toolset="tests", effect="read", heavy=True)(heavy_work)
        tool(router, title="Light", toolset="tests", effect="read")(light_work)
        return router


router = tool_router()


@tool(router, title="Count", toolset="tests", effect="read")
async def count(body: Count) -> Counted:
    """Count letters."""
    return Counted(count=len(body.text))


@router.put("/raw/{name}")
async def raw(request: Request, name: str) -> Counted:
    if name == "broken":
        raise RuntimeError("broken")
    return Counted(count=len(await request.body()))


class LibraryError(ValueError):
    """An exception as libraries raise it for wrong input."""

    code, message, suggestions, field = "INVALID_TUNE", "The tune is empty. Write a note.", ["C4"], "text"
    partial_result: object = {"notes": []}


@router.get("/fail")
async def fail_in_library() -> Counted:
    raise LibraryError


@router.put("/uploads/{name}")
@router.post("/uploads/{name}")
@router.put("/other/{name}")
async def count_bytes(request: Request, name: str) -> Counted:
    return Counted(count=sum([len(part) async for part in request.stream()]))


@pytest.fixture
def app(settings: Settings) -> FastAPI:
    settings = settings.model_copy(update={"max_body_bytes": 1000})
    return create_app(
        "compose",
        "For tests.",
        [router],
        settings=settings,
        input_errors=(LibraryError,),
        upload_paths=("/uploads/",),
    )


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


@pytest.mark.parametrize("path", ["/health", "/version", "/openapi.json", "/docs", "/docs/assets/swagger-ui.css"])
def test_paths_that_need_no_token(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer secret-toke",
        "bearer secret-token-of-tests",
        "Basic secret-token-of-tests",
        "é",
    ],
)
@pytest.mark.parametrize("path", ["/metrics", "/tools/count", "/nowhere", "/health/", "/docsx", "/versions", "//docs/"])
def test_all_other_paths_require_the_token(client: TestClient, path: str, sent: str | None) -> None:
    answer = client.post(path, headers=[] if sent is None else [(b"Authorization", sent.encode())])
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "UNAUTHORIZED")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "secret-token-of-tests" not in answer.text


def test_health_and_version(client: TestClient) -> None:
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/version").json() == {"service": "compose", "version": API_VERSION}


def test_an_input_error_of_a_library_is_invalid_input(client: TestClient) -> None:
    answer = client.get("/fail", headers=TOKEN)
    assert answer.status_code == 422 and answer.json()["partial_result"] == {"notes": []}
    assert check_error_answer(answer) == {
        "code": "INVALID_TUNE",
        "message": "The tune is empty. Write a note.",
        "field": "text",
        "suggestions": ["C4"],
        "details": None,
    }


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/health", 200),
        ("POST", "/tools/count", 401),
        ("GET", "/docs/assets/x", 404),
        ("POST", "/health", 405),
        ("HEAD", "/health", 405),
    ],
)
def test_version_and_request_id_on_every_answer(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert answer.headers["x-api-version"] == API_VERSION
    assert re.fullmatch(r"req_[0-9a-z]{26}", answer.headers["x-request-id"])
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("given", ["abc", "a" * 80, "req_" + "0" * 26, "0199:trace.part_1-2"])
def test_a_valid_request_id_is_returned(client: TestClient, given: str) -> None:
    assert client.get("/health", headers={"X-Request-ID": given}).headers.get_list("x-request-id") == [given]


@pytest.mark.parametrize("given", ["", "a" * 81, "a" * 500, "a\nb", "a b", 'a"b', "a\n", "é", "a,b", "<x>"])
def test_an_invalid_request_id_is_replaced(client: TestClient, given: str) -> None:
    answer = client.get("/health", headers=[(b"X-Request-ID", given.encode())])
    assert re.fullmatch(r"req_[0-9a-z]{26}", answer.headers["x-request-id"])


def test_a_body_over_the_limit_with_a_length_or_in_chunks(client: TestClient) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'{"text": "'
        for _ in range(100):
            yield b"a" * 100
        yield b'"}'

    big = json.dumps({"text": "a" * 1000})
    headers = {**TOKEN, "Content-Type": "application/json"}
    for path, content in (("/tools/count", big), ("/tools/count", chunks()), ("/raw/x", big), ("/raw/x", chunks())):
        method = "PUT" if path == "/raw/x" else "POST"
        answer = client.request(method, path, content=content, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "TOO_LARGE")
        assert "1,000 bytes" in answer.json()["error"]["message"]
    assert client.post("/tools/count", json={"text": "a" * 980}, headers=TOKEN).json() == {"count": 980}


def test_the_body_limit_on_a_real_connection(app: FastAPI, serve: Callable[[ASGIApp], str]) -> None:
    address = urlsplit(serve(app))
    connection = http.client.HTTPConnection(address.hostname or "", address.port)
    pieces = (b"x" * 700 for _ in range(3))
    connection.request("PUT", "/raw/x", body=pieces, headers=TOKEN, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()
    connection.request("PUT", "/raw/x", body=b"abc", headers=TOKEN)
    assert json.loads(connection.getresponse().read()) == {"count": 3}
    connection.close()


def asgi_client(app: FastAPI) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://test", headers=TOKEN)


def test_at_most_three_heavy_calls_run_at_once_and_light_calls_do_not_wait(settings: Settings) -> None:
    async def run() -> tuple[int, int]:
        heavy, light = WaitingTools(), WaitingTools()
        app = create_app("compose", "For tests.", [heavy.router()], settings=settings)
        other = create_app("audio", "For tests.", [light.router()], settings=settings)
        async with asgi_client(app) as client, asgi_client(other) as other_client:
            calls = [asyncio.create_task(client.post("/tools/heavy_work", json={})) for _ in range(8)]
            while heavy.running < 3:
                heavy.changed.clear()
                await heavy.changed.wait()
            more = [asyncio.create_task(other_client.post("/tools/light_work", json={})) for _ in range(8)]
            while light.running < 8:
                light.changed.clear()
                await light.changed.wait()
            heavy.end.set()
            light.end.set()
            answers = await asyncio.gather(*calls, *more)
        assert all(answer.status_code == 200 for answer in answers)
        return heavy.most, light.most

    assert asyncio.run(asyncio.wait_for(run(), 20)) == (settings.heavy_at_once, 8) == (3, 8)


def test_a_call_that_takes_too_long_is_stopped_and_lets_the_next_one_run(settings: Settings) -> None:
    async def run() -> list[httpx2.Response]:
        work = WaitingTools()
        short = settings.model_copy(update={"timeout_s": 0.05, "heavy_at_once": 1})
        async with asgi_client(create_app("compose", "For tests.", [work.router()], settings=short)) as client:
            first = await client.post("/tools/heavy_work", json={})
            assert work.running == 0, "the tool was cancelled"
            work.end.set()
            return [first, await client.post("/tools/heavy_work", json={})]

    late, done = asyncio.run(asyncio.wait_for(run(), 20))
    assert (late.status_code, late.json()["error"]["code"]) == (504, "TIMEOUT")
    assert "0.05 s" in late.json()["error"]["message"]
    assert done.status_code == 200


def test_metrics_are_counted_by_route(client: TestClient) -> None:
    for path in ("/raw/a", "/raw/b", "/raw/broken"):
        client.put(path, content=b"x", headers=TOKEN)
    for path in ("/made/up", "/made/up2"):
        client.get(path, headers=TOKEN)
    client.request("BREW", "/health")
    text = client.get("/metrics", headers=TOKEN).text
    assert 'consort_requests_total{method="PUT",route="/raw/{name}",status="200"} 2.0' in text
    assert 'consort_requests_total{method="PUT",route="/raw/{name}",status="500"} 1.0' in text
    assert 'consort_requests_total{method="GET",route="unmatched",status="404"} 2.0' in text
    assert 'method="other"' in text and "BREW" not in text and "made" not in text
    assert 'consort_request_seconds_count{method="PUT",route="/raw/{name}"} 3.0' in text


def test_the_docs_page_uses_no_other_host(client: TestClient) -> None:
    page = client.get("/docs")
    assert not re.search(r"(https?:)?//[\w.]+", page.text)
    assert "default-src 'self'" in page.headers["content-security-policy"]
    for address in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        if not address.startswith("data:"):
            assert client.get(f"/{address}").status_code == 200, address
    assert '"validatorUrl": null' in page.text
    assert client.get("/docs/assets/..%2f__init__.py").status_code == 404


def test_the_specification_has_the_error_shape(client: TestClient) -> None:
    spec = client.get("/openapi.json").json()
    assert spec["info"]["version"] == API_VERSION
    operation = spec["paths"]["/tools/count"]["post"]
    assert operation["x-consort-tool"] == {"toolset": "tests", "effect": "read", "heavy": False}
    shown = operation["responses"]["default"]["content"]["application/json"]["schema"]["$ref"]
    assert shown.endswith("/ErrorResponse")


def test_only_uploads_may_be_larger_than_other_bodies(client: TestClient) -> None:
    body = [bytes(700)] * 5
    sent = client.put("/uploads/a", content=iter(body), headers=TOKEN)
    assert (sent.status_code, sent.json()["count"]) == (200, 3500)
    for answer in (
        client.post("/uploads/a", content=iter(body), headers=TOKEN),
        client.put("/other/a", content=iter(body), headers=TOKEN),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "TOO_LARGE")
