"""Turn the errors that Pydantic finds in a request into messages that say what to change.

A message names the field, what is allowed, the value given and an example. The example is the value in the tool's own
`Example: {…}`, or else one of the field's `examples`, or else the field's default.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import BaseModel

from consort_kit.errors import InvalidInput
from consort_kit.ids import id_prefixes, is_of_reference, prefix_of

MAX_SHOWN = 40
"""Longer values are shortened to this many characters."""
MAX_EXAMPLE = 160
"""Longer examples are left out. In characters."""

_KINDS = {
    "a whole number": ("int_type", "int_parsing", "int_from_float", "int_parsing_size"),
    "a number": ("float_type", "float_parsing"),
    "a finite number": ("finite_number",),
    "true or false": ("bool_type", "bool_parsing"),
    "text": ("string_type",),
    "a list": ("list_type",),
    "a JSON object": ("dict_type", "model_type", "model_attributes_type"),
}
_KIND_OF = {kind: wanted for wanted, kinds in _KINDS.items() for kind in kinds}
_LIMITS = {
    "greater_than_equal": "{ge:g} or more",
    "less_than_equal": "{le:g} or less",
    "greater_than": "more than {gt:g}",
    "less_than": "less than {lt:g}",
    "multiple_of": "a multiple of {multiple_of:g}",
    "literal_error": "one of {expected}",
    "string_too_short": "text of {min_length} or more characters",
    "string_too_long": "text of {max_length} or fewer characters",
    "too_short": "a list of {min_length} or more items",
    "too_long": "a list of {max_length} or fewer items",
}
"""By the type of Pydantic's error: what the value must be."""


@dataclass(frozen=True)
class IdTools:
    """Tools that an error about a wrong id suggests."""

    that_convert: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """`that_convert[expected, given]` is the tool that returns an id with prefix `expected` for one with `given`."""
    that_list: Mapping[str, str] = field(default_factory=dict)
    """`that_list[prefix]` is the tool that lists ids with this prefix."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """`kinds[prefix]` says what has ids with this prefix: "a song"."""


@dataclass(frozen=True)
class Expected:
    """The input that a tool expects: its schema, a correct call as an example, and the tools that errors suggest."""

    schema: dict[str, Any] = field(default_factory=dict)
    example: Any = None
    id_tools: IdTools = IdTools()

    @staticmethod
    def of(model: type[BaseModel] | None, description: str, id_tools: IdTools) -> "Expected":
        """Build it from the tool's input model and its description, where `Example: ` begins the example."""
        _, _, text = description.partition("Example: ")
        try:
            example, _ = json.JSONDecoder().raw_decode(text)
        except ValueError:
            example = None
        return Expected(_schema_of(model) if model else {}, example, id_tools)


@dataclass(frozen=True)
class _Problem:
    code: str
    path: tuple[str, ...]
    message: str
    suggestions: list[str]
    wanted: str | None = None
    """What the value must be, such as "a number", if its type or size is wrong. Several of these form one message."""


def from_validation(errors: list[Any], body: Any = None, expected: Expected | None = None) -> InvalidInput:
    """Return one InvalidInput with the message of the first problem. If there are several, `details` lists them all."""
    expected = expected or Expected()
    by_path: dict[tuple[str, ...], list[tuple[_Problem, Any]]] = {}
    for error in errors:
        problem = _describe(error, body, expected)
        by_path.setdefault(problem.path, []).append((problem, error.get("input")))
    found = [_join_problems(problems, expected) for problems in by_path.values()]
    first = found[0]
    others = len(found) - 1
    more = f" {others} more {'problem is' if others == 1 else 'problems are'} listed in 'details'." if others else ""
    return InvalidInput(
        first.message + more,
        code=first.code,
        field=_name(first.path) or None,
        suggestions=first.suggestions,
        details=[{"code": each.code, "field": _name(each.path) or None, "message": each.message} for each in found]
        if more
        else None,
    )


def sentence(text: str) -> str:
    """Return the text with a capital letter at its start and a full stop at its end."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")


def format_value(value: Any) -> str:
    """Return a value as text for a message, shortened to `MAX_SHOWN` characters."""
    match value:
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return json.dumps(value if len(value) <= MAX_SHOWN else f"{value[:MAX_SHOWN]}…", ensure_ascii=False)
        case _:
            text = json.dumps(value, default=str)
            return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def _join_problems(problems: list[tuple[_Problem, Any]], expected: Expected) -> _Problem:
    """Join the problems of one value. Pydantic reports one problem for each type that the value may have.

    If a problem has its own code, return that one. Otherwise the joined problem lists all allowed types.
    """
    found = [problem for problem, _ in problems]
    domain = next((problem for problem in found if problem.code != InvalidInput.default_code), None)
    wanted = list(dict.fromkeys(problem.wanted for problem in found if problem.wanted))
    if domain or len(wanted) < 2:
        return domain or found[0]
    kinds = [each for each in wanted if not (each == "a whole number" and "a number" in wanted)]
    message = f"'{_name(found[0].path)}' must be {' or '.join(kinds)}, not {format_value(problems[0][1])}."
    return _Problem(found[0].code, found[0].path, message + _example(found[0].path, expected), found[0].suggestions)


def _describe(error: dict[str, Any], body: Any, expected: Expected) -> _Problem:
    kind: str = error["type"]
    context: dict[str, Any] = dict(error.get("ctx") or {})
    path = _path_as_written(
        error["loc"][1:], body, expected.schema, kind == "missing"
    )  # the first part is where: body, path
    given, wanted = error.get("input"), describe_limit(kind, context)
    if kind in ("greater_than_equal", "less_than_equal"):
        wanted = _describe_range(_schema_at(expected.schema, path)) or wanted
    if kind == "unknown_field":
        path.append(context["name"])
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        path.append(context["discriminator"].strip("'"))
        context["expected"] = context.get("expected_tags")
    name, example = _name(path), _example(path, expected)
    match kind:
        case "missing" if not path:
            message = f"The JSON body is missing.{example}"
        case "missing":
            message = f"'{name}' is missing.{_description(path, expected)}{example}"
        case "json_invalid":
            path, message = [], sentence(f"the body is not valid JSON: {context.get('error', error['msg'])}")
        case "model_attributes_type" if not path:
            message = f"The body must be a JSON object, sent with 'Content-Type: application/json'.{example}"
        case "union_tag_invalid":
            message = f"'{name}' must be one of {context['expected_tags']}, not {format_value(context['tag'])}."
        case "union_tag_not_found":
            message = f"'{name}' is missing. It says what the other fields mean.{example}"
        case "string_pattern_mismatch" if prefixes := id_prefixes(context["pattern"]):
            message, context = _describe_wrong_id(name, prefixes, str(given), expected.id_tools)
        case "string_pattern_mismatch":
            message = f"'{name}' must match {context['pattern']}, not {format_value(given)}.{example}"
        case _ if wanted and kind.endswith(("too_short", "too_long")):
            message = f"'{name}' must be {wanted}, not {context.get('actual_length', len(str(given)))}.{example}"
        case _ if wanted:
            more = example or (_description(path, expected) if kind in _KIND_OF else "")
            message = f"'{name}' must be {wanted}, not {format_value(given)}.{more}"
        case _ if kind.isupper() or not path or kind in ("unknown_field", "field_given_twice"):
            message = sentence(error["msg"].removeprefix("Value error, "))
        case _:
            message = sentence(f"'{name}' is wrong: {error['msg'].removeprefix('Value error, ')}")
    code = kind if kind.isupper() else InvalidInput.default_code
    suggestions = list(context.get("suggestions", [])) or _accepted_values(context)
    return _Problem(code, tuple(path), message, suggestions, wanted)


def describe_limit(kind: str, context: dict[str, Any]) -> str | None:
    """Return what a value must be ("50 or more"), or None if the error is not about its type, range or length.

    `kind` and `context` are the type and the `ctx` of Pydantic's error.
    """
    if kind in _KIND_OF:
        return _KIND_OF[kind]
    if kind == "string_pattern_mismatch" and (prefixes := id_prefixes(context["pattern"])):
        return _describe_id(prefixes)
    return _LIMITS[kind].format(**context) if kind in _LIMITS else None


def _describe_range(schema: dict[str, Any]) -> str | None:
    """Return the allowed range ("from 1 to 100"), or None if the schema does not have both limits."""
    for each in (schema, *schema.get("anyOf", ())):
        if "minimum" in each and "maximum" in each:
            return f"from {each['minimum']:g} to {each['maximum']:g}"
    return None


def _describe_wrong_id(name: str, prefixes: list[str], given: str, tools: IdTools) -> tuple[str, dict[str, Any]]:
    """Return the message for a wrong id, and a dict whose "suggestions" are tools that make or list such ids."""
    message = f"'{name}' must be {_describe_id(prefixes)}, not {format_value(given)}."
    own = prefix_of(given) in prefixes  # the right kind, but cut off
    if not own and {prefix_of(given), *prefixes} <= tools.kinds.keys():
        wanted = " or ".join(tools.kinds[prefix] for prefix in prefixes)
        message = f"'{name}' must be the id of {wanted}, but {given[:MAX_SHOWN]} is {tools.kinds[prefix_of(given)]}."
    pairs = [(prefix, prefix_of(given)) for prefix in prefixes]
    makers = [] if own else [tools.that_convert[pair] for pair in pairs if pair in tools.that_convert]
    if makers:
        return f"{message} Call {makers[0]} with it, and give the id that it returns.", {"suggestions": makers}
    kinds_shown = [prefix_of(given)] if own else prefixes
    listers = [tools.that_list[prefix] for prefix in kinds_shown if prefix in tools.that_list]
    where = f" {' and '.join(listers)} {'show' if len(listers) > 1 else 'shows'} the ids." if listers else ""
    return message + where, {"suggestions": listers}


def _describe_id(prefixes: list[str]) -> str:
    kinds = " or ".join(f"'{prefix}_'" for prefix in prefixes if not is_of_reference(prefix))
    others = "".join(f", or '{prefix}' and a name" for prefix in prefixes if is_of_reference(prefix))
    return f"an id that a tool returned ({kinds} and 26 letters and digits{others})"


def _name(path: list[str] | tuple[str, ...]) -> str:
    return ".".join(path)


def _path_as_written(
    location: tuple[int | str, ...], body: Any, schema: dict[str, Any], ends_in_field: bool
) -> list[str]:
    """Return the path to a field as it is in the body.

    `location` is Pydantic's path. It also has the chosen alternative of a union: the value of `type`, or the name of
    the type. `ends_in_field` says that the last part is a field, even if the body does not have it.
    """
    path: list[str] = []
    at = body
    for place, part in enumerate(location, start=1):
        is_field = ends_in_field and place == len(location)
        if isinstance(at, dict) and at.get("type") == part and not is_field:
            continue
        is_inside = (isinstance(at, dict) and part in at) or (isinstance(at, list) and isinstance(part, int))
        if is_inside or is_field or not schema or part in _schema_at(schema, path).get("properties", {}):
            path.append(str(part))
            at = at[part] if is_inside else None
    return path


def _example(path: list[str] | tuple[str, ...], expected: Expected) -> str:
    """Return ` Example: {"field": value}.`, or an empty text if there is no example, or only a long one."""
    value = expected.example
    for part in path:
        if isinstance(value, list):
            value = value[0] if value and part.isdigit() else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    if value is None:
        schema = _schema_at(expected.schema, path)
        value = next(iter(schema.get("examples", [])), schema.get("default"))
        value = _example_id(schema) if value is None else value
    if value is None:
        return ""
    text = json.dumps({path[-1]: value} if path and not path[-1].isdigit() else value, ensure_ascii=False)
    return f" Example: {text}." if len(text) <= MAX_EXAMPLE else ""


def _example_id(schema: dict[str, Any]) -> str | None:
    """Return how an id begins that the schema, or one of its alternatives, accepts. Return None for other fields."""
    for each in (schema, *schema.get("anyOf", [])):
        if prefixes := id_prefixes(each.get("pattern", "")):
            return f"{prefixes[0]}_4r0c…"
    return None


def _description(path: list[str], expected: Expected) -> str:
    description = _schema_at(expected.schema, path).get("description", "")
    return f" Its description: {sentence(description)}" if description else ""


@cache
def _schema_of(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _schema_at(schema: dict[str, Any], path: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """Return the schema of the value at a path, or an empty dict if the path is unknown."""
    at = _resolve(schema, schema)
    for part in path:
        inner = at.get("properties", {}).get(part)
        if inner is None:
            inner = at.get("items") if part.isdigit() else at.get("additionalProperties")
        at = _resolve(schema, inner)
    return at


def _resolve(schema: dict[str, Any], node: Any) -> dict[str, Any]:
    """Return a node with its `$ref` resolved, or with the first of its alternatives that has fields or items."""
    if not isinstance(node, dict):
        return {}
    if "$ref" in node:
        referred = schema.get("$defs", {}).get(node["$ref"].rpartition("/")[2], {})
        return {**referred, **{name: value for name, value in node.items() if name != "$ref"}}
    for alternative in (*node.get("anyOf", ()), *node.get("oneOf", ())):
        inner = _resolve(schema, alternative)
        if {"properties", "items", "additionalProperties"} & inner.keys():
            return {**inner, **node}
    return node


def _accepted_values(context: dict[str, Any]) -> list[str]:
    """Return values that Pydantic would accept: all values of an enumeration, or the limit that was exceeded."""
    if isinstance(context.get("expected"), str):
        return re.findall(r"'([^']*)'", context["expected"])
    return [f"{context[name]:g}" for name in ("ge", "le") if isinstance(context.get(name), int | float)]
