"""Callers who mean harm: every string of every tool, links, ids, bodies, headers."""

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from consort_gateway.catalogue import ToolDefinition, load_catalogue
from consort_kit.ids import new_id
from consort_kit.links import Links
from consort_kit.settings import Settings
from tests.faults.conftest import leaks
from tests.faults.measure import assert_shape, crowd
from tests.faults.table import EXAMPLES, HOSTILE_TEXTS
from tests.midi_files import as_base64, tune
from tests.studio import Studio

OUR_FOLDERS = {"export", "import", "logs", "midi", "postgres", "postgres.password", "run", "token"}


def string_fields(tool: ToolDefinition) -> list[str]:
    return [name for name, field in tool.input_schema["properties"].items() if field.get("type") == "string"]


STRINGS = [(tool.name, field) for tool in load_catalogue() for field in string_fields(tool)]


@pytest.fixture
def watched(victim: Studio, tmp_path: Path) -> Iterator[Path]:
    """A file outside the sandbox, with a link to it inside; afterwards nothing outside has changed."""
    outside = tmp_path / "outside.mid"
    outside.write_bytes(tune(2, name="FOREIGN TUNE"))
    link = victim.data / "import" / "link-out.mid"
    link.unlink(missing_ok=True)
    os.symlink(outside, link)
    around = sorted(victim.data.parent.iterdir())
    yield outside
    link.unlink()
    assert outside.read_bytes() == tune(2, name="FOREIGN TUNE")
    assert sorted(victim.data.parent.iterdir()) == around
    assert {path.name for path in victim.data.iterdir()} <= OUR_FOLDERS


@pytest.mark.parametrize(("tool", "field"), STRINGS)
def test_hostile_text(victim: Studio, watched: Path, tool: str, field: str) -> None:
    count = victim.call("list_midi", limit=100)
    for kind, text in HOSTILE_TEXTS.items():
        ok, result = victim.try_call(tool, **{**EXAMPLES[tool](), field: text})
        if not ok:
            assert_shape(result)
            assert result["error"]["code"] not in ("INTERNAL_ERROR", "SERVICE_DOWN"), (kind, result)
        told = json.dumps(result)
        assert not leaks(victim, told) and "FOREIGN TUNE" not in told and "root:" not in told, kind
        assert ok or len(told) < 20_000, "an error does not repeat a long input"
    assert victim.call("list_midi", limit=100)["items"][-1] == count["items"][-1] or len(count["items"]) == 100
    assert victim.call("get_midi", path="kept.mid")


def test_guessed_ids(victim: Studio) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: victim.try_call("get_midi", midi_file_id=new_id("midi")), range(200)))
    assert {result["error"]["code"] for _, result in answers} == {"NOT_FOUND"}


def test_links_expired_altered_and_replayed(victim: Studio) -> None:
    settings = Settings(data=victim.data, port_base=victim.port_base)
    file = victim.call("get_midi", path="kept.mid")
    expired = Links(settings).make("midi-store", f"/files/{file['midi_file_id']}", lifetime_s=-1)
    answer = httpx2.get(expired.url)
    assert answer.status_code == 403 and answer.json()["error"]["code"] == "LINK_EXPIRED"
    other = victim.call("store_midi", base64=as_base64(tune(4)), name=f"{new_id('x')}.mid")["midi_file_id"]
    for altered in (
        file["download_url"].replace(file["midi_file_id"], other),
        file["download_url"].replace("midi-store", "audio"),
        file["download_url"] + "&name=x",
        file["download_url"].replace("expires=1", "expires=2"),
        file["download_url"].partition("?")[0],
    ):
        answer = httpx2.get(altered)
        assert answer.status_code == 403, altered
        assert_shape(answer.json())
    assert httpx2.put(file["download_url"], content=tune(1)).status_code == 403


@pytest.mark.parametrize("path", ["/metrics", "/openapi.json", "/docs", "/tools/list_midi"])
def test_links_open_nothing_else(victim: Studio, path: str) -> None:
    assert httpx2.get(f"{victim.url}/links/midi-store{path}").status_code == 403
    assert httpx2.get(f"{victim.url}/links/midi-store/..{path}").status_code in (403, 404, 401)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1.evil.example"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost.evil.example:8700"}, 421),
        ({"Host": "evil.example@localhost"}, 421),
    ],
)
@pytest.mark.parametrize("path", ["/mcp", "/health", "/services/midi-store/docs", "/links/midi-store/files/x"])
def test_foreign_pages_and_names(victim: Studio, path: str, headers: dict[str, str], status: int) -> None:
    answer = httpx2.get(f"{victim.url}{path}", headers={**victim.headers, **headers})
    assert answer.status_code == status
    assert_shape(answer.json())


BODIES: dict[str, Any] = {
    "oversized": b'{"base64": "' + b"A" * 17_000_000 + b'"}',
    "nested lists": b"[" * 200_000 + b"]" * 200_000,
    "nested objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "huge number": b'{"limit": ' + b"9" * 100_000 + b"}",
    "many fields": json.dumps({f"f{index}": index for index in range(100_000)}).encode(),
}


@pytest.mark.parametrize("body", BODIES)
def test_bodies_that_cost_too_much(victim: Studio, body: str) -> None:
    for url in (f"{victim.url_of('midi-store')}/tools/list_midi", f"{victim.url}/mcp"):
        began = time.monotonic()
        headers = {
            **victim.headers,
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        answer = httpx2.post(url, content=BODIES[body], headers=headers, timeout=30)
        assert 400 <= answer.status_code < 500, answer.text[:300]
        assert len(answer.content) < 20_000
        assert time.monotonic() - began < 5
    assert victim.call("list_midi")


def test_many_writers_of_one_item(victim: Studio) -> None:
    """A hundred replace one file at once: one id, the last one whole, and others are served meanwhile."""
    name = f"{new_id('one')}.mid"
    with crowd(victim, clients=1) as seen, ThreadPoolExecutor(100) as pool:
        stored = list(
            pool.map(
                lambda n: victim.call("store_midi", name=name, base64=as_base64(tune(n)), overwrite=True), range(1, 101)
            )
        )
    assert len({each["midi_file_id"] for each in stored}) == 1
    now = victim.call("get_midi", path=name, include_base64=True)
    assert now["base64"] == as_base64(tune(now["metadata"]["note_count"]))
    assert not seen.errors
