"""The tools as an assistant sees them: named, described, annotated and short."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from consort_gateway.mcp.instructions import TOOLSETS
from consort_gateway.tools.catalogue import ToolDefinition, load_catalogue
from consort_kit.tools.visible_fields import UNCHANGED_FIELDS
from tests.support.servers.studio import Studio

MAX_BYTES_OF_ALL_TOOLS = 100_000
"""Limit for the present tools. It may grow with new tools, up to `MAX_BYTES_PLANNED`."""
MAX_BYTES_OF_TOOL = 4_000
MAX_BYTES_BY_TOOLSET = {"songs": 18_600, "compose": 18_900, "midi": 12_500, "playback": 5_600}
MAX_BYTES_OF_NEW_TOOLSET = 26_000
MAX_BYTES_PLANNED, MAX_TOOLS_PLANNED = 100_000, 100
"""Limits for the finished studio, with all planned toolsets."""
CATALOGUE = load_catalogue()

each_tool = pytest.mark.parametrize("tool", CATALOGUE, ids=lambda tool: tool.name)


def properties(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for name, field in schema.get("properties", {}).items():
        yield f"{path}{name}", field
        yield from properties(field, f"{path}{name}.")
        yield from properties(field.get("items", {}), f"{path}{name}.")
    for name, inner in schema.get("$defs", {}).items():
        yield from properties(inner, f"{name}.")


def size(tools: list[ToolDefinition]) -> int:
    """Return the size in bytes, as `tools/list` sends the tools."""
    return len(json.dumps([tool.as_mcp() for tool in tools], separators=(",", ":"), ensure_ascii=False).encode())


def test_the_list_stays_small() -> None:
    assert size(CATALOGUE) <= MAX_BYTES_OF_ALL_TOOLS
    assert len(CATALOGUE) <= MAX_TOOLS_PLANNED and MAX_BYTES_OF_ALL_TOOLS <= MAX_BYTES_PLANNED


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_a_toolset_stays_small(toolset: str) -> None:
    limit = MAX_BYTES_BY_TOOLSET.get(toolset, MAX_BYTES_OF_NEW_TOOLSET)
    assert size([tool for tool in CATALOGUE if tool.toolset == toolset]) <= limit


@each_tool
def test_a_tool_stays_small(tool: ToolDefinition) -> None:
    assert size([tool]) <= MAX_BYTES_OF_TOOL


def test_each_field_that_is_never_cleaned_is_a_field_of_a_tool() -> None:
    """A field that is renamed must not lose its protection: its text would be changed."""
    assert {path.rpartition(".")[2] for tool in CATALOGUE for path, _ in properties(tool.input_schema)} >= (
        UNCHANGED_FIELDS
    )


@each_tool
def test_a_title_is_sent_once(tool: ToolDefinition) -> None:
    listed = tool.as_mcp()
    assert listed["title"] == tool.title and "title" not in listed["annotations"]


def test_tools_command_lists_the_same_tools(studio: Studio) -> None:
    listed = studio.consort("tools", "--json", "--data", str(studio.data))
    assert json.loads(listed.stdout) == [tool.as_mcp() for tool in CATALOGUE]


@each_tool
def test_tool_is_described(tool: ToolDefinition) -> None:
    assert tool.title and len(tool.title) <= 60
    assert len(tool.description) >= 80, "say what it does, when to use it, what comes back"
    assert "Example: {" in tool.description
    assert tool.toolset in TOOLSETS, "describe the toolset in the gateway's instructions"
    assert tool.effect in ("read", "write", "destroy")


@each_tool
def test_every_parameter_is_described(tool: ToolDefinition) -> None:
    """A description may be in the field or in the schema that it refers to. A constant needs none."""
    shared = tool.input_schema.get("$defs", {})

    def is_described(field: dict[str, Any]) -> bool:
        referred = shared.get(field.get("$ref", "").removeprefix("#/$defs/"), {})
        return bool(field.get("description") or referred.get("description") or "const" in field)

    assert [path for path, field in properties(tool.input_schema) if not is_described(field)] == []


@each_tool
def test_schema_is_terse(tool: ToolDefinition) -> None:
    assert [path for path, field in properties(tool.input_schema) if "title" in field] == []


@each_tool
def test_unknown_field_is_an_error_with_a_suggestion(studio: Studio, tool: ToolDefinition) -> None:
    ok, result = studio.try_call(tool.name, surely_unknown=1)
    assert not ok
    assert result["error"]["code"] == "INVALID_INPUT"
    assert result["error"]["field"] == "surely_unknown"
    assert bool(result["error"]["suggestions"]) == bool(tool.input_schema["properties"])
