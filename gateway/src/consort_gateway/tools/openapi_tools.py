"""Make the tool definitions of a service from its OpenAPI specification, for `consort specs`."""

import json
from typing import Any

from consort_gateway.tools.catalogue import JsonSchema, ToolDefinition
from consort_kit.ids import id_prefixes

_REF = "#/components/schemas/"
_LEFT_OUT = ("title", "discriminator", "maxLength", "maxItems", "minItems", "examples")
"""Keys that an assistant does not need. `const` has the same information as the discriminator; the service rejects what
is too long and says how long it may be; the tool's description has an example call."""
_LARGE = 10_000
"""A maximum that no sensible call reaches, so an assistant need not know it."""
_VALUES = ("default", "enum", "const")  # their values are not schemas, though they may look like one


def tools_of(service: str, specification: JsonSchema) -> list[ToolDefinition]:
    """Return a definition for each route that was declared with `@tool`."""
    components = specification.get("components", {}).get("schemas", {})
    tools = []
    for path, methods in specification["paths"].items():
        operation = methods.get("post", {})
        declared = operation.get("x-consort-tool")
        if declared is None:
            continue
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        tools.append(
            ToolDefinition(
                name=operation["operationId"],
                toolset=declared["toolset"],
                effect=declared["effect"],
                service=service,
                path=path,
                title=operation["summary"],
                description=_with_short_example(operation["description"]),
                input_schema=_input_schema(body, components),
            )
        )
    return tools


def _with_short_example(description: str) -> str:
    """Return the description with its example call written without spaces between the values."""
    text, mark, example = description.partition("Example: ")
    if not mark:
        return text
    return text + mark + json.dumps(json.loads(example), separators=(",", ":"), ensure_ascii=False)


def _is_one_or_list(alternatives: list[JsonSchema]) -> bool:
    """Return whether a field takes one value or a list of such values."""
    return len(alternatives) == 2 and alternatives[1].get("items") == alternatives[0] and "type" in alternatives[0]


def _input_schema(body: JsonSchema, components: dict[str, JsonSchema]) -> JsonSchema:
    """Return the schema of a body, with the schemas that it refers to, as short as possible.

    Titles are left out, and so is null as an alternative. A field that takes one value or a list of values has the
    schema of the value only once.
    """
    needed: dict[str, JsonSchema] = {}
    root = body["$ref"].removeprefix(_REF)

    def take(name: str) -> None:
        if name not in needed:
            needed[name] = {}
            needed[name] = small(components[name])

    def small(node: Any) -> Any:
        if isinstance(node, list):
            return [small(each) for each in node]
        if isinstance(node, float) and node.is_integer():
            return int(node)  # OpenAPI's models turn every bound into a float
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            name = node["$ref"].removeprefix(_REF)
            take(name)
            beside = {key: value for key, value in node.items() if key not in (*_LEFT_OUT, "$ref")}
            return {**beside, "$ref": "#" if name == root else _definition(name)}
        out = {key: value for key, value in node.items() if key not in _LEFT_OUT}
        default = out.get("default")
        if default in (None, False, 0, []):
            out.pop("default", None)  # nothing given, switched off, zero, an empty list: what anyone expects
        elif isinstance(default, float):
            out["default"] = small(default)
        if isinstance(out.get("additionalProperties"), bool):
            del out["additionalProperties"]  # the service rejects an unknown field and suggests a known one
        if out.get("maximum", 0) >= _LARGE:
            del out["maximum"]
        for lowest in ("minimum", "exclusiveMinimum"):
            if out.get(lowest) == 0:
                del out[lowest]  # a number is not negative unless its description says so
        if id_prefixes(str(out.get("pattern", ""))):
            del out["pattern"]  # the description says which id; the service checks it
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
    schema.pop("description", None)  # the tool has a description
    return _inlined({**schema, "$defs": needed} if needed else schema)


def _inlined(schema: JsonSchema) -> JsonSchema:
    """Return the schema with each definition that is referred to once in the place of its reference."""
    definitions = schema.get("$defs", {})
    text = json.dumps(schema)
    once = {name for name in definitions if text.count(f'"{_definition(name)}"') == 1}

    def put_in(node: Any) -> Any:
        if isinstance(node, list):
            return [put_in(each) for each in node]
        if not isinstance(node, dict):
            return node
        name = str(node.get("$ref", "")).removeprefix(_definition(""))
        if name in once:
            node = {**definitions[name], **{key: value for key, value in node.items() if key != "$ref"}}
        return {
            key: {field: put_in(each) for field, each in value.items()}
            if key == "properties"
            else (value if key in _VALUES else put_in(value))
            for key, value in node.items()
        }

    kept = {name: put_in(each) for name, each in definitions.items() if name not in once}
    rest = put_in({key: value for key, value in schema.items() if key != "$defs"})
    return {**rest, "$defs": kept} if kept else rest


def _definition(name: str) -> str:
    return f"#/$defs/{name}"
