"""What the recording page says when a recording cannot be made, and what its links cannot do."""

import base64
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
import pytest
from playwright.sync_api import expect

from consort_kit.http.signed_links import Links
from consort_kit.settings import Settings
from tests.support.browser import Chromium, check_accessibility
from tests.support.recorder_page import RecorderPage, page_links, wav_file
from tests.support.servers.studio import Studio


def get(url: str) -> httpx2.Response:
    return httpx2.get(url, trust_env=False, timeout=60)


def put(url: str, **options: Any) -> httpx2.Response:
    return httpx2.put(url, trust_env=False, timeout=60, **options)


@pytest.fixture
def requested(studio: Studio) -> dict[str, Any]:
    found: dict[str, Any] = studio.call("request_audio_recording", prompt="Sing a long A", max_duration=5)
    return found


def test_no_microphone(chromium: Chromium, requested: dict[str, Any]) -> None:
    with chromium.open_page(requested["record_url"]) as page:
        recorder = RecorderPage(page)
        recorder.button("Turn on the microphone")
        assert recorder.problem() == "No microphone was found. Connect one, or switch it on, and try again."
        expect(page.get_by_role("button", name="Turn on the microphone")).to_be_enabled()
        check_accessibility(page)


def test_a_page_that_may_not_use_the_microphone(chromium: Chromium, requested: dict[str, Any]) -> None:
    """A page from a data: address is as little trusted as one from another machine without HTTPS."""
    content = base64.b64encode(get(requested["record_url"]).content).decode()
    with chromium.open_page(f"data:text/html;charset=utf-8;base64,{content}") as page:
        assert page.evaluate("window.isSecureContext") is False
        problem = RecorderPage(page).problem()
        assert "opened from another machine without HTTPS" in problem and "127.0.0.1" in problem


def test_an_expired_link(studio: Studio, chromium: Chromium, requested: dict[str, Any]) -> None:
    link = urlsplit(requested["record_url"])
    token = dict(parse_qsl(link.query))["token"]
    links = Links(Settings(data=studio.data, port_base=studio.port_base))
    expired = links.make("audio", link.path.removeprefix("/links/audio"), {"token": token}, lifetime_s=-5)
    with chromium.open_page(expired.url, expected_errors=["403"]) as page:
        expect(page.get_by_role("heading", level=1)).to_have_text("This link has expired")
        check_accessibility(page)


def test_a_link_works_for_one_recording(chromium: Chromium, requested: dict[str, Any]) -> None:
    links = page_links(requested["record_url"])
    upload = put(links["takeUrl"], json={"device": "a test"}).json()
    late = put(links["takeUrl"], json={}).json()
    assert put(upload["upload_url"], content=wav_file(1.0)).status_code == 201
    with chromium.open_page(requested["record_url"], expected_errors=["409"]) as page:
        expect(page.get_by_role("heading", level=1)).to_have_text("This recording has already been made")
        check_accessibility(page)
    assert put(links["takeUrl"], json={}).json()["error"]["code"] == "ALREADY_RECORDED"
    assert put(late["upload_url"], content=wav_file(1.0)).json()["error"]["code"] == "ALREADY_RECORDED"


def test_the_links_of_a_page_reach_nothing_else(studio: Studio, requested: dict[str, Any]) -> None:
    links = page_links(requested["record_url"])
    other = studio.call("request_audio_recording", prompt="Another", max_duration=5)["recording_id"]
    for url in (requested["record_url"], *links.values()):
        address, parts = urlsplit(url), dict(parse_qsl(urlsplit(url).query))
        mine = address.path.removeprefix("/links/audio")
        for path in ("/tools/list_audio", "/openapi.json", "/metrics", mine.replace(requested["recording_id"], other)):
            assert get(address._replace(path=f"/links/audio{path}").geturl()).status_code == 403
        for service in ("midi-store", "compose"):
            assert get(address._replace(path=f"/links/{service}{mine}").geturl()).status_code == 403
        wrong = urlencode({**parts, "token": "x" * len(parts["token"])})
        assert get(address._replace(query=wrong).geturl()).status_code == 403
    token = dict(parse_qsl(urlsplit(requested["record_url"]).query))["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert httpx2.post(f"{studio.url}/mcp", headers=bearer, json={}, trust_env=False).status_code == 401
    answer = httpx2.post(f"{studio.url_of('audio')}/tools/list_audio", headers=bearer, json={}, trust_env=False)
    assert answer.status_code == 401
    assert put(requested["record_url"], content=b"").status_code == 403, "the page's own link only shows it"
