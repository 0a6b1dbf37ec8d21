"""The catalogue: from a service's spec to what an assistant reads, small and complete."""

import json
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import Field

from consort_gateway import catalogue
from consort_gateway.catalogue import ToolDefinition, load_catalogue, tools_of
from consort_kit.app import create_app
from consort_kit.errors import InvalidInput
from consort_kit.models import ToolInput, ToolOutput
from consort_kit.services import SERVICES
from consort_kit.settings import Settings
from consort_kit.tool import tool, tool_router

Schema = dict[str, Any]


class Section(ToolInput):
    title: str = Field("Verse", description="A real field of this name.")
    parent: "Section | None" = Field(None, description="It refers to itself.")


class Note(ToolInput):
    kind: Literal["note"]
    pitch: str


class Rest(ToolInput):
    kind: Literal["rest"]
    beats: float | None = Field(None, ge=0)


class Song(ToolInput):
    aliases: ClassVar[dict[str, str]] = {"name": "title"}

    title: str = Field(description="Of the song.", examples=["Title"])
    section: Section | None = Field(None, description="Where it begins.")
    sections: list[Section] = Field(default_factory=list)
    events: list[Annotated[Note | Rest, Field(discriminator="kind")]] | None = None
    tempo: int | float | None = Field(None, description="Beats a minute.")
    default: Literal["a", "b"] | None = None
    properties: dict[str, Section] = Field(
        default_factory=dict, examples=[{"title": {"title": "Intro"}}], description="By name."
    )
    moods: Literal["calm", "wild"] | list[Literal["calm", "wild"]] | None = Field(None, description="Of it.")
    seed: int | None = Field(None, le=2**53 - 1)
    words: str | None = Field(None, max_length=4000)
    preset: dict[str, Any] = Field(default={"title": "kept", "anyOf": "kept"})


class Done(ToolOutput):
    ok: bool


def spec_of(tmp_path: Path) -> Schema:
    router = tool_router()

    @tool(router, title="Write a song", toolset="songs", effect="write")
    async def write_song(body: Song) -> Done:
        """Write a song,
        all of it.

        Example: {}
        """
        return Done(ok=True)

    @tool(router, title="Look", toolset="looks", effect="read")
    async def look(body: Section) -> Done:
        """Look."""
        return Done(ok=True)

    @tool(router, title="Drop", toolset="songs", effect="destroy")
    async def drop(body: Section) -> Done:
        """Drop."""
        return Done(ok=True)

    @router.post("/plain")
    async def plain(body: Section) -> Done:
        return Done(ok=True)

    spec: Schema = create_app("compose", "d", [router], settings=Settings(data=tmp_path, token="t")).openapi()
    spec = json.loads(json.dumps(spec))  # as a checked-in file
    return spec


@pytest.fixture
def tools(tmp_path: Path) -> dict[str, ToolDefinition]:
    return {each.name: each for each in tools_of("compose", spec_of(tmp_path))}


def places(node: Any, key: str) -> int:
    """How often a key occurs anywhere."""
    if isinstance(node, list):
        return sum(places(each, key) for each in node)
    if isinstance(node, dict):
        return (key in node) + sum(places(each, key) for each in node.values())
    return 0


def test_only_tools_become_tools(tools: dict[str, ToolDefinition]) -> None:
    assert list(tools) == ["write_song", "look", "drop"]
    song = tools["write_song"]
    assert (song.title, song.service, song.path, song.toolset) == (
        "Write a song",
        "compose",
        "/tools/write_song",
        "songs",
    )
    assert song.description == "Write a song, all of it.\n\nExample: {}"


def test_titles_go_and_a_field_called_title_stays(tools: dict[str, ToolDefinition]) -> None:
    schema = tools["write_song"].input_schema
    assert schema["properties"]["title"] == {"type": "string", "description": "Of the song.", "examples": ["Title"]}
    assert schema["required"] == ["title"]
    section = schema["$defs"]["Section"]["properties"]
    assert section["title"] == {"type": "string", "description": "A real field of this name.", "default": "Verse"}
    assert places(schema, "title") == 5  # the two fields, two in an example, one in a default


def test_null_is_not_an_alternative(tools: dict[str, ToolDefinition]) -> None:
    properties = tools["write_song"].input_schema["properties"]
    assert properties["section"] == {"description": "Where it begins.", "$ref": "#/$defs/Section"}
    assert properties["tempo"]["type"] == ["integer", "number"]
    assert properties["default"] == {"type": "string", "enum": ["a", "b"]}
    assert properties["events"]["type"] == "array"
    assert '"null"' not in json.dumps(properties) and "null" not in json.dumps(properties)


def test_what_only_the_service_checks_is_left_out(tools: dict[str, ToolDefinition]) -> None:
    schema = tools["write_song"].input_schema
    assert schema["properties"]["seed"] == {"type": "integer"}
    assert schema["properties"]["words"] == {"type": "string"}
    assert "additionalProperties" not in schema and "additionalProperties" not in schema["$defs"]["Note"]


def test_one_value_or_a_list_names_the_values_once(tools: dict[str, ToolDefinition]) -> None:
    assert tools["write_song"].input_schema["properties"]["moods"] == {
        "type": ["string", "array"],
        "items": {"type": "string", "enum": ["calm", "wild"]},
        "description": "Of it.",
    }


def test_what_is_referred_to_comes_along(tools: dict[str, ToolDefinition]) -> None:
    schema = tools["write_song"].input_schema
    text = json.dumps(schema)
    assert "#/components" not in text and "discriminator" not in text
    assert set(schema["$defs"]) == {"Section", "Note", "Rest"}
    assert schema["$defs"]["Section"]["properties"]["parent"]["$ref"] == "#/$defs/Section"
    assert schema["$defs"]["Rest"]["properties"]["beats"] == {"type": "number", "minimum": 0.0}


def test_a_body_that_refers_to_itself(tools: dict[str, ToolDefinition]) -> None:
    """The root is a definition too, when something inside it refers to it."""
    schema = tools["look"].input_schema
    reference = schema["properties"]["parent"]["$ref"]
    assert reference == "#" or reference.removeprefix("#/$defs/") in schema["$defs"]


def test_examples_and_defaults_are_left_alone(tools: dict[str, ToolDefinition]) -> None:
    properties = tools["write_song"].input_schema["properties"]
    assert properties["properties"]["examples"] == [{"title": {"title": "Intro"}}]
    assert properties["properties"]["additionalProperties"] == {"$ref": "#/$defs/Section"}
    assert properties["preset"]["default"] == {"title": "kept", "anyOf": "kept"}


def test_effects_are_annotations(tools: dict[str, ToolDefinition]) -> None:
    """Those that differ from what the protocol takes for granted: that a tool writes, destroys and reaches outside."""
    assert {name: tool.as_mcp()["annotations"] for name, tool in tools.items()} == {
        "write_song": {"destructiveHint": False, "openWorldHint": False},
        "look": {"readOnlyHint": True, "openWorldHint": False},
        "drop": {"openWorldHint": False},
    }


@pytest.fixture
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Schema:
    """Specs instead of the checked-in ones: tools in compose, nothing elsewhere."""
    specs: Schema = {name: {"paths": {}} for name in SERVICES} | {"compose": spec_of(tmp_path)}
    monkeypatch.setattr(catalogue, "load_spec", specs.__getitem__)
    return specs


def names(**options: Any) -> list[str]:
    return [tool.name for tool in load_catalogue(**options)]


def test_toolsets_and_read_only(made_up: Schema) -> None:
    assert names() == names(toolsets="all") == names(toolsets=" ") == ["write_song", "look", "drop"]
    assert names(toolsets="songs") == ["write_song", "drop"]
    assert names(toolsets=" looks , songs,") == ["write_song", "look", "drop"]
    assert names(read_only=True) == ["look"]
    assert names(toolsets="songs", read_only=True) == []


def test_an_unknown_toolset_is_told_with_those_that_are(made_up: Schema) -> None:
    with pytest.raises(InvalidInput, match=r"There is no toolset 'song'\. Choose from looks, songs") as caught:
        load_catalogue("looks,song")
    assert caught.value.body.field == "toolsets" and caught.value.body.suggestions == ["looks", "songs"]


def test_two_tools_of_one_name_are_a_mistake(made_up: Schema) -> None:
    made_up["audio"] = made_up["compose"]
    with pytest.raises(RuntimeError, match="two tools have the same name: drop, look, write_song"):
        load_catalogue()


def test_the_checked_in_specs() -> None:
    tools = {tool.name: tool for tool in load_catalogue()}
    assert {"store_midi", "get_midi", "list_midi"} <= set(tools)
    assert tools["store_midi"].service == "midi-store" and tools["store_midi"].effect == "write"
    assert all(tool.effect == "read" for tool in load_catalogue(read_only=True))
