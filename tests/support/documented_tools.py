"""Compare the tools of a service with the tables that their specification gives."""

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
    service: str = "audio"

    def missing_parameters(self, name: str) -> list[str]:
        """Return what the tool lacks: a parameter, a default, or a choice."""
        spec = openapi_of(self.service)
        body = spec["paths"][f"/tools/{name}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        missing = [path for path in self.parameters if not fields_at(body, path, spec)]
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
