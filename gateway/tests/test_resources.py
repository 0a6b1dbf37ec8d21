"""Resources over MCP, in both protocols, with a small service for songs and scores. The other services are down."""

import asyncio
import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from fastapi import APIRouter, Response
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from consort_gateway.guides import load_skills
from consort_kit.errors import NotFound
from consort_kit.http.app import create_app
from consort_kit.services import SERVICES
from consort_kit.settings import Settings
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.servers.fake_midi_store import TOKEN
from tests.support.servers.mcp_clients import RunClient

SCORES = 120
"""Scores of the fake service. They need three pages."""
SIZES = {"small": 700_000, "large": 700_001}


def fake_compose() -> APIRouter:
    router = APIRouter()

    @router.get("/scores")
    async def scores(limit: int, cursor: str = "0") -> dict[str, Any]:
        first = int(cursor)
        items = [
            {"score_id": f"score_{number}", "title": None, "parts": ["alto"], "created_at": "2026-11-18T10:00:00Z"}
            for number in range(first, min(first + limit, SCORES))
        ]
        return {"items": items, "next_cursor": str(first + limit) if first + limit < SCORES else None}

    @router.get("/scores/{score_id}.txt")
    async def text(score_id: str) -> Response:
        if score_id == "score_0":
            raise NotFound("There is no score 'score_0'. It expired.", field="score_id", suggestions=["add_notes"])
        if score_id == "score_1":
            raise RuntimeError("a secret of the service")
        return Response(f"notes of {score_id}", media_type="text/plain")

    @router.get("/scores/{size}.mid")
    async def midi(size: str) -> Response:
        if size not in SIZES:
            raise NotFound(f"There is no score {size!r}.")
        return Response(b"m" * SIZES[size], media_type="audio/midi")

    @router.post("/tools/list_songs")
    async def songs() -> dict[str, Any]:
        return {"items": [{"song_id": "song_1", "title": "Rain", "note_count": 3, "updated_at": "2026-11-18"}]}

    return router


@pytest.fixture
def service_urls(tmp_path: Path, serve: Callable[..., str]) -> dict[str, str]:
    app = create_app("compose", "For tests.", [fake_compose()], settings=Settings(data=tmp_path, token=TOKEN))
    return {**dict.fromkeys(SERVICES, "http://127.0.0.1:9"), "compose": serve(app)}


async def all_pages(client: Client) -> list[types.ListResourcesResult]:
    pages = [await client.list_resources()]
    while pages[-1].next_cursor:
        pages.append(await client.list_resources(cursor=pages[-1].next_cursor))
    return pages


async def refused(reading: Any) -> Any:
    with pytest.raises(MCPError) as caught:
        await reading
    return caught.value.error


def test_pages_hold_everything_once_and_name_what_is_down(run_client: RunClient, service_urls: dict[str, str]) -> None:
    async def work(client: Client) -> None:
        pages = await all_pages(client)
        uris = [str(each.uri) for page in pages for each in page.resources]
        assert len(uris) == len(set(uris)) and len(pages) >= 3 and max(len(page.resources) for page in pages) <= 50
        assert uris[0] == "consort://song/song_1"
        assert [uri for uri in uris if "score" in uri] == [f"consort://score/score_{n}" for n in range(SCORES)]
        assert {f"consort://skill/{name}" for name in load_skills()} <= set(uris)
        missing = {name for page in pages for name in (page.meta or {}).get("consort/unavailable", [])}
        assert missing == {"strudel_project", "midi_file", "audio_file", "strudel_functions"}
        song = pages[0].resources[0]
        assert (song.title, song.description, song.mime_type) == ("Rain", "Song with 3 notes", "text/plain")
        assert song.annotations is not None and song.annotations.last_modified == "2026-11-18"

    run_client(work, service_urls=service_urls)


def test_reading_text_and_bytes(run_client: RunClient, service_urls: dict[str, str]) -> None:
    async def work(client: Client) -> None:
        (text,) = (await client.read_resource("consort://score/score_7")).contents
        assert isinstance(text, types.TextResourceContents) and text.text == "notes of score_7"
        assert (text.uri, text.mime_type) == ("consort://score/score_7", "text/plain")
        (guide,) = (await client.read_resource("consort://skill/songwriting")).contents
        assert isinstance(guide, types.TextResourceContents) and guide.text.startswith("# Songwriting")
        (midi,) = (await client.read_resource("consort://score/small/midi")).contents
        assert isinstance(midi, types.BlobResourceContents) and midi.mime_type == "audio/midi"
        assert base64.b64decode(midi.blob) == b"m" * 700_000

    run_client(work, service_urls=service_urls)


def test_errors_say_what_to_change(run_client: RunClient, service_urls: dict[str, str]) -> None:
    async def work(client: Client) -> None:
        gone = await refused(client.read_resource("consort://score/score_0"))
        assert gone.code == types.INVALID_PARAMS and "It expired" in gone.message
        assert gone.data.pop("uri") == "consort://score/score_0"
        assert check_error_shape(gone.data)["suggestions"] == ["add_notes"]

        for wrong in ("consort://scores/score_3", "consort://score/", "consort://score/a/b", "file:///etc/passwd"):
            unknown = await refused(client.read_resource(wrong))
            assert unknown.code == types.INVALID_PARAMS and "resources/templates/list" in unknown.message
        guide = await refused(client.read_resource("consort://skill/cooking"))
        assert "songwriting" in guide.data["error"]["suggestions"]

        large = await refused(client.read_resource("consort://score/large/midi"))
        assert (large.code, large.data["error"]["code"]) == (types.INVALID_PARAMS, "TOO_LARGE")
        assert "700,000 bytes" in large.message
        absent = await refused(client.read_resource("consort://score/none/midi"))
        assert (absent.code, absent.message) == (types.INVALID_PARAMS, "There is no score 'none'.")

        down = await refused(client.read_resource("consort://midi/midi_1"))
        assert (down.code, down.data["error"]["code"]) == (types.INTERNAL_ERROR, "SERVICE_DOWN")
        broken = await refused(client.read_resource("consort://score/score_1"))
        assert broken.code == types.INTERNAL_ERROR and "secret" not in str(broken)

        for cursor in ("nonsense", base64.b64encode(b'["song", {}]').decode(), base64.b64encode(b"[]").decode()):
            wrong_cursor = await refused(client.list_resources(cursor=cursor))
            assert (wrong_cursor.code, wrong_cursor.data["error"]["code"]) == (types.INVALID_PARAMS, "INVALID_CURSOR")
        template = await refused(client.list_resource_templates(cursor="more"))
        assert "Leave cursor out" in template.message

    run_client(work, service_urls=service_urls)


def test_addresses_are_completed(run_client: RunClient, service_urls: dict[str, str]) -> None:
    def reference(template: str) -> types.ResourceTemplateReference:
        return types.ResourceTemplateReference(type="ref/resource", uri=template)

    async def work(client: Client) -> None:
        guide = reference("consort://skill/{skill}")
        assert (await client.complete(guide, {"name": "skill", "value": "prac"})).completion.values == [
            "practice-coach"
        ]
        for template in ("consort://score/{score_id}", "consort://score/{score_id}/midi"):
            found = (await client.complete(reference(template), {"name": "score_id", "value": "_11"})).completion
            assert found.values == ["score_11"] and found.has_more  # more scores are on a further page
        wrong = await refused(client.complete(guide, {"name": "name", "value": ""}))
        assert wrong.data["error"]["suggestions"] == ["skill"]
        unknown = await refused(client.complete(reference("consort://guide/{x}"), {"name": "x", "value": ""}))
        assert "consort://skill/{skill}" in unknown.data["error"]["suggestions"]

    run_client(work, service_urls=service_urls)


def test_only_resources_of_the_toolsets_are_offered(run_client: RunClient, service_urls: dict[str, str]) -> None:
    async def work(client: Client) -> None:
        templates = {each.uri_template for each in (await client.list_resource_templates()).resource_templates}
        assert templates == {"consort://song/{song_id}", "consort://song/{song_id}/midi", "consort://skill/{skill}"}
        pages = await all_pages(client)
        assert not any("score" in str(each.uri) for page in pages for each in page.resources)
        assert "There is no resource" in (await refused(client.read_resource("consort://score/score_7"))).message

    run_client(work, service_urls=service_urls, toolsets="songs", read_only=True)


def test_twenty_readers_at_once(run_client: RunClient, service_urls: dict[str, str]) -> None:
    async def work(client: Client) -> None:
        uris = [f"consort://score/score_{number}" for number in range(10, 30)]
        answers = await asyncio.gather(*(client.read_resource(uri) for uri in uris))
        assert [str(each.contents[0].uri) for each in answers] == uris

    run_client(work, service_urls=service_urls)
