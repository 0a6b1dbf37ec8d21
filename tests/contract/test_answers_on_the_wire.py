"""The result of a tool is the same JSON over HTTP and MCP. It is sent once and has no nulls."""

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from consort_gateway.tools.catalogue import ToolDefinition, load_catalogue
from consort_kit.tools.answer_headers import PICTURE_HEADER
from tests.support.errors_and_faults.error_shape import check_error_shape
from tests.support.errors_and_faults.example_calls import EXAMPLE_CALLS
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import Studio

CLIENT = {"Consort-Client": "on-the-wire"}
HEADERS = {**CLIENT, "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
CATALOGUE = load_catalogue()
EXAMPLE_FAILS = {
    "add_section",
    "delete_song",
    "delete_midi",
    "control_playback",
    "get_audio_info",
    "delete_audio",
    "segment_audio",
    "render_waveform",
    "midi_to_audio",
    "get_job",
    "get_recording",
    "delete_project",
    "midi_to_strudel",
    "get_clip",
    "update_clip",
    "delete_clip",
    *(tool.name for tool in CATALOGUE if tool.toolset == "listening"),
}
"""Tools whose example call fails: it names something that does not exist, or bars that already have a section."""


@pytest.fixture
def song(studio: Studio) -> dict[str, Any]:
    """Make a song with a section and notes and a file `kept.mid`, which the examples need. Return its `song_id`."""
    made = call_service(
        studio,
        next(tool for tool in CATALOGUE if tool.name == "create_song"),
        {
            "tracks": {"Lead": "Flute", "Kit": "drums"},
            "sections": [{"name": "Verse", "start_measure": 1, "end_measure": 2}],
        },
    ).json()
    song_id = {"song_id": made["song_id"]}
    studio.call("add_notes", **song_id, track="Lead", notes="C4 1; E4; F#4; C2")
    studio.call("set_chords", **song_id, chords="C | G7")
    studio.call("undo_last_action", **song_id)
    studio.call("store_midi", base64=as_base64(tune(3)), name="kept.mid", overwrite=True)
    if not studio.call("list_projects", filters={"name_pattern": "^kept$"})["projects"]:
        studio.call("create_project", name="kept", initial_script='$: s("bd*4")')
    return song_id


def call_service(studio: Studio, tool: ToolDefinition, arguments: dict[str, Any]) -> httpx2.Response:
    url = f"{studio.url_of(tool.service)}{tool.path}"
    return httpx2.post(url, headers={**studio.headers, **CLIENT}, json=arguments, timeout=60)


def call_gateway(studio: Studio, tool: ToolDefinition, arguments: dict[str, Any]) -> dict[str, Any]:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool.name, "arguments": arguments}}
    answer = httpx2.post(f"{studio.url}/mcp", headers={**studio.headers, **HEADERS}, json=body, timeout=60)
    (line,) = (line for line in answer.text.splitlines() if line.startswith("data: {"))
    result: dict[str, Any] = json.loads(line[6:])["result"]
    return result


def nulls(value: Any, path: str = "") -> Iterator[str]:
    """Yield the fields that are null. Items of a list may be null, such as a guitar string that is not played."""
    if isinstance(value, dict):
        for name, each in value.items():
            if each is None:
                yield f"{path}.{name}"
            yield from nulls(each, f"{path}.{name}")
    elif isinstance(value, list):
        for each in value:
            yield from nulls(each, f"{path}[]")


@pytest.mark.parametrize("tool", CATALOGUE, ids=lambda tool: tool.name)
def test_answers_are_sent_once_and_without_nulls(studio: Studio, song: dict[str, Any], tool: ToolDefinition) -> None:
    arguments = EXAMPLE_CALLS[tool.name]()
    plain = call_service(studio, tool, arguments)
    assert (plain.status_code != 200) == (tool.name in EXAMPLE_FAILS), plain.text
    if plain.status_code == 200 and plain.headers["content-type"].startswith("application/json"):
        assert sorted(set(nulls(plain.json()))) == []
    result = call_gateway(studio, tool, EXAMPLE_CALLS[tool.name]())
    assert "structuredContent" not in result and set(result["_meta"]) == {"api_version"}
    if result.get("isError"):
        check_error_shape(json.loads(result["content"][0]["text"]))
    elif plain.status_code == 200 and plain.headers["content-type"].startswith("application/json"):
        *pictures, block = result["content"]
        assert [picture["type"] for picture in pictures] == ["image"] * (PICTURE_HEADER in plain.headers)
        answer = json.loads(block["text"])
        assert sorted(set(nulls(answer))) == []
        if tool.effect == "read":  # the second call of a tool that writes may return other fields
            assert answer.keys() == plain.json().keys()
