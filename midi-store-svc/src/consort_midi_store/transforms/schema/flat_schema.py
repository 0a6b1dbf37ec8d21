"""Show several kinds of objects, which are distinguished by `type`, to an assistant as one flat object.

One schema per kind would repeat the shared fields and be twice as long in every tool listing. So the listing shows each
field once, with the kinds that accept it. The model of the given kind checks the object, and its errors list the fields
that this kind accepts.
"""

import difflib
import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from consort_kit.tools.models import ToolInput
from consort_kit.tools.validation import describe_limit

_SHOWN_KEYS = ("type", "enum", "items")
_NAMES_OF_TYPE = ("type", "op", "operation")
_SELECTION_FIELDS = ("tracks", "channels")
_MAX_SHOWN = 40


class Variant(ToolInput):
    """One kind of object. Its field `type` is the name of the kind. Errors quote its `example`."""

    example: ClassVar[dict[str, Any]]


_Model = TypeVar("_Model", bound=Variant)


def flat_schema(models: Mapping[str, type[Variant]], shared_fields: type[Variant]) -> dict[str, Any]:
    """Return one JSON schema with the fields of all models.

    A field's description names the kinds that accept it, unless it is a field of the model `shared_fields`. Limits and
    defaults are left out, because they differ by kind; descriptions give them if necessary. Unknown fields are still
    rejected.
    """
    shapes: dict[str, list[dict[str, Any]]] = {}
    texts: dict[str, dict[str, list[str]]] = {}
    for kind, model in models.items():
        for name, shape in model.model_json_schema()["properties"].items():
            if name == "type":
                continue
            text = shape.get("description", "")
            shapes.setdefault(name, []).append(_shown_shape(shape))
            texts.setdefault(name, {}).setdefault(text, []).append(kind)
    fields = {
        name: _common_shape(shapes[name])
        | {
            "description": " ".join(
                text if name in shared_fields.model_fields else f"{', '.join(kinds)}: {text}"
                for text, kinds in texts[name].items()
            )
        }
        for name in shapes
    }
    kinds = {"enum": list(models), "description": "What is done."}
    return {"type": "object", "properties": {"type": kinds, **fields}, "required": ["type"]}


def _shown_shape(shape: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a field's schema that is listed. Null is left out, because no caller needs to write it."""
    choices = [each for each in shape.get("anyOf", [shape]) if each.get("type") != "null"]
    shown = {key: choices[0][key] for key in _SHOWN_KEYS if key in choices[0]}
    if "enum" in shown:
        del shown["type"]
    if "items" in shown:
        shown["items"] = {"type": [each["type"] for each in shown["items"].get("anyOf", [shown["items"]])]}
        if len(shown["items"]["type"]) == 1:
            shown["items"] = {"type": shown["items"]["type"][0]}
    return shown


def _common_shape(shapes: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema if it is the same for all kinds; otherwise return an empty schema, which allows any value."""
    return shapes[0] if all(shape == shapes[0] for shape in shapes) else {}


def reader_of(models: Mapping[str, type[_Model]]) -> Callable[[Any], _Model]:
    """Return a function that validates an object with the model of its `type`."""

    def read(raw: Any) -> _Model:
        example = next(iter(models.values()))
        if not isinstance(raw, dict):
            raise _custom_error(f"{_shortened(raw)} is not an object. Example: {_example(example)}", {})
        given = {str(raw[name]) for name in _NAMES_OF_TYPE if name in raw}
        kinds = ", ".join(models)
        if len(given) != 1:
            raise _error_at(("type",), f"'type' must be one of {kinds}. Example: {_example(example)}", raw)
        kind = given.pop()
        if kind not in models:
            near = difflib.get_close_matches(kind[:80].lower(), models, n=3, cutoff=0.5)
            raise _error_at(
                ("type",),
                f"{_shortened(kind)} is not an operation. The operations are {kinds}.",
                raw,
                near or list(models),
            )
        model = models[kind]
        try:
            fields = {name: value for name, value in raw.items() if name not in _NAMES_OF_TYPE}
            return model.model_validate({**fields, "type": kind})
        except ValidationError as error:
            raise _with_usage(kind, model, error) from None

    return read


def _with_usage(kind: str, model: type[Variant], error: ValidationError) -> ValidationError:
    """Add the fields that this kind accepts, and an example, to each problem."""
    names = sorted((name for name in model.model_fields if name != "type"), key=lambda name: name in _SELECTION_FIELDS)
    usage = f"{kind} takes {', '.join(names)}. Example: {_example(model)}"
    problems: list[InitErrorDetails] = []
    for each in error.errors(include_url=False):
        context = each.get("ctx") or {}
        place, message = each["loc"], each["msg"].removeprefix("Value error, ").rstrip(".")
        if each["type"] == "missing":
            message = f"{kind} needs '{place[-1]}'"
        elif each["type"] == "unknown_field":
            place = (*place, context["name"])
        elif place and (limit := describe_limit(each["type"], context)):
            message = f"It must be {limit}, not {_shortened(each['input'])}"
        elif place and " should " in message:  # pydantic's own wording, which does not quote the value given
            message = f"{message}, not {_shortened(each['input'])}"
        stop = "" if message.endswith("?") else "."
        problems.append(_problem(place, f"{message}{stop} {usage}", each["input"], context))
    return ValidationError.from_exception_data(kind, problems)


def _error_at(
    place: tuple[str, ...], message: str, given: Any, suggestions: list[str] | None = None
) -> ValidationError:
    context = {"suggestions": suggestions} if suggestions else {}
    return ValidationError.from_exception_data("operation", [_problem(place, message, given, context)])


def _problem(place: tuple[int | str, ...], message: str, given: Any, context: dict[str, Any]) -> InitErrorDetails:
    return InitErrorDetails(type=_custom_error(message, context), loc=place, input=given)


def _custom_error(message: str, context: Mapping[str, Any]) -> PydanticCustomError:
    kept = {name: context[name] for name in ("suggestions", "ge", "le", "expected") if name in context}
    return PydanticCustomError("operation", "{message}", {"message": message, **kept})


def _shortened(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "…"


def _example(model: type[Variant]) -> str:
    return json.dumps(model.example, ensure_ascii=False)
