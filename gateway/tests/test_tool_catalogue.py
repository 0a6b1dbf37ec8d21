"""The tools that an assistant sees are made from the OpenAPI specifications of the services."""

import json
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import Field

from consort_gateway.tools import catalogue
from consort_gateway.tools.catalogue import JsonSchema, ToolDefinition, load_catalogue, tool_file
from consort_gateway.tools.openapi_tools import tools_of
from consort_kit.errors import InvalidInput
from consort_kit.http.app import create_app
from consort_kit.services import SERVICES
from consort_kit.settings import Settings
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.tools.tool_decorator import tool, tool_router


class SectionInput(ToolInput):
    title: str = Field("Verse", description="A real field of this name.")
    parent: "SectionInput | None" = Field(None, description="It refers to itself.")


class NoteEvent(ToolInput):
    kind: Literal["note"]
    pitch: str


class RestEvent(ToolInput):
    kind: Literal["rest"]
    beats: float | None = Field(None, ge=0.5)


class SongInput(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"name": "title"}

    title: str = Field(description="Of the song.", examples=["Title"])
    section: SectionInput | None = Field(None, description="Where it begins.")
    sections: list[SectionInput] = Field(default_factory=list)
    events: list[Annotated[NoteEvent | RestEvent, Field(discriminator="kind")]] | None = None
    tempo: int | float | None = Field(None, description="Beats a minute.")
    default: Literal["a", "b"] | None = None
    properties: dict[str, SectionInput] = Field(
        default_factory=dict, examples=[{"title": {"title": "Intro"}}], description="By name."
    )
    moods: Literal["calm", "wild"] | list[Literal["calm", "wild"]] | None = Field(None, description="Of it.")
    seed: int | None = Field(None, le=2**53 - 1)
    words: str | None = Field(None, max_length=4000)
    preset: dict[str, Any] = Field(default={"title": "kept", "anyOf": "kept"})


class Done(ToolOutput):
    ok: bool


def spec_of(tmp_path: Path) -> JsonSchema:
    router = tool_router()

    @tool(router, title="Write a song", toolset="songs", effect="write")
    async def write_song(body: SongInput) -> Done:
        """Write a song,
        all of it.

        Example: {}
        """
        return Done(ok=True)

    @tool(router, title="Look", toolset="looks", effect="read")
    async def look(body: SectionInput) -> Done:
        """Look.

        Example: {"title": "Verse", "parent": {"title": "a, b: c"}}
        """
        return Done(ok=True)

    @tool(router, title="Drop", toolset="songs", effect="destroy")
    async def drop(body: SectionInput) -> Done:
        """Drop."""
        return Done(ok=True)

    @router.post("/plain")
    async def plain(body: SectionInput) -> Done:
        return Done(ok=True)

    spec: JsonSchema = create_app("compose", "d", [router], settings=Settings(data=tmp_path, token="t")).openapi()
    return spec


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, ToolDefinition]:
    return {each.name: each for each in tools_of("compose", spec_of(tmp_path))}


def places(node: Any, key: str) -> int:
    """Count how often a key occurs."""
    if isinstance(node, list):
        return sum(places(each, key) for each in node)
    if isinstance(node, dict):
        return (key in node) + sum(places(each, key) for each in node.values())
    return 0


def test_only_routes_declared_as_tools_become_tools(tools: dict[str, ToolDefinition]) -> None:
    assert list(tools) == ["write_song", "look", "drop"]
    song = tools["write_song"]
    assert (song.title, song.service, song.path, song.toolset) == (
        "Write a song",
        "compose",
        "/tools/write_song",
        "songs",
    )
    assert song.description == "Write a song, all of it.\n\nExample: {}"


def test_the_example_of_a_description_has_no_spaces_between_values(tools: dict[str, ToolDefinition]) -> None:
    assert tools["look"].description == 'Look.\n\nExample: {"title":"Verse","parent":{"title":"a, b: c"}}'


def test_titles_are_left_out_but_not_a_field_called_title(tools: dict[str, ToolDefinition]) -> None:
    schema = tools["write_song"].input_schema
    assert schema["properties"]["title"] == {"type": "string", "description": "Of the song."}
    assert schema["required"] == ["title"]
    section = schema["$defs"]["SectionInput"]["properties"]
    assert section["title"] == {"type": "string", "description": "A real field of this name.", "default": "Verse"}
    assert places(schema, "title") == 3  # the two fields, one in a default


def test_null_is_not_an_alternative(tools: dict[str, ToolDefinition]) -> None:
    properties = tools["write_song"].input_schema["properties"]
    assert properties["section"] == {"description": "Where it begins.", "$ref": "#/$defs/SectionInput"}
    assert properties["tempo"]["type"] == ["integer", "number"]
    assert properties["default"] == {"type": "string", "enum": ["a", "b"]}
    assert properties["events"]["type"] == "array"
    assert '"null"' not in json.dumps(properties) and "null" not in json.dumps(properties)


def test_limits_that_only_the_service_checks_are_left_out(tools: dict[str, ToolDefinition]) -> None:
    schema = tools["write_song"].input_schema
    assert schema["properties"]["seed"] == {"type": "integer"}
    assert schema["properties"]["words"] == {"type": "string"}
    assert "additionalProperties" not in schema
    assert "additionalProperties" not in schema["properties"]["events"]["items"]["oneOf"][0]


def test_one_value_or_a_list_names_the_values_once(tools: dict[str, ToolDefinition]) -> None:
    assert tools["write_song"].input_schema["properties"]["moods"] == {
        "type": ["string", "array"],
        "items": {"type": "string", "enum": ["calm", "wild"]},
        "description": "Of it.",
    }


def test_a_schema_that_is_referred_to_once_is_in_its_place(tools: dict[str, ToolDefinition]) -> None:
    note, rest = tools["write_song"].input_schema["properties"]["events"]["items"]["oneOf"]
    assert note["properties"]["pitch"] == {"type": "string"} and note["required"] == ["kind", "pitch"]
    assert rest["properties"]["beats"] == {"type": "number", "minimum": 0.5}


def test_referenced_schemas_are_included(tools: dict[str, ToolDefinition]) -> None:
    schema = tools["write_song"].input_schema
    text = json.dumps(schema)
    assert "#/components" not in text and "discriminator" not in text
    assert set(schema["$defs"]) == {"SectionInput"}
    assert schema["$defs"]["SectionInput"]["properties"]["parent"]["$ref"] == "#/$defs/SectionInput"


def test_a_body_that_refers_to_itself(tools: dict[str, ToolDefinition]) -> None:
    assert tools["look"].input_schema["properties"]["parent"]["$ref"] == "#"


def test_examples_are_left_out_and_defaults_unchanged(tools: dict[str, ToolDefinition]) -> None:
    properties = tools["write_song"].input_schema["properties"]
    assert "examples" not in properties["properties"]
    assert properties["properties"]["additionalProperties"] == {"$ref": "#/$defs/SectionInput"}
    assert properties["preset"]["default"] == {"title": "kept", "anyOf": "kept"}


def test_a_written_file_of_tools_is_read_back(tools: dict[str, ToolDefinition]) -> None:
    written = tool_file(list(tools.values()))
    assert [ToolDefinition(**each) for each in json.loads(written)] == list(tools.values())
    assert tools["write_song"].summary == "Write a song, all of it."


def test_effects_become_annotations(tools: dict[str, ToolDefinition]) -> None:
    """Annotations with the protocol's default value are left out."""
    assert {name: tool.as_mcp()["annotations"] for name, tool in tools.items()} == {
        "write_song": {"destructiveHint": False, "openWorldHint": False},
        "look": {"readOnlyHint": True, "openWorldHint": False},
        "drop": {"openWorldHint": False},
    }


@pytest.fixture
def tools_by_service(
    tools: dict[str, ToolDefinition], monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[ToolDefinition]]:
    """Replace the checked-in files: compose has the tools above, the other services have none."""
    by_service: dict[str, list[ToolDefinition]] = {name: [] for name in SERVICES} | {"compose": list(tools.values())}
    monkeypatch.setattr(catalogue, "load_tools", by_service.__getitem__)
    return by_service


def names(**options: Any) -> list[str]:
    return [tool.name for tool in load_catalogue(**options)]


def test_toolsets_and_read_only(tools_by_service: dict[str, list[ToolDefinition]]) -> None:
    assert names() == names(toolsets="all") == names(toolsets=" ") == ["write_song", "look", "drop"]
    assert names(toolsets="songs") == ["write_song", "drop"]
    assert names(toolsets=" looks , songs,") == ["write_song", "look", "drop"]
    assert names(read_only=True) == ["look"]
    assert names(toolsets="songs", read_only=True) == []


def test_an_unknown_toolset_is_an_error(tools_by_service: dict[str, list[ToolDefinition]]) -> None:
    with pytest.raises(InvalidInput, match=r"There is no toolset 'song'\. Choose from looks, songs") as caught:
        load_catalogue("looks,song")
    assert caught.value.body.field == "toolsets" and caught.value.body.suggestions == ["looks", "songs"]


def test_two_tools_with_the_same_name_are_an_error(tools_by_service: dict[str, list[ToolDefinition]]) -> None:
    tools_by_service["audio"] = tools_by_service["compose"]
    with pytest.raises(RuntimeError, match="Two tools have the same name: drop, look, write_song"):
        load_catalogue()


def test_the_checked_in_files() -> None:
    tools = {tool.name: tool for tool in load_catalogue()}
    assert {"store_midi", "get_midi", "list_midi"} <= set(tools)
    assert tools["store_midi"].service == "midi-store" and tools["store_midi"].effect == "write"
    assert all(tool.effect == "read" for tool in load_catalogue(read_only=True))
