"""Compare the tools of a service with the tables that their specification gives."""

import re
from dataclasses import dataclass, field
from typing import Any

from consort_cli.commands.specs import openapi_of


@dataclass(frozen=True)
class DocumentedTool:
    """The parameters of a tool and the fields of its answer. `a.b` is the field `b` of the object, or of each item of
    the list, `a`.
    """

    parameters: list[str]
    fields: list[str]
    defaults: dict[str, Any] = field(default_factory=dict)
    choices: dict[str, set[str]] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    """Parameters whose default is None."""
    service: str = "audio"

    def missing_parameters(self, name: str) -> list[str]:
        """Return what the tool lacks: a parameter, a default, or a choice. Optional parameters may be left out."""
        spec = openapi_of(self.service)
        body = spec["paths"][f"/tools/{name}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        missing = [path for path in self.parameters if not is_described(body, path, spec)]
        required = {each for schema in resolved(body, spec) for each in schema.get("required", [])}
        missing += [f"{each} = None" for each in self.optional if each in required]
        for path, default in self.defaults.items():
            if default not in [each.get("default") for each in fields_at(body, path, spec)]:
                missing.append(f"{path} = {default}")
        for path, wanted in self.choices.items():
            found = [inner for each in fields_at(body, path, spec) for inner in resolved(each, spec)]
            missing += [
                f"{path}: {choice}" for choice in wanted - {value for each in found for value in each.get("enum", [])}
            ]
        return missing

    def missing_fields(self, name: str) -> list[str]:
        """Return the fields that the tool's answer lacks."""
        spec = openapi_of(self.service)
        schema = spec["paths"][f"/tools/{name}"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
        return [path for path in self.fields if not fields_at(schema, path, spec)]


def resolved(schema: dict[str, Any], spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the object schemas that a schema stands for: behind references, alternatives and lists."""
    if "$ref" in schema:
        return resolved(spec["components"]["schemas"][schema["$ref"].rpartition("/")[2]], spec)
    inner = [*schema.get("anyOf", []), *schema.get("oneOf", []), *schema.get("allOf", [])]
    if "items" in schema:
        inner.append(schema["items"])
    return [schema, *(found for each in inner for found in resolved(each, spec))]


def fields_at(schema: dict[str, Any], path: str, spec: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the schemas of the fields at a path."""
    name, _, rest = path.partition(".")
    found = [each["properties"][name] for each in resolved(schema, spec) if name in each.get("properties", {})]
    return [inner for each in found for inner in fields_at(each, rest, spec)] if rest else found


def is_described(schema: dict[str, Any], path: str, spec: dict[str, Any]) -> bool:
    """Return whether there is a field at a path. Of an object with a short schema, the description names the fields."""
    parent, _, name = path.rpartition(".")
    outer = [inner for each in fields_at(schema, parent, spec) for inner in resolved(each, spec)]
    if outer and not any("properties" in each for each in outer):
        return any(name in re.findall(r"\w+", each.get("description", "")) for each in outer)
    return bool(fields_at(schema, path, spec))
