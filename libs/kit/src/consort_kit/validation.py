"""Report what Pydantic found wrong with a request, in our words.

A message names the field, what is allowed, what was given and an example. Examples are the values in the tool's own
`Example: {…}`, else the `examples` of the field or its default.
"""

import json
import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic import BaseModel

from consort_kit.errors import InvalidInput
from consort_kit.ids import id_prefixes, prefix_of

MAX_SHOWN = 40
MAX_EXAMPLE = 160

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
    "string_too_short": "at least {min_length} characters long",
    "string_too_long": "at most {max_length} characters long",
    "too_short": "a list of at least {min_length}",
    "too_long": "a list of at most {max_length}",
}
_MAKERS = {("midi", "song"): "song_export_midi", ("midi", "score"): "compose_export_midi"}
"""By the kind of id that is wanted and the kind that was given: the tool that makes the one from the other."""

_LISTERS = {"midi": "list_midi", "song": "list_songs", "play": "get_playback"}
"""The tools that show the ids of a kind."""


@dataclass(frozen=True)
class Expected:
    """What a tool expects: the schema of its input, and a call that is in order."""

    schema: dict[str, Any] = field(default_factory=dict)
    example: Any = None

    @staticmethod
    def of(model: type[BaseModel] | None, description: str) -> "Expected":
        """Build it from the tool's input model and its description, which has an example after `Example: `."""
        _, _, text = description.partition("Example: ")
        try:
            example, _ = json.JSONDecoder().raw_decode(text)
        except ValueError:
            example = None
        return Expected(_schema_of(model) if model else {}, example)


@dataclass(frozen=True)
class _Problem:
    code: str
    path: tuple[str, ...]
    message: str
    suggestions: list[str]
    wanted: str | None = None
    """What the value must be, if only its kind or size is wrong: several of these become one message."""


def from_validation(errors: list[Any], body: Any = None, expected: Expected | None = None) -> InvalidInput:
    """Return one InvalidInput for what Pydantic found: its message is the first problem's, all are in `details`."""
    expected = expected or Expected()
    by_path: dict[tuple[str, ...], list[tuple[_Problem, Any]]] = {}
    for error in errors:
        problem = _describe(error, body, expected)
        by_path.setdefault(problem.path, []).append((problem, error.get("input")))
    found = [_together(problems, expected) for problems in by_path.values()]
    first = found[0]
    more = f" ({len(found) - 1} more in details.)" if len(found) > 1 else ""
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
    """Return the text with a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", "…")) else ".")


def shown(value: Any) -> str:
    """Return a value as a message shows it: short, however long it is."""
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


def _together(problems: list[tuple[_Problem, Any]], expected: Expected) -> _Problem:
    """Join the problems of one value, which may be of several kinds; a domain check comes first."""
    found = [problem for problem, _ in problems]
    domain = next((problem for problem in found if problem.code != InvalidInput.default_code), None)
    wanted = list(dict.fromkeys(problem.wanted for problem in found if problem.wanted))
    if domain or len(wanted) < 2:
        return domain or found[0]
    kinds = [each for each in wanted if not (each == "a whole number" and "a number" in wanted)]
    message = f"'{_name(found[0].path)}' must be {' or '.join(kinds)}, not {shown(problems[0][1])}."
    return _Problem(found[0].code, found[0].path, message + _example(found[0].path, expected), found[0].suggestions)


def _describe(error: dict[str, Any], body: Any, expected: Expected) -> _Problem:
    kind: str = error["type"]
    context: dict[str, Any] = dict(error.get("ctx") or {})
    path = _as_written(error["loc"][1:], body, expected.schema, kind == "missing")  # the first says where: body, path
    given, wanted = error.get("input"), limit_of(kind, context)
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
            message = f"'{name}' is missing.{_meaning(path, expected)}{example}"
        case "json_invalid":
            path, message = [], sentence(f"the body is not valid JSON: {context.get('error', error['msg'])}")
        case "model_attributes_type" if not path:
            message = f"The body must be a JSON object, sent with 'Content-Type: application/json'.{example}"
        case "union_tag_invalid":
            message = f"'{name}' must be one of {context['expected_tags']}, not {shown(context['tag'])}."
        case "union_tag_not_found":
            message = f"'{name}' is missing. It says what the other fields mean.{example}"
        case "string_pattern_mismatch" if prefixes := id_prefixes(context["pattern"]):
            message, context = _not_an_id(name, prefixes, str(given))
        case "string_pattern_mismatch":
            message = f"'{name}' must match {context['pattern']}, not {shown(given)}.{example}"
        case _ if wanted and kind.endswith(("too_short", "too_long")):
            message = f"'{name}' must be {wanted}, not {context.get('actual_length', len(str(given)))}.{example}"
        case _ if wanted:
            told = example or (_meaning(path, expected) if kind in _KIND_OF else "")
            message = f"'{name}' must be {wanted}, not {shown(given)}.{told}"
        case _ if kind.isupper() or not path or kind in ("unknown_field", "field_given_twice"):
            message = sentence(error["msg"].removeprefix("Value error, "))
        case _:
            message = sentence(f"'{name}' is wrong: {error['msg'].removeprefix('Value error, ')}")
    code = kind if kind.isupper() else InvalidInput.default_code
    suggestions = list(context.get("suggestions", [])) or _from_limits(context)
    return _Problem(code, tuple(path), message, suggestions, wanted)


def limit_of(kind: str, context: dict[str, Any]) -> str | None:
    """Return what a value must be if Pydantic found it of another kind or out of range: "50 or more"."""
    if kind in _KIND_OF:
        return _KIND_OF[kind]
    if kind == "string_pattern_mismatch" and (prefixes := id_prefixes(context["pattern"])):
        return _id_of(prefixes)
    return _LIMITS[kind].format(**context) if kind in _LIMITS else None


def _not_an_id(name: str, prefixes: list[str], given: str) -> tuple[str, dict[str, Any]]:
    """Say what is wrong with an id, and which tool makes the right kind of it."""
    message = f"'{name}' must be {_id_of(prefixes)}, not {shown(given)}."
    own = prefix_of(given) in prefixes  # the right kind, but cut off
    makers = [] if own else [maker for prefix in prefixes if (maker := _MAKERS.get((prefix, prefix_of(given))))]
    if makers:
        return f"{message} {makers[0]} makes one of this.", {"suggestions": makers}
    kinds_shown = [prefix_of(given)] if own else prefixes
    listers = [_LISTERS[prefix] for prefix in kinds_shown if prefix in _LISTERS]
    where = f" {' and '.join(listers)} {'show' if len(listers) > 1 else 'shows'} the ids." if listers else ""
    return message + where, {"suggestions": listers}


def _id_of(prefixes: list[str]) -> str:
    kinds = " or ".join(f"'{prefix}_'" for prefix in prefixes)
    return f"an id, {kinds} and 26 letters and digits as a tool answered it"


def _name(path: list[str] | tuple[str, ...]) -> str:
    return ".".join(path)


def _as_written(location: tuple[int | str, ...], body: Any, schema: dict[str, Any], ends_in_field: bool) -> list[str]:
    """Return the path as the caller wrote it.

    Pydantic puts in which model was meant where `type` tells several apart, and which kind of a value it tried.
    """
    path: list[str] = []
    at = body
    for place, part in enumerate(location, start=1):
        is_field = ends_in_field and place == len(location)
        if isinstance(at, dict) and at.get("type") == part and not is_field:
            continue
        is_inside = (isinstance(at, dict) and part in at) or (isinstance(at, list) and isinstance(part, int))
        if is_inside or is_field or not schema or part in _at(schema, path).get("properties", {}):
            path.append(str(part))
            at = at[part] if is_inside else None
    return path


def _example(path: list[str] | tuple[str, ...], expected: Expected) -> str:
    """Return ` Example: {"field": value}.` if one is known and short, else nothing."""
    value = expected.example
    for part in path:
        if isinstance(value, list):
            value = value[0] if value and part.isdigit() else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    if value is None:
        schema = _at(expected.schema, path)
        value = next(iter(schema.get("examples", [])), schema.get("default"))
    if value is None:
        return ""
    text = json.dumps({path[-1]: value} if path and not path[-1].isdigit() else value, ensure_ascii=False)
    return f" Example: {text}." if len(text) <= MAX_EXAMPLE else ""


def _meaning(path: list[str], expected: Expected) -> str:
    description = _at(expected.schema, path).get("description", "")
    return f" {sentence(description)}" if description else ""


@cache
def _schema_of(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _at(schema: dict[str, Any], path: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """Return the schema of the value at a path; empty if it is not known."""
    at = _resolved(schema, schema)
    for part in path:
        inner = at.get("properties", {}).get(part)
        if inner is None:
            inner = at.get("items") if part.isdigit() else at.get("additionalProperties")
        at = _resolved(schema, inner)
    return at


def _resolved(schema: dict[str, Any], node: Any) -> dict[str, Any]:
    """Return a node with what it refers to; of alternatives the first that has something inside."""
    if not isinstance(node, dict):
        return {}
    if "$ref" in node:
        referred = schema.get("$defs", {}).get(node["$ref"].rpartition("/")[2], {})
        return {**referred, **{name: value for name, value in node.items() if name != "$ref"}}
    for alternative in (*node.get("anyOf", ()), *node.get("oneOf", ())):
        inner = _resolved(schema, alternative)
        if {"properties", "items", "additionalProperties"} & inner.keys():
            return {**inner, **node}
    return node


def _from_limits(context: dict[str, Any]) -> list[str]:
    """Return what Pydantic says would be accepted: the words of a choice, the ends of a range."""
    if isinstance(context.get("expected"), str):
        return re.findall(r"'([^']*)'", context["expected"])
    return [f"{context[name]:g}" for name in ("ge", "le") if isinstance(context.get(name), int | float)]
