"""Find out which tools return and which take each kind of id, from the services' OpenAPI specifications."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from consort_cli.commands.specs import openapi_of
from consort_kit.services import SERVICES

_ID = re.compile(r"(?:from_|new_|original_)?(?P<kind>\w+)_id(?:s|_\d)?")
"""The name of a field that holds an id or several, such as `song_id`, `from_song_id` or `audio_file_id_1`."""
_OF_ANY_KIND = {"reference", "source"}
"""Fields that hold an id of one of several kinds, which have fields of their own elsewhere."""
_NOT_PASSED_ON = {"model"}
"""Not ids of things in the studio: `model_id` names the network that made a vector."""


class IdFlow(NamedTuple):
    returned_by: dict[str, set[str]]
    """`returned_by[kind]`: the tools with such an id in their answer."""
    taken_by: dict[str, set[str]]

    def dead_ends(self) -> list[str]:
        """Return what is wrong: kinds of ids that no tool returns, or that no tool takes."""
        kinds = sorted(self.returned_by.keys() | self.taken_by.keys())
        return [f"no tool returns {kind}_id" for kind in kinds if not self.returned_by.get(kind)] + [
            f"no tool takes {kind}_id" for kind in kinds if not self.taken_by.get(kind)
        ]


def id_flow() -> IdFlow:
    flow = IdFlow(defaultdict(set), defaultdict(set))
    for service in SERVICES:
        spec = openapi_of(service)
        for path, methods in spec["paths"].items():
            if not path.startswith("/tools/"):
                continue
            tool, operation = path.removeprefix("/tools/"), methods["post"]
            for kind in _kinds(operation["requestBody"], spec):
                flow.taken_by[kind].add(tool)
            for kind in _kinds(operation["responses"]["200"], spec):
                flow.returned_by[kind].add(tool)
    return flow


def _kinds(schema: Any, spec: dict[str, Any]) -> set[str]:
    found = {match["kind"] for name in _field_names(schema, spec, set()) if (match := _ID.fullmatch(name))}
    return found - _OF_ANY_KIND - _NOT_PASSED_ON


def _field_names(node: Any, spec: dict[str, Any], seen: set[str]) -> Iterator[str]:
    """Yield the names of all fields below a part of a specification, each referred schema once."""
    if isinstance(node, list):
        for each in node:
            yield from _field_names(each, spec, seen)
    elif isinstance(node, dict):
        yield from node.get("properties", {})
        reference = node.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            yield from _field_names(spec["components"]["schemas"][reference.rpartition("/")[2]], spec, seen)
        for each in node.values():
            yield from _field_names(each, spec, seen)
