"""The tools of the studio, built from the checked-in specs: the same whatever runs."""

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from consort_kit.errors import InvalidInput
from consort_kit.ids import id_prefixes
from consort_kit.services import SERVICES

Schema = dict[str, Any]
_REF = "#/components/schemas/"
_LEFT_OUT = ("title", "discriminator", "maxLength")
"""Keys that an assistant does not need: `const` says what the discriminator says, the service checks lengths."""
_LARGEST_EXACT_INTEGER = 2**53 - 1
_VALUES = ("default", "examples", "enum", "const")  # not schemas, though they may look like one

_HINTS = {"read": {"readOnlyHint": True}, "write": {"destructiveHint": False}, "destroy": {}}


@dataclass(frozen=True)
class ToolDefinition:
    name: str
    title: str
    description: str
    input_schema: Schema
    service: str
    path: str
    toolset: str
    effect: str

    def as_mcp(self) -> dict[str, Any]:
        """The tool as `tools/list` gives it: terse, without an output schema: every byte is read each time.

        A hint that has the protocol's default (a tool writes, destroys, reaches the outside) is left out.
        """
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
            "annotations": {**_HINTS[self.effect], "openWorldHint": False},
        }


def load_spec(service: str) -> Schema:
    spec: Schema = json.loads(files("consort_gateway.specs").joinpath(f"{service}.json").read_text(encoding="utf-8"))
    return spec


def load_catalogue(toolsets: str | None = None, read_only: bool = False) -> list[ToolDefinition]:
    """Every tool that is wanted. Two tools of one name are a mistake, not a warning."""
    tools = [tool for service in SERVICES for tool in tools_of(service, load_spec(service))]
    names = [tool.name for tool in tools]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise RuntimeError(f"two tools have the same name: {', '.join(doubled)}")
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


def tools_of(service: str, spec: Schema) -> list[ToolDefinition]:
    components = spec.get("components", {}).get("schemas", {})
    tools = []
    for path, methods in spec["paths"].items():
        operation = methods.get("post", {})
        declared = operation.get("x-consort-tool")
        if declared is None:
            continue
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        tools.append(
            ToolDefinition(
                name=operation["operationId"],
                title=operation["summary"],
                description=operation["description"],
                input_schema=_input_schema(body, components),
                service=service,
                path=path,
                toolset=declared["toolset"],
                effect=declared["effect"],
            )
        )
    return tools


def _is_one_or_list(alternatives: list[Schema]) -> bool:
    """Tell whether a field takes one value, or a list of such values."""
    return len(alternatives) == 2 and alternatives[1].get("items") == alternatives[0] and "type" in alternatives[0]


def _input_schema(body: Schema, components: dict[str, Schema]) -> Schema:
    """The body's schema with what it refers to, made small: no titles, no null alternatives, a list's values once."""
    needed: dict[str, Schema] = {}
    root = body["$ref"].removeprefix(_REF)

    def take(name: str) -> None:
        if name not in needed:
            needed[name] = {}
            needed[name] = small(components[name])

    def small(node: Any) -> Any:
        if isinstance(node, list):
            return [small(each) for each in node]
        if isinstance(node, float) and node.is_integer():
            return int(node)  # OpenAPI's models make a float of every bound
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            name = node["$ref"].removeprefix(_REF)
            take(name)
            beside = {key: value for key, value in node.items() if key not in (*_LEFT_OUT, "$ref")}
            return {**beside, "$ref": "#" if name == root else f"#/$defs/{name}"}
        out = {key: value for key, value in node.items() if key not in _LEFT_OUT}
        if "default" in out and out["default"] is None:
            del out["default"]
        if out.get("additionalProperties") is False:
            del out["additionalProperties"]  # the service refuses an unknown field and suggests a known one
        if out.get("maximum") == _LARGEST_EXACT_INTEGER:
            del out["maximum"]
        if id_prefixes(str(out.get("pattern", ""))):
            del out["pattern"]  # the description says whose id; the service checks it
        if "anyOf" in out:
            alternatives = [each for each in out.pop("anyOf") if each != {"type": "null"}]
            if len(alternatives) == 1:
                return small({**alternatives[0], **out})
            if all(each.keys() == {"type"} for each in alternatives):
                out["type"] = [each["type"] for each in alternatives]
            elif _is_one_or_list(alternatives):
                out |= {**alternatives[1], "type": [alternatives[0]["type"], "array"]}
            else:
                out["anyOf"] = alternatives
        return {key: value if key in _VALUES else inside(key, value) for key, value in out.items()}

    def inside(key: str, value: Any) -> Any:
        return {name: small(each) for name, each in value.items()} if key == "properties" else small(value)

    take(root)
    schema = {"type": "object", "properties": {}, **needed.pop(root)}
    schema.pop("description", None)  # the tool's own description says it
    return {**schema, "$defs": needed} if needed else schema
