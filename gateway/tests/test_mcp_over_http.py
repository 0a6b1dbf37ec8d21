"""MCP over HTTP with the official client, in the stateless and the older protocol."""

import asyncio
import base64
import json
import os
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx2
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from consort_gateway.settings import GatewaySettings
from consort_kit import API_VERSION
from consort_kit.processes.studio_state import ServiceState, StudioState
from evaluation.mcp_answers import answer_of
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.servers.fake_midi_store import TOKEN, FakeMidiStore
from tests.support.servers.mcp_clients import RunClient


def error_of(result: types.CallToolResult) -> dict[str, Any]:
    assert result.is_error and result.meta is not None and result.meta["api_version"] == API_VERSION
    (block,) = result.content
    assert isinstance(block, types.TextContent) and result.structured_content is None
    shape: dict[str, Any] = json.loads(block.text)
    assert "error" not in result.meta
    check_error_shape(shape)
    return shape


def test_tools_are_listed_with_titles_and_annotations(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"store_midi", "get_midi", "list_midi"} <= set(tools)
        for tool in tools.values():
            assert tool.title and tool.description and tool.annotations is not None
            assert tool.annotations.title is None, "a title is sent once"
            assert tool.annotations.open_world_hint is False
            assert tool.input_schema["type"] == "object"
        read, write = tools["list_midi"].annotations, tools["store_midi"].annotations
        assert read is not None and read.read_only_hint is True
        assert write is not None and write.read_only_hint is None and write.destructive_hint is False

    run_client(work)


def test_read_only_and_toolsets(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "list_midi" in names and "store_midi" not in names
        with pytest.raises(MCPError, match="store_midi is switched off"):
            await client.call_tool("store_midi", {"name": "a"})

    run_client(work, read_only=True, toolsets="midi")


def test_a_call_and_its_answer(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        result = await client.call_tool("list_midi", {"limit": 2})
        assert not result.is_error and result.meta is not None and result.meta["api_version"] == API_VERSION
        assert result.structured_content is None, "no tool declares an output schema: JSON is sent once, as text"
        assert answer_of(result)["items"] == ["♪", "♪"]
        assert answer_of(result)["request_id"].startswith("req_")
        assert answer_of(await client.call_tool("list_midi"))["items"] == ["♪"] * 20

    run_client(work)


def test_errors_of_a_service_are_passed_on_completely(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        shape = error_of(await client.call_tool("store_midi", {"name": "a.mid"}))
        assert shape["error"] == {
            "code": "ALREADY_EXISTS",
            "message": "a file named 'a.mid' is stored already",
            "field": "name",
            "suggestions": ["another name"],
            "details": {"midi_file_id": "midi_7"},
        }
        assert shape["partial_result"] == {"bytes": 3}

        unknown = error_of(await client.call_tool("list_midi", {"limit": 1, "limitt": 2}))["error"]
        assert unknown["field"] == "limitt" and "Did you mean 'limit'?" in unknown["message"]
        wrong = error_of(await client.call_tool("list_midi", {"limit": "many"}))["error"]
        assert (wrong["code"], wrong["field"]) == ("INVALID_INPUT", "limit")

    run_client(work)


def test_an_unknown_tool_gets_a_suggestion(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("list_midis", {})
        assert caught.value.error.code == types.INVALID_PARAMS
        assert caught.value.error.message == "There is no tool 'list_midis'. Did you mean list_midi?"
        assert caught.value.error.data["error"]["code"] == "UNKNOWN_TOOL"
        with pytest.raises(MCPError, match="tools/list shows all tools"):
            await client.call_tool("é" * 5000, {})

    run_client(work)


def test_pictures_sound_and_files(run_client: RunClient, midi_store: FakeMidiStore) -> None:
    picture = os.urandom(700_000)  # almost a megabyte in base64; the official client reads no more in one event
    midi_store.answers["picture"] = ("image/png", picture)
    midi_store.answers["sound"] = ("audio/wav", b"RIFF")
    midi_store.answers["file"] = ("audio/midi", b"MThd")

    async def work(client: Client) -> None:
        (image,) = (await client.call_tool("get_midi", {"path": "picture"})).content
        assert isinstance(image, types.ImageContent) and base64.b64decode(image.data) == picture
        (sound,) = (await client.call_tool("get_midi", {"path": "sound"})).content
        assert isinstance(sound, types.AudioContent) and base64.b64decode(sound.data) == b"RIFF"
        (file,) = (await client.call_tool("get_midi", {"path": "file"})).content
        assert isinstance(file, types.EmbeddedResource) and file.resource.mime_type == "audio/midi"

    run_client(work)


def test_an_answer_above_1_mb_becomes_a_link_and_a_summary(
    run_client: RunClient, midi_store: FakeMidiStore, settings: GatewaySettings
) -> None:
    notes = [f'C4 "quarter" {number}' for number in range(60_000)]
    whole = json.dumps({"title": "Tune", "notes": notes}).encode()
    midi_store.answers["long"] = ("application/json", whole)
    midi_store.answers["short"] = ("application/json", json.dumps({"notes": notes[:30_000]}).encode())
    service, headers = settings.service_urls["midi-store"], {"Authorization": f"Bearer {TOKEN}"}

    async def work(client: Client) -> None:
        (short,) = (await client.call_tool("get_midi", {"path": "short"})).content
        assert isinstance(short, types.TextContent) and len(json.loads(short.text)["notes"]) == 30_000
        result = await client.call_tool("get_midi", {"path": "long"})
        assert len(result.model_dump_json()) < 10_000 and not result.is_error
        (text,) = result.content
        assert isinstance(text, types.TextContent)
        answer = json.loads(text.text)
        assert answer["summary"]["title"] == "Tune" and answer["summary"]["notes"][-1] == "… 59,980 more"
        link = urlsplit(answer["download_url"])
        assert link.path.startswith("/links/midi-store/answers/") and "signature=" in link.query
        stored = httpx2.get(service + link.path.removeprefix("/links/midi-store"), headers=headers)
        assert stored.content == whole

    run_client(work)
    direct = httpx2.post(f"{service}/tools/get_midi", json={"path": "long"}, headers=headers)
    assert direct.content == whole, "the HTTP API sends all of it"


def test_details_of_internal_failures_are_hidden(run_client: RunClient, midi_store: FakeMidiStore) -> None:
    midi_store.answers["broken"] = ("application/json", b'{"half": ')

    async def work(client: Client) -> None:
        gateway = error_of(await client.call_tool("get_midi", {"path": "broken"}))["error"]
        assert gateway["code"] == "INTERNAL_ERROR" and gateway["details"]["request_id"].startswith("req_")
        service = error_of(await client.call_tool("get_midi", {"path": "a KeyError in the service"}))["error"]
        assert service["code"] == "INTERNAL_ERROR" and service["details"]["request_id"].startswith("req_")
        for error in (gateway, service):
            text = json.dumps(error)
            assert not any(secret in text for secret in ("KeyError", "JSONDecode", "half", "Traceback", ".py"))

    run_client(work)


def test_tools_of_a_stopped_service_stay_listed(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        error = error_of(await client.call_tool("list_midi", {}))["error"]
        assert error["code"] == "SERVICE_DOWN" and error["details"] == {"service": "midi-store"}
        assert len((await client.list_tools()).tools) >= 3

    run_client(work, service_urls={"midi-store": "http://127.0.0.1:9"})


def test_a_call_during_the_start_waits_and_reports_progress(
    run_client: RunClient,
    settings: GatewaySettings,
    midi_store: FakeMidiStore,
    serve: Callable[..., str],
    free_port: int,
) -> None:
    StudioState(os.getpid(), 8700, {"midi-store": ServiceState(state="starting")}).write(settings.data)
    messages: list[str | None] = []

    async def work(client: Client) -> None:
        first = asyncio.Event()

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            messages.append(message)
            first.set()

        call = asyncio.create_task(client.call_tool("list_midi", {"limit": 1}, progress_callback=on_progress))
        await first.wait()
        await asyncio.to_thread(serve, midi_store.app(settings.data / "late"), free_port)
        assert answer_of(await call)["items"] == ["♪"]

    run_client(work, service_urls={"midi-store": f"http://127.0.0.1:{free_port}"})
    assert messages[0] == "midi-store is starting"


def test_tool_search_lists_two_tools_that_reach_all(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["search_tools", "call_tool"]
        found = await client.call_tool("search_tools", {"query": "list my midi files"})
        assert answer_of(found)["tools"][0]["name"] == "list_midi"
        assert error_of(await client.call_tool("search_tools", {"query": ""}))["error"]["field"] == "query"

        inner = await client.call_tool("call_tool", {"name": "list_midi", "arguments": {"limit": 3}})
        assert answer_of(inner)["items"] == ["♪"] * 3
        direct = await client.call_tool("list_midi", {"limit": 1})  # a client that knows it may also do this
        assert answer_of(direct)["items"] == ["♪"]
        flat = error_of(await client.call_tool("call_tool", {"name": "list_midi", "limit": 3}))["error"]
        assert flat["field"] == "limit" and "arguments" in flat["suggestions"]
        for wrong in ({}, {"name": 3}, {"name": "list_midi", "arguments": []}):
            assert error_of(await client.call_tool("call_tool", wrong))["error"]["code"] == "INVALID_INPUT"
        with pytest.raises(MCPError, match="There is no tool 'call_tool'"):
            await client.call_tool("call_tool", {"name": "call_tool", "arguments": {"name": "list_midi"}})

    run_client(work, tool_search=True)


def test_twenty_calls_at_once(run_client: RunClient) -> None:
    async def work(client: Client) -> None:
        answers = await asyncio.gather(*(client.call_tool("list_midi", {"limit": n}) for n in range(1, 21)))
        assert [error_of(each) for each in answers if each.is_error] == []
        assert [len(answer_of(each)["items"]) for each in answers] == list(range(1, 21))
        assert len({answer_of(each)["request_id"] for each in answers}) == 20

    run_client(work)
