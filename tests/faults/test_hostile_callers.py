"""Attack every text field of every tool, and links, ids, bodies and headers."""

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from consort_gateway.tools.catalogue import ToolDefinition, load_catalogue
from consort_kit.http.signed_links import Links
from consort_kit.ids import new_id
from consort_kit.settings import Settings
from tests.faults.conftest import leaks
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.errors_and_faults.example_calls import EXAMPLE_CALLS
from tests.support.errors_and_faults.fault_measurements import busy_clients
from tests.support.errors_and_faults.injected_faults import HOSTILE_TEXTS
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import Studio

OUR_FOLDERS = {
    "audio", "cache", "export", "import", "logs", "made-by.json", "midi", "notation", "postgres", "postgres.password",
    "run", "token", "uploads",
}  # fmt: skip


def string_fields(tool: ToolDefinition) -> list[str]:
    return [name for name, field in tool.input_schema["properties"].items() if field.get("type") == "string"]


STRINGS = [(tool.name, field) for tool in load_catalogue() for field in string_fields(tool)]


@pytest.fixture
def watched(attacked_studio: Studio, tmp_path: Path) -> Iterator[Path]:
    """Make a file outside the sandbox and a symbolic link to it inside. Afterwards nothing outside may have changed."""
    outside = tmp_path / "outside.mid"
    outside.write_bytes(tune(2, name="FOREIGN TUNE"))
    link = attacked_studio.data / "import" / "link-out.mid"
    link.unlink(missing_ok=True)
    os.symlink(outside, link)
    around = sorted(attacked_studio.data.parent.iterdir())
    yield outside
    link.unlink()
    assert outside.read_bytes() == tune(2, name="FOREIGN TUNE")
    assert sorted(attacked_studio.data.parent.iterdir()) == around
    assert {path.name for path in attacked_studio.data.iterdir()} <= OUR_FOLDERS


def newest_files(studio: Studio, count: int) -> list[str]:
    """Return the ids of the newest `count` stored files."""
    ids: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = studio.call("list_midi", limit=100, **cursor)
        ids += [item["midi_file_id"] for item in page["items"]]
        if len(ids) >= count or "next_cursor" not in page:
            return ids[:count]
        cursor = {"cursor": page["next_cursor"]}


@pytest.mark.parametrize(("tool", "field"), STRINGS)
def test_hostile_text(attacked_studio: Studio, watched: Path, tool: str, field: str) -> None:
    """Try every fourth text, beginning at a different one for each field."""
    assert_harmless(attacked_studio, tool, field, list(HOSTILE_TEXTS)[STRINGS.index((tool, field)) % 4 :: 4])


@pytest.mark.long
@pytest.mark.parametrize(("tool", "field"), STRINGS)
def test_every_hostile_text(attacked_studio: Studio, watched: Path, tool: str, field: str) -> None:
    assert_harmless(attacked_studio, tool, field, list(HOSTILE_TEXTS))


def assert_harmless(attacked_studio: Studio, tool: str, field: str, kinds: list[str]) -> None:
    before = set(newest_files(attacked_studio, 100))
    for kind in kinds:
        text = HOSTILE_TEXTS[kind]
        ok, result = attacked_studio.try_call(tool, **{**EXAMPLE_CALLS[tool](), field: text})
        answer = json.dumps(result)
        assert not leaks(attacked_studio, answer) and "FOREIGN TUNE" not in answer and "root:" not in answer, kind
        if not ok:
            assert check_error_shape(result)["code"] not in ("INTERNAL_ERROR", "SERVICE_DOWN"), (kind, result)
            assert len(answer) < 20_000, "an error must not repeat a long input"
    assert before <= set(newest_files(attacked_studio, 100 + 10 * len(HOSTILE_TEXTS))), "a stored file is gone"
    assert attacked_studio.call("get_midi", path="kept.mid")


def test_guessed_ids(attacked_studio: Studio) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda _: attacked_studio.try_call("get_midi", midi_file_id=new_id("midi")), range(200))
        )
    assert {result["error"]["code"] for _, result in answers} == {"NOT_FOUND"}


def test_links_expired_altered_and_replayed(attacked_studio: Studio) -> None:
    settings = Settings(data=attacked_studio.data, port_base=attacked_studio.port_base)
    file = attacked_studio.call("get_midi", path="kept.mid")
    expired = Links(settings).make("midi-store", f"/files/{file['midi_file_id']}", lifetime_s=-1)
    answer = httpx2.get(expired.url)
    assert answer.status_code == 403 and answer.json()["error"]["code"] == "LINK_EXPIRED"
    other = attacked_studio.call("store_midi", base64=as_base64(tune(4)), name=f"{new_id('x')}.mid")["midi_file_id"]
    for altered in (
        file["download_url"].replace(file["midi_file_id"], other),
        file["download_url"].replace("midi-store", "audio"),
        file["download_url"] + "&name=x",
        file["download_url"].replace("expires=1", "expires=2"),
        file["download_url"].partition("?")[0],
    ):
        answer = httpx2.get(altered)
        assert answer.status_code == 403, altered
        check_error_shape(answer.json())
    assert httpx2.put(file["download_url"], content=tune(1)).status_code == 403


@pytest.mark.parametrize("path", ["/metrics", "/openapi.json", "/docs", "/tools/list_midi"])
def test_a_link_without_a_signature_opens_no_other_route(attacked_studio: Studio, path: str) -> None:
    assert httpx2.get(f"{attacked_studio.url}/links/midi-store{path}").status_code == 403
    assert httpx2.get(f"{attacked_studio.url}/links/midi-store/..{path}").status_code == 404


FOREIGN_HOSTS = [
    "evil.example", "evil.example:8700", "localhost.evil.example:8700", "127.0.0.1.evil.example", "127.0.0.1.nip.io",
    "evil.example@localhost", "localhost@evil.example", "localhost:8700@evil.example", "evil.example#@localhost",
    "localhost#.evil.example", "localhost/.evil.example", "localhost?.evil.example", "localhost\\.evil.example",
    "localhost evil.example", "localhost,evil.example", "localhost;evil.example", "localhost:8700:evil", "localhost:x",
    "localhost.", "0.0.0.0", "127.0.0.2", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::]", "[::2]",
    "[::ffff:127.0.0.1]", "[localhost]", "[127.0.0.1]", "%6cocalhost", "local\thost", "",
]  # fmt: skip
FOREIGN_ORIGINS = [
    "https://evil.example", "null", "NULL", "file://", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
    "http://evil.example@localhost", "http://localhost@evil.example", "http://localhost#.evil.example",
    "http://localhost/evil", "http://localhost, https://evil.example", "//evil.example", "localhost",
    "http:localhost", "http://localhost:8700x", "http://[::]", "http://0.0.0.0", "",
]  # fmt: skip


@pytest.mark.parametrize("path", ["/mcp", "/health", "/services/midi-store/docs", "/links/midi-store/files/x"])
def test_other_origins_and_host_names_are_rejected(attacked_studio: Studio, path: str) -> None:
    tricks = [*(("Host", host, 421) for host in FOREIGN_HOSTS), *(("Origin", name, 403) for name in FOREIGN_ORIGINS)]
    assert len(tricks) >= 45
    with httpx2.Client(headers=attacked_studio.headers) as client:
        for header, value, status in tricks:
            answer = client.get(f"{attacked_studio.url}{path}", headers={header: value})
            if answer.status_code == 400 and answer.text == "Invalid HTTP request received.":
                continue  # rejected by the server before anything reads the headers
            assert answer.status_code == status, (header, value)
            check_error_shape(answer.json())


BODIES: dict[str, Any] = {
    "oversized": b'{"base64": "' + b"A" * 17_000_000 + b'"}',
    "nested lists": b"[" * 200_000 + b"]" * 200_000,
    "nested objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "huge number": b'{"limit": ' + b"9" * 100_000 + b"}",
    "many fields": json.dumps({f"f{index}": index for index in range(100_000)}).encode(),
}


@pytest.mark.parametrize("body", BODIES)
def test_bodies_that_cost_too_much(attacked_studio: Studio, body: str) -> None:
    for url in (f"{attacked_studio.url_of('midi-store')}/tools/list_midi", f"{attacked_studio.url}/mcp"):
        began = time.monotonic()
        headers = {
            **attacked_studio.headers,
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        answer = httpx2.post(url, content=BODIES[body], headers=headers, timeout=30)
        assert 400 <= answer.status_code < 500, answer.text[:300]
        assert len(answer.content) < 20_000
        assert time.monotonic() - began < 5
    assert attacked_studio.call("list_midi")


def test_many_writers_of_one_item(attacked_studio: Studio) -> None:
    """If a hundred clients replace one file, it keeps its id, one write is complete, and other calls succeed."""
    name = f"{new_id('one')}.mid"
    with busy_clients(attacked_studio, clients=1) as seen, ThreadPoolExecutor(100) as pool:
        stored = list(
            pool.map(
                lambda n: attacked_studio.call("store_midi", name=name, base64=as_base64(tune(n)), overwrite=True),
                range(1, 101),
            )
        )
    assert len({each["midi_file_id"] for each in stored}) == 1
    now = attacked_studio.call("get_midi", path=name, include_base64=True)
    assert now["base64"] == as_base64(tune(now["metadata"]["note_count"]))
    assert not seen.errors
