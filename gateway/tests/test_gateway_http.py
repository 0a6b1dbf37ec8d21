"""The gateway over HTTP: access checks, links, uploads, documentation pages, and errors at /mcp."""

import http.client
import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from consort_gateway.app import make_app
from consort_gateway.settings import GatewaySettings
from consort_gateway.tools.catalogue import load_catalogue
from consort_kit.errors import ErrorResponse
from consort_kit.http.signed_links import Links
from consort_kit.ids import new_id
from consort_kit.services import SERVICES
from tests.support.servers.fake_midi_store import FakeMidiStore

TOKEN = {"Authorization": "Bearer secret-token-of-tests"}
MCP = {**TOKEN, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture
def app(settings: GatewaySettings) -> FastAPI:
    return make_app(settings.model_copy(update={"max_body_bytes": 100_000}))


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://127.0.0.1:8700") as client:
        yield client


@pytest.fixture
def links(settings: GatewaySettings) -> Links:
    return Links(settings)


def local(url: str) -> str:
    """Return the part of an address after the host."""
    return url.removeprefix("http://127.0.0.1:8700")


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({}, 401, "UNAUTHORIZED"),
        ({"Origin": "https://evil.example"}, 403, "FOREIGN_ORIGIN"),
        ({**TOKEN, "Origin": "https://evil.example"}, 403, "FOREIGN_ORIGIN"),
        ({"Host": "evil.example"}, 421, "WRONG_HOST"),
        ({**TOKEN, "Host": "evil.example", "Origin": "http://localhost"}, 421, "WRONG_HOST"),
        ({"Host": "evil.example", "Origin": "https://evil.example"}, 421, "WRONG_HOST"),
        ({"Authorization": "Bearer wrong"}, 401, "UNAUTHORIZED"),
        ({**TOKEN, "Origin": "http://localhost:6274"}, 404, "NOT_FOUND"),
    ],
)
def test_token_host_and_origin_are_checked(client: TestClient, headers: dict[str, str], status: int, code: str) -> None:
    for path in ("/nowhere", "/mcp") if status != 404 else ("/nowhere",):
        answer = client.post(path, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), path
        assert ("www-authenticate" in answer.headers) == (status == 401)
        assert answer.headers["x-api-version"]


def test_host_and_origin_are_checked_for_open_pages(client: TestClient) -> None:
    for path in ("/health", "/version", "/services/audio/docs", "/links/midi-store/files/a"):
        assert client.get(path, headers={"Host": "evil.example"}).status_code == 421
        assert client.get(path, headers={"Origin": "https://evil.example"}).status_code == 403
    assert client.get("/health").json() == {"status": "ok"}
    assert client.get("/metrics").status_code == 401


def test_the_page_that_lists_all_tools(client: TestClient) -> None:
    page = client.get("/docs")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
    assert not re.search(r"https?://[\w.]+", page.text), "nothing from another host"
    for tool in load_catalogue():
        assert f'<a href="services/{tool.service}/docs#/{tool.toolset}/{tool.name}">{tool.name}</a>' in page.text
    assert 'href="docs"' in client.get("/").text


@pytest.mark.parametrize("service", SERVICES)
def test_the_docs_page_of_each_service_uses_no_other_host(client: TestClient, service: str) -> None:
    page = client.get(f"/services/{service}/docs")
    assert page.status_code == 200 and not re.search(r"(https?:)?//[\w.]+", page.text)
    for address in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        if not address.startswith("data:"):
            assert client.get(f"/services/{service}/{address}").status_code == 200


def test_the_spec_of_a_service_comes_from_the_service(client: TestClient) -> None:
    spec = client.get("/services/midi-store/openapi.json").json()
    assert spec["info"]["title"] == "Consort midi-store" and "/tools/list_midi" in spec["paths"]
    stopped = client.get("/services/audio/openapi.json")
    assert (stopped.status_code, stopped.json()["error"]["code"]) == (503, "SERVICE_DOWN")


def test_docs_of_an_unknown_service(client: TestClient) -> None:
    for path in ("/services/nope/docs", "/services/nope/openapi.json", "/services/audio/assets/app.py", "/services/"):
        assert client.get(path).json()["error"]["code"] == "NOT_FOUND"


def test_a_link_returns_the_bytes_without_internal_headers(client: TestClient, links: Links) -> None:
    url = local(links.make("midi-store", "/files/midi_7").url)
    answer = client.get(url)
    assert (answer.status_code, answer.content) == (200, b"midi_7")
    assert answer.headers["content-type"] == "audio/midi" and answer.headers["etag"] == '"7"'
    assert answer.headers["content-disposition"] == "attachment" and "x-inner" not in answer.headers
    part = client.get(url, headers={"Range": "bytes=0-1"})
    assert (part.status_code, part.text, part.headers["content-range"]) == (206, "bytes=0-1", "bytes 0-1/9")


def test_unusual_names_in_links_are_unchanged(app: FastAPI, links: Links, serve: Callable[..., str]) -> None:
    address = urlsplit(serve(app))  # the test client would decode an address twice
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=20)
    for name in ("100% é ♪.mid", "a?b#c&d=e+f", "a%2Fb", "a;b", 'q"u<o>te', "a b", "..a", "a//b"):
        connection.request("GET", local(links.make("midi-store", f"/files/{name}", {"name": name}).url))
        answer = connection.getresponse()
        assert (answer.status, answer.read().decode()) == (200, name)
    connection.close()


def test_altered_and_expired_links(client: TestClient, links: Links) -> None:
    good = local(links.make("midi-store", "/files/midi_7").url)
    for bad in (good.replace("midi_7", "midi_8"), good + "&x=1", good[:-1], good.split("?")[0]):
        assert client.get(bad).json()["error"]["code"] == "FORBIDDEN"
    old = local(links.make("midi-store", "/files/midi_7", lifetime_s=-5).url)
    assert client.get(old).json()["error"]["code"] == "LINK_EXPIRED"
    assert client.put(good, content=b"x").status_code == 403
    assert client.post(good).status_code == 405
    assert client.get(good.replace("midi-store", "nope")).status_code == 404
    assert client.get(local(links.make("audio", "/files/a").url)).json()["error"]["code"] == "SERVICE_DOWN"


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("service", "path", "lifetime_s", "status", "title"),
    [
        ("midi-store", "/files/midi_7", -5, 403, "This link has expired"),
        ("midi-store", "/nothing/here", 60, 404, "This no longer exists"),
        ("audio", "/player/audio_1", 60, 503, "The studio is not ready"),
    ],
)
def test_a_browser_gets_a_page_for_a_link_that_does_not_work(
    client: TestClient, links: Links, service: str, path: str, lifetime_s: int, status: int, title: str
) -> None:
    url = local(links.make(service, path, lifetime_s=lifetime_s).url)
    answer = client.get(url, headers=BROWSER)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert f"<h1>{title}</h1>" in answer.text
    assert "script-src 'nonce-" in answer.headers["content-security-policy"]
    assert client.get(url).json()["error"]["message"]


def test_the_text_of_an_error_cannot_become_html_of_the_page(client: TestClient) -> None:
    answer = client.get("/links/%3Cscript%3Ealert(1)%3C%2Fscript%3E/x", headers=BROWSER)
    assert answer.status_code == 404 and "<script" not in answer.text


def test_an_upload_link_shows_a_page_and_accepts_bytes(
    client: TestClient, links: Links, midi_store: FakeMidiStore
) -> None:
    query = {"name": "<b>Für & Elise</b>.mid", "overwrite": "false"}
    url = local(links.make("midi-store", "/files/midi_7", query, method="PUT").url)
    page = client.get(url)
    assert page.headers["content-type"].startswith("text/html")
    assert "&lt;b&gt;Für &amp; Elise" in page.text and "<b>Für" not in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert not re.search(r"(https?:)?//[\w.]+", page.text)
    answer = client.put(url, content=b"MThd" * 1000, headers={"Content-Type": "audio/midi"})
    assert (answer.status_code, answer.json()["items"]) == (200, ["midi_7"])
    (uploaded,) = midi_store.uploads
    assert uploaded[1:] == (b"MThd" * 1000, "audio/midi")
    assert dict([part.split("=", 1) for part in uploaded[0].partition("?")[2].split("&")])["overwrite"] == "false"
    assert "signature" not in uploaded[0] and "expires" not in uploaded[0]


def test_posting_to_an_upload_link_is_explained(client: TestClient, links: Links, midi_store: FakeMidiStore) -> None:
    answer = client.post(local(links.make("midi-store", "/files/midi_7", {}, method="PUT").url), content=b"MThd")
    assert answer.status_code == 405 and "curl -T FILE" in answer.json()["error"]["message"]
    assert midi_store.uploads == []


def test_an_upload_that_is_too_large(client: TestClient, links: Links, midi_store: FakeMidiStore) -> None:
    url = local(links.make("midi-store", "/files/midi_7", {}, method="PUT").url)
    answer = client.put(url, content=(bytes(1000) for _ in range(200)))
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "TOO_LARGE")
    assert not midi_store.uploads


def test_a_download_is_streamed_and_ends_when_the_reader_disconnects(
    app: FastAPI, links: Links, midi_store: FakeMidiStore, serve: Callable[..., str]
) -> None:
    address = urlsplit(serve(app))
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=20)
    connection.request("GET", local(links.make("midi-store", "/files/endless").url))
    answer = connection.getresponse()
    assert answer.read(10) == b"first part"  # while the service still waits for the rest
    midi_store.go_on.set()
    answer.close()
    connection.close()
    assert midi_store.reader_left.wait(20)


def status_and_code(answer: Any) -> tuple[int, str]:
    shape = ErrorResponse.model_validate(answer.json())
    assert answer.headers["x-api-version"]
    return answer.status_code, shape.error.code


def test_errors_of_the_mcp_transport_have_our_shape(client: TestClient) -> None:
    assert status_and_code(client.get("/mcp", headers=MCP)) == (405, "METHOD_NOT_ALLOWED")
    assert status_and_code(client.delete("/mcp", headers=MCP)) == (405, "METHOD_NOT_ALLOWED")
    modern = {**MCP, "MCP-Protocol-Version": "2026-07-28"}
    assert status_and_code(client.get("/mcp", headers=modern)) == (405, "METHOD_NOT_ALLOWED")
    assert status_and_code(client.post("/mcp", headers={**modern, "Accept": "text/html"}, json={})) == (
        406,
        "INVALID_INPUT",
    )
    plain = client.post("/mcp", headers={**MCP, "Content-Type": "text/plain"}, content="{}")
    assert plain.status_code == 400 and "error" in plain.json()
    for headers in (MCP, modern):
        large = client.post("/mcp", headers=headers, content=b'"' + bytes(200_000) + b'"')
        assert status_and_code(large) == (413, "TOO_LARGE")
        chunked = client.post("/mcp", headers=headers, content=(bytes(1000) for _ in range(200)))
        assert status_and_code(chunked) == (413, "TOO_LARGE")


def mcp_call(arguments: str) -> str:
    meta = {"protocolVersion": "2026-07-28", "clientCapabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    envelope = json.dumps({f"io.modelcontextprotocol/{name}": value for name, value in meta.items()})
    params = f'{{"name": "list_midi", "arguments": {arguments}, "_meta": {envelope}}}'
    return f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {params}}}'


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ('{"limit": NaN}', "NaN"),
        (r'{"cursor": "\ud800"}', "surrogate"),
        (r'{"cursor": "a\u0000"}', "NUL"),
        ('{"limitt": 1}', "Did you mean 'limit'?"),
        (f'{{"{"x" * 50_000}": 1}}', "There is no field"),
    ],
)
def test_invalid_arguments_are_reported_by_the_service(client: TestClient, arguments: str, says: str) -> None:
    headers = {**MCP, "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "list_midi"}
    result = client.post("/mcp", headers=headers, content=mcp_call(arguments)).json()["result"]
    shape = json.loads(result["content"][0]["text"])
    assert result["isError"] and shape["error"]["code"] == "INVALID_INPUT"
    assert says in shape["error"]["message"]


def test_the_agent_gets_music_with_the_token(client: TestClient) -> None:
    path = f"/inside/midi-store/files/{new_id('midi')}"
    assert client.get(path).status_code == 401
    answer = client.get(path, headers=TOKEN)
    assert answer.status_code == 200 and answer.content == path.rpartition("/")[2].encode()
    assert answer.headers["etag"] == '"7"' and "x-inner" not in answer.headers
    assert client.get("/inside/midi-store/health", headers=TOKEN).json() == {"status": "ok"}
    assert client.get(f"/inside/compose/songs/{new_id('song')}.mid", headers=TOKEN).status_code == 503  # it is down


@pytest.mark.parametrize(
    "path",
    ["midi-store/metrics", "midi-store/files/x", "midi-store/tools/list_midi", "midi-store/manifest", "nobody/health"],
)
def test_the_agent_gets_nothing_but_music(client: TestClient, path: str) -> None:
    assert client.get(f"/inside/{path}", headers=TOKEN).status_code == 404
    assert client.post(f"/inside/{path}", headers=TOKEN).status_code == 405
