"""Break one argument of a call to each tool. The error alone must name the field, and a value that is allowed."""

import json
import re
from typing import Any, NamedTuple

from consort_cli.mcp_client import McpConnection
from consort_gateway.tools.catalogue import ToolDefinition, load_catalogue
from consort_kit.ids import new_id

_WRONG = {
    "string": [["purple"]],
    "integer": "purple",
    "number": "purple",
    "boolean": "purple",
    "array": 17,
    "object": 17,
}
_SHORT_ID = re.compile(r"\b([a-z]+)_[0-9a-z]{4}…")


class BrokenCall(NamedTuple):
    tool: str
    field: str
    message: str
    """The error's message, or what came instead of an error."""
    is_named: bool
    """Whether the message names the field."""
    is_shown: bool
    """Whether the message has an allowed value, an example, or the tool that gives one."""


def broken_calls(connection: McpConnection) -> list[BrokenCall]:
    """Call each tool that has parameters with the arguments of its example, but one of them wrong."""
    connection.call_tool("create_song", {"title": "Example", "tracks": {"Lead": "Flute"}})
    return [_broken_call(connection, tool) for tool in load_catalogue() if tool.input_schema.get("properties")]


def _broken_call(connection: McpConnection, tool: ToolDefinition) -> BrokenCall:
    fields = tool.input_schema["properties"]
    example = {name: value for name, value in _example(tool).items() if name in fields}
    enumerations = [name for name, field in fields.items() if "enum" in field]
    name = next(iter([*enumerations, *tool.input_schema.get("required", []), *example, *fields]))
    ok, answer = connection.call_tool(tool.name, {**example, name: _wrong_value(fields[name])})
    if ok:
        return BrokenCall(tool.name, name, "accepted", False, False)
    message = answer["error"]["message"]
    return BrokenCall(tool.name, name, message, name in message, _shows_a_value(message, fields[name]))


def _example(tool: ToolDefinition) -> dict[str, Any]:
    """Return the arguments of the first example in the description, with whole ids."""
    text = _SHORT_ID.sub(lambda found: new_id(found[1]), tool.description.partition("Example: ")[2])
    arguments: dict[str, Any] = json.JSONDecoder().raw_decode(text)[0]
    return arguments


def _wrong_value(field: dict[str, Any]) -> Any:
    kind = "integer" if "enum" in field else field.get("type")
    return _WRONG.get(kind, 17) if isinstance(kind, str) else 17


def _shows_a_value(message: str, field: dict[str, Any]) -> bool:
    values = [f"'{value}'" for value in field.get("enum", [])]
    tools = [tool.name for tool in load_catalogue()]
    return (
        any(value in message for value in values)
        or bool(re.search(r"Example: |Known fields: |such as ", message))
        or any(re.search(rf"\b{tool}\b", message) for tool in tools)
    )
