"""Several kinds of objects, told apart by `type`, shown to an assistant as one flat object.

A schema with a variant for each kind repeats what they share and is twice as long; every listing of the tools would
carry it. So the listing shows each field once, with the kinds that take it, and what was given is checked by the model
of its kind, in a message that says what this kind takes.
"""

import difflib
import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from consort_kit.models import ToolInput
from consort_kit.validation import limit_of

_SHOWN = ("type", "enum", "items")
_NAMES_OF_TYPE = ("type", "op", "operation")
_LIMITING = ("tracks", "channels")
_MAX_SHOWN = 40


class Variant(ToolInput):
    """One kind of object; each has a field `type` with its own name, and an example for messages."""

    example: ClassVar[dict[str, Any]]


_Model = TypeVar("_Model", bound=Variant)


def flat_schema(models: Mapping[str, type[Variant]], everywhere: type[Variant]) -> dict[str, Any]:
    """One JSON schema with the fields of all models; those of `everywhere` are described without the kinds.

    Limits and defaults are left out, since they differ by kind; descriptions say them where they matter. Unknown fields
    are still rejected.
    """
    shapes: dict[str, list[dict[str, Any]]] = {}
    texts: dict[str, dict[str, list[str]]] = {}
    for kind, model in models.items():
        for name, shape in model.model_json_schema()["properties"].items():
            if name == "type":
                continue
            text = shape.get("description", "")
            shapes.setdefault(name, []).append(_plain(shape))
            texts.setdefault(name, {}).setdefault(text, []).append(kind)
    fields = {
        name: _merged(shapes[name])
        | {
            "description": " ".join(
                text if name in everywhere.model_fields else f"{', '.join(kinds)}: {text}"
                for text, kinds in texts[name].items()
            )
        }
        for name in shapes
    }
    kinds = {"enum": list(models), "description": "What is done."}
    return {"type": "object", "properties": {"type": kinds, **fields}, "required": ["type"]}


def _plain(shape: dict[str, Any]) -> dict[str, Any]:
    """The part of a field's schema that is shown; null, which nobody has to write, is left out."""
    choices = [each for each in shape.get("anyOf", [shape]) if each.get("type") != "null"]
    shown = {key: choices[0][key] for key in _SHOWN if key in choices[0]}
    if "enum" in shown:
        del shown["type"]
    if "items" in shown:
        shown["items"] = {"type": [each["type"] for each in shown["items"].get("anyOf", [shown["items"]])]}
        if len(shown["items"]["type"]) == 1:
            shown["items"] = {"type": shown["items"]["type"][0]}
    return shown


def _merged(shapes: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema that all kinds share; if they differ, one for any value."""
    return shapes[0] if all(shape == shapes[0] for shape in shapes) else {}


def reader_of(models: Mapping[str, type[_Model]]) -> Callable[[Any], _Model]:
    """Return a validator that reads one object by the model of its `type`."""

    def read(raw: Any) -> _Model:
        for model in models.values():
            if isinstance(raw, model):
                return raw
        example = next(iter(models.values()))
        if not isinstance(raw, dict):
            raise _refusal(f"{_shown(raw)} is not an object. Example: {_example(example)}", {})
        given = {str(raw[name]) for name in _NAMES_OF_TYPE if name in raw}
        kinds = ", ".join(models)
        if len(given) != 1:
            raise _wrong(("type",), f"'type' says what is done, one of: {kinds}. Example: {_example(example)}", raw)
        kind = given.pop()
        if kind not in models:
            near = difflib.get_close_matches(kind[:80].lower(), models, n=3, cutoff=0.5)
            raise _wrong(
                ("type",), f"{_shown(kind)} is not an operation; there are {kinds}.", raw, near or list(models)
            )
        model = models[kind]
        try:
            fields = {name: value for name, value in raw.items() if name not in _NAMES_OF_TYPE}
            return model.model_validate({**fields, "type": kind})
        except ValidationError as error:
            raise _explained(kind, model, error) from None

    return read


def _explained(kind: str, model: type[Variant], error: ValidationError) -> ValidationError:
    """The same problems at the same places, each with what this kind of object takes."""
    names = sorted((name for name in model.model_fields if name != "type"), key=lambda name: name in _LIMITING)
    takes = ", ".join(names)
    usage = f"{kind} takes {takes}. Example: {_example(model)}"
    problems: list[InitErrorDetails] = []
    for each in error.errors(include_url=False):
        context = each.get("ctx") or {}
        place, message = each["loc"], each["msg"].removeprefix("Value error, ").rstrip(".")
        if each["type"] == "missing":
            message = f"{kind} needs '{place[-1]}'"
        elif each["type"] == "unknown_field":
            place = (*place, context["name"])
        elif place and (limit := limit_of(each["type"], context)):
            message = f"It must be {limit}, not {_shown(each['input'])}"
        elif place and " should " in message:  # Pydantic's own words, which do not say what was given
            message = f"{message}, not {_shown(each['input'])}"
        stop = "" if message.endswith("?") else "."
        problems.append(_problem(place, f"{message}{stop} {usage}", each["input"], context))
    return ValidationError.from_exception_data(kind, problems)


def _wrong(place: tuple[str, ...], message: str, given: Any, suggestions: list[str] | None = None) -> ValidationError:
    context = {"suggestions": suggestions} if suggestions else {}
    return ValidationError.from_exception_data("operation", [_problem(place, message, given, context)])


def _problem(place: tuple[int | str, ...], message: str, given: Any, context: dict[str, Any]) -> InitErrorDetails:
    return InitErrorDetails(type=_refusal(message, context), loc=place, input=given)


def _refusal(message: str, context: Mapping[str, Any]) -> PydanticCustomError:
    kept = {name: context[name] for name in ("suggestions", "ge", "le", "expected") if name in context}
    return PydanticCustomError("operation", "{message}", {"message": message, **kept})


def _shown(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + "…"


def _example(model: type[Variant]) -> str:
    return json.dumps(model.example, ensure_ascii=False)
