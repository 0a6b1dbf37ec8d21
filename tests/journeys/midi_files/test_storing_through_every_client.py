"""Store, describe and list a MIDI file through every client: command line, MCP over stdio and HTTP, upload links."""

import asyncio
import base64
import json
import subprocess
from pathlib import Path
from typing import Any

import httpx2
import mido
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from consort_kit.ids import new_id
from evaluation.mcp_answers import answer_of, error_of
from tests.support.midi_files import as_base64, tune
from tests.support.servers import npm_programs
from tests.support.servers.studio import CONSORT, Studio, bytes_of, on_every_storage


def test_command_line(studio: Studio, tmp_path: Path) -> None:
    content = tune(16, name="Melody", program=40)
    arguments = json.dumps({"base64": as_base64(content), "name": "command-line.mid"})
    done = studio.consort("call", "store_midi", "--json", arguments)
    assert done.returncode == 0, done.stderr
    stored = json.loads(done.stdout)

    described = json.loads(studio.consort("call", "get_midi", f"midi_file_id={stored['midi_file_id']}").stdout)
    assert described["name"] == "command-line.mid"
    assert described["bytes"] == len(content)
    assert described["metadata"]["ppq"] == 480
    assert described["metadata"]["duration_ms"] == 4000
    assert described["metadata"]["tracks"][0]["instruments"] == ["Violin"]

    listed = json.loads(studio.consort("call", "list_midi", "limit=100").stdout)
    assert stored["midi_file_id"] in [item["midi_file_id"] for item in listed["items"]]

    rejected = studio.consort("call", "store_midi", "--json", arguments)
    assert rejected.returncode == 1
    assert json.loads(rejected.stdout)["error"]["code"] == "ALREADY_EXISTS"


@on_every_storage
def test_batch_answers_in_order(studio: Studio) -> None:
    calls = [
        {"tool": "store_midi", "arguments": {"base64": as_base64(tune(4)), "name": "batch.mid", "overwrite": True}},
        {"tool": "no_such_tool", "arguments": {}},
        {"tool": "list_midi", "arguments": {"limit": 1}},
        {"tool": "list_midi", "arguments": {"limit": 0}},
    ]
    done = studio.consort("call", "--batch", "-", text="\n".join(json.dumps(call) for call in calls))
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["ok"] for line in lines] == [True, False, True, False]
    assert all(line["ms"] > 0 for line in lines)
    assert lines[2]["result"]["items"][0]["midi_file_id"] == lines[0]["result"]["midi_file_id"]
    assert lines[1]["result"]["error"]["code"] == "UNKNOWN_TOOL"
    assert lines[3]["result"]["error"]["field"] == "limit"


@on_every_storage
def test_stored_bytes_are_returned_unchanged(studio: Studio) -> None:
    content = tune(32)
    stored = studio.call("store_midi", base64=as_base64(content), name=f"{new_id('x')}.mid")
    assert httpx2.get(stored["download_url"]).content == content
    described = studio.call("get_midi", midi_file_id=stored["midi_file_id"], include_base64=True)
    assert base64.b64decode(described["base64"]) == content
    assert bytes_of(studio.blobs, stored["midi_file_id"]) == [content]


def test_aliases_of_fields_are_accepted(studio: Studio) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(1)), name=f"{new_id('x')}.mid")
    for alias in ("fileId", "file_id", "midiFileId"):
        described = studio.call("get_midi", **{alias: stored["midi_file_id"], "includeBase64": True})
        assert described["midi_file_id"] == stored["midi_file_id"] and described["base64"]


@on_every_storage
def test_upload_by_link(studio: Studio) -> None:
    name = f"{new_id('x')}.mid"
    promised = studio.call("store_midi", upload_link=True, name=name)
    assert 'type="file"' in httpx2.get(promised["upload_url"]).text
    content = tune(8)
    assert httpx2.put(promised["upload_url"], content=content).json()["bytes"] == len(content)
    assert studio.call("get_midi", midi_file_id=promised["midi_file_id"])["bytes"] == len(content)
    again = httpx2.put(promised["upload_url"], content=tune(9))
    assert again.status_code == 409, "a used link must not change the stored file"
    assert studio.call("get_midi", path=name)["bytes"] == len(content)
    new = studio.call("store_midi", upload_link=True, name=f"new {name}", overwrite=True)["upload_url"]
    assert [httpx2.put(new, content=content).status_code for _ in range(2)] == [200, 409], "the link works once"
    replacing = studio.call("store_midi", upload_link=True, name=name, overwrite=True)["upload_url"]
    assert httpx2.put(replacing, content=tune(20)).status_code == 200
    assert httpx2.put(replacing, content=tune(21)).status_code == 409, "a replacing link works once too"
    assert studio.call("get_midi", path=name)["metadata"]["note_count"] == 20


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_stdio_client(studio: Studio, mode: str) -> None:
    server = StdioServerParameters(command=CONSORT[0], args=[*CONSORT[1:], "mcp"], env=studio.environment)
    asyncio.run(assert_tools_work(Client(stdio_client(server), mode=mode)))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_http_client_with_token(studio: Studio, mode: str) -> None:
    async def main() -> None:
        async with httpx2.AsyncClient(headers=studio.headers) as http:
            await assert_tools_work(Client(streamable_http_client(f"{studio.url}/mcp", http_client=http), mode=mode))

    asyncio.run(main())


async def assert_tools_work(client: Client) -> None:
    content = tune(5)
    async with client:
        assert "music studio" in (client.instructions or "")
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"store_midi", "get_midi", "list_midi"} <= tools.keys()
        annotations = tools["list_midi"].annotations
        assert annotations is not None and annotations.read_only_hint is True and tools["list_midi"].title
        name = f"{new_id('x')}.mid"
        stored = await client.call_tool("store_midi", {"base64": as_base64(content), "name": name})
        assert (stored.meta or {})["api_version"] and stored.structured_content is None
        described = await client.call_tool("get_midi", {"midi_file_id": answer_of(stored)["midi_file_id"]})
        assert answer_of(described)["name"] == name
        rejected = await client.call_tool("get_midi", {"midi_file_id": new_id("midi")})
        assert error_of(rejected)["code"] == "NOT_FOUND" and rejected.structured_content is None


@pytest.mark.long
def test_typescript_inspector(studio: Studio, tmp_path: Path) -> None:
    arguments = f"base64={as_base64(tune(3))}", f"name={new_id('x')}.mid"
    stored = _inspect(studio, "tools/call", "--tool-name", "store_midi", "--tool-arg", *arguments)
    assert "structuredContent" not in stored
    stored = json.loads(stored["content"][0]["text"])
    assert stored["note_count"] == 3
    listed = _inspect(studio, "tools/call", "--tool-name", "list_midi", "--tool-arg", "limit=1")
    listed = json.loads(listed["content"][0]["text"])
    assert listed["items"][0]["midi_file_id"] == stored["midi_file_id"]
    tools = _inspect(studio, "tools/list")["tools"]
    assert tools == json.loads(studio.consort("tools", "--json").stdout)


def _inspect(studio: Studio, method: str, *options: str) -> dict[str, Any]:
    """Run the inspector's command line with the Node of the development packages."""
    modules = npm_programs.install(Path(__file__).parent / "inspector")
    # The inspector passes on only the environment variables that are named.
    names = ("CONSORT_DATA", "CONSORT_PORT_BASE")
    settings = [part for name in names for part in ("-e", f"{name}={studio.environment[name]}")]
    inspector = modules / ".bin" / "mcp-inspector"
    done = subprocess.run(
        [inspector, "--cli", *settings, *CONSORT, "mcp", "--method", method, *options],
        env={**studio.environment, "PATH": npm_programs.PATH},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@on_every_storage
def test_metadata_agrees_with_mido(studio: Studio, tmp_path: Path) -> None:
    content = tune(77, tempo_bpm=93)
    (tmp_path / "tune.mid").write_bytes(content)
    metadata = studio.call("get_midi", path=studio.call("store_midi", base64=as_base64(content))["name"])["metadata"]
    assert metadata["duration_ms"] == round(mido.MidiFile(tmp_path / "tune.mid").length * 1000)
    assert metadata["tempo_map"][0]["bpm"] == pytest.approx(93, abs=0.01)
    assert metadata["note_count"] == 77
