"""Links to audio files through the gateway: large uploads, pieces, ranges, HEAD, and the headers of pages."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import APIRouter, Request, Response
from starlette.testclient import TestClient

from consort_gateway.app import make_app
from consort_gateway.settings import GatewaySettings
from consort_kit.http.app import create_app
from consort_kit.http.signed_links import Links
from consort_kit.settings import Settings
from tests.support.servers.fake_midi_store import TOKEN

MEGABYTE = 1024 * 1024


class FakeAudio:
    """An audio service that notes the uploads it gets, and serves one file and one page."""

    def __init__(self) -> None:
        self.uploads: list[tuple[dict[str, str], int]] = []

    def router(self) -> APIRouter:
        router = APIRouter()

        @router.put("/uploads/{name}", status_code=202)
        async def upload(request: Request, name: str) -> dict[str, int]:
            size = sum([len(part) async for part in request.stream()])
            self.uploads.append((dict(request.headers), size))
            return {"received": size}

        @router.head("/files/{name}")
        @router.get("/files/{name}")
        async def download(request: Request, name: str) -> Response:
            sent = ", ".join(f"{header}={request.headers.get(header)}" for header in ("range", "if-range"))
            headers = {"Accept-Ranges": "bytes", "Content-Range": "bytes 0-1/9", "X-Seen": "no", "ETag": f'"{sent}"'}
            return Response(b"" if request.method == "HEAD" else b"ab", 206, headers, "audio/wav")

        @router.get("/player/{name}")
        async def page(name: str) -> Response:
            headers = {"Content-Security-Policy": "default-src 'none'", "Referrer-Policy": "no-referrer"}
            return Response("<h1>page</h1>", headers=headers, media_type="text/html")

        return router


@pytest.fixture
def fake() -> FakeAudio:
    return FakeAudio()


@pytest.fixture
def client(
    settings: GatewaySettings, serve: Callable[..., str], fake: FakeAudio, tmp_path: Path
) -> Iterator[TestClient]:
    app = create_app(
        "audio",
        "For tests.",
        [fake.router()],
        settings=Settings(data=tmp_path / "audio", token=TOKEN),
        upload_paths=("/uploads/",),
    )
    urls = {**settings.service_urls, "audio": serve(app)}
    gateway = make_app(settings.model_copy(update={"service_urls": urls, "max_body_bytes": 100_000}))
    with TestClient(gateway, base_url="http://127.0.0.1:8700") as client:
        yield client


def link(settings: GatewaySettings, path: str, method: str = "GET") -> str:
    return Links(settings).make("audio", path, method=method).url.removeprefix("http://127.0.0.1:8700")


def test_an_upload_may_be_larger_than_other_bodies(
    client: TestClient, settings: GatewaySettings, fake: FakeAudio
) -> None:
    url = link(settings, "/uploads/a", "PUT")
    announced = client.put(url, content=bytes(20 * MEGABYTE))
    streamed = client.put(url, content=(bytes(MEGABYTE) for _ in range(20)))
    assert announced.json() == streamed.json() == {"received": 20 * MEGABYTE}
    (first, _), (second, _) = fake.uploads
    assert first["content-length"] == str(20 * MEGABYTE) and "transfer-encoding" not in first
    assert "content-length" not in second


def test_the_place_and_the_name_of_a_piece_are_passed_on(
    client: TestClient, settings: GatewaySettings, fake: FakeAudio
) -> None:
    sent = {
        "Content-Range": "bytes 0-9/20",
        "Content-Disposition": "attachment; filename*=UTF-8''a.wav",
        "Consort-Upload": "me",
        "Cookie": "secret=1",
    }
    answer = client.put(link(settings, "/uploads/a", "PUT"), content=bytes(10), headers=sent)
    assert answer.status_code == 202
    headers, size = fake.uploads[0]
    assert size == 10 and "cookie" not in headers
    assert [headers[name.lower()] for name in list(sent)[:3]] == list(sent.values())[:3]


def test_an_upload_needs_a_link_for_it(client: TestClient, settings: GatewaySettings, fake: FakeAudio) -> None:
    assert client.put(link(settings, "/uploads/a"), content=bytes(10)).status_code == 403
    assert client.put("/links/audio/uploads/a", content=bytes(10)).status_code == 403
    assert fake.uploads == []


def test_a_part_of_a_file_and_head(client: TestClient, settings: GatewaySettings) -> None:
    headers = {"Range": "bytes=0-1", "If-Range": '"x"'}
    for answer in (
        client.get(link(settings, "/files/a"), headers=headers),
        client.head(link(settings, "/files/a"), headers=headers),
    ):
        assert (answer.status_code, answer.headers["content-range"]) == (206, "bytes 0-1/9")
        assert answer.headers["etag"] == '"range=bytes=0-1, if-range="x""'
        assert answer.headers["accept-ranges"] == "bytes" and "x-seen" not in answer.headers
    assert answer.content == b""


def test_the_policies_of_a_page_are_passed_on(client: TestClient, settings: GatewaySettings) -> None:
    answer = client.get(link(settings, "/player/a"))
    assert answer.headers["content-security-policy"] == "default-src 'none'"
    assert answer.headers["referrer-policy"] == "no-referrer"
