"""The tools of the studio, read from the JSON files in this folder, so that no service needs to run."""

import json
import re
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from consort_kit.errors import InvalidInput
from consort_kit.services import SERVICES

JsonSchema = dict[str, Any]

_HINTS = {"read": {"readOnlyHint": True}, "write": {"destructiveHint": False}, "destroy": {}}
"""`_HINTS[effect]` are the MCP annotations that differ from the protocol's defaults."""


@dataclass(frozen=True)
class ToolDefinition:
    name: str
    toolset: str
    effect: str
    """`read`, `write` or `destroy`: see `consort_kit.tools.tool_decorator`."""
    service: str
    path: str
    """The path of the tool's route at the service."""
    title: str
    description: str
    input_schema: JsonSchema

    @property
    def summary(self) -> str:
        """The first sentence of the description."""
        return re.split(r"(?<=[.!?])\s", self.description, maxsplit=1)[0]

    def as_mcp(self) -> dict[str, Any]:
        """Return the tool as `tools/list` sends it, as short as possible, because an assistant reads every byte.

        There is no output schema, and annotations that have the protocol's default value are left out.
        """
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": {**_HINTS[self.effect], "openWorldHint": False},
        }


def tool_file(tools: list[ToolDefinition]) -> str:
    """Return the text of a file in `tools/`."""
    return json.dumps([asdict(tool) for tool in tools], indent=1, ensure_ascii=False) + "\n"


@cache
def load_tools(service: str) -> tuple[ToolDefinition, ...]:
    text = files("consort_gateway.tools").joinpath(f"{service}.json").read_text(encoding="utf-8")
    return tuple(ToolDefinition(**each) for each in json.loads(text))


def load_catalogue(toolsets: str | None = None, read_only: bool = False) -> list[ToolDefinition]:
    """Return the tools of the toolsets (names with commas between; None for all).

    With `read_only`, return only tools that change nothing. Raise InvalidInput if a toolset is unknown, and
    RuntimeError if two tools have the same name.
    """
    tools = [tool for service in SERVICES for tool in load_tools(service)]
    names = [tool.name for tool in tools]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise RuntimeError(f"Two tools have the same name: {', '.join(doubled)}.")
    wanted = _wanted(toolsets, sorted({tool.toolset for tool in tools}))
    return [tool for tool in tools if tool.toolset in wanted and (tool.effect == "read" or not read_only)]


def _wanted(toolsets: str | None, known: list[str]) -> list[str]:
    if toolsets is None or toolsets.strip() in ("", "all"):
        return known
    wanted = [name.strip() for name in toolsets.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise InvalidInput(
            f"There is no toolset {unknown[0]!r}. Choose from {', '.join(known)}.", field="toolsets", suggestions=known
        )
    return wanted
