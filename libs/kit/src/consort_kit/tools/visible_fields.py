"""Remove invisible characters from the texts of a tool's input, and say so in the answer.

Fields for code, notation, patterns, paths and devices are never changed. They are listed here by name, because a name
means the same in every tool. Readers of files and notation remove such characters from the names that they find.
"""

import json
from typing import Any, get_args, get_origin

from fastapi import Response
from pydantic import BaseModel
from pydantic_core import PydanticCustomError

from consort_kit.tools.answer_headers import MEDIA_DETAILS_HEADER
from consort_music.texts.visible_text import visible_text

UNCHANGED_FIELDS = frozenset(
    (
        *("code", "code_pattern", "code_snippet", "initial_script", "new_content", "new_script_content", "pattern"),
        *("script_content", "description_pattern", "name_pattern"),
        *("base64", "existing_voice", "input_stream", "melody", "midi_text", "music", "notes", "stream"),
        *("cursor", "path", "port_name"),
    )
)


def visible_value(model: type[BaseModel], field: str, value: Any) -> Any:
    """Return the value of a field without invisible characters. Objects that have a model of their own stay as is."""
    if isinstance(value, str):
        return value if field in UNCHANGED_FIELDS else visible_text(value, field)
    if field not in UNCHANGED_FIELDS and isinstance(value, list | dict):
        _clean(value, field, enters_objects=not _contains_model(model.model_fields[field].annotation))
    return value


def _clean(value: list[Any] | dict[str, Any], field: str, enters_objects: bool) -> None:
    """Clean the texts and keys inside a value in place. It may be nested too deeply for recursion."""
    waiting: list[Any] = [value]
    while waiting:
        inside = waiting.pop()
        if isinstance(inside, dict) and not enters_objects:
            continue
        if isinstance(inside, dict):
            _clean_keys(inside, field)
        for place, each in inside.items() if isinstance(inside, dict) else enumerate(inside):
            if isinstance(each, str):
                inside[place] = visible_text(each, field)
            elif isinstance(each, list | dict):
                waiting.append(each)


def _clean_keys(inside: dict[str, Any], field: str) -> None:
    kept = {visible_text(str(key), field): each for key, each in inside.items()}
    if len(kept) < len(inside):
        raise PydanticCustomError(
            "same_keys",
            "Two keys in '{field}' differ only in invisible characters. Give each its own name.",
            {"field": field, "suggestions": []},
        )
    inside.clear()
    inside.update(kept)


def _contains_model(annotation: Any) -> bool:
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return issubclass(annotation, BaseModel)
    return any(_contains_model(each) for each in get_args(annotation))


def with_removal_warning(response: Response, sources: list[str], model: Any) -> Response:
    """Add a warning about removed characters to the JSON of an answer, or to the details beside a picture or sound.

    `sources` are names of fields, empty for texts in a file. `model` is the model of the JSON.
    """
    if not sources:
        return response
    message = removal_message(sources)
    if response.media_type != "application/json":
        details = json.loads(response.headers.get(MEDIA_DETAILS_HEADER, "{}"))
        response.headers[MEDIA_DETAILS_HEADER] = json.dumps(_with_warning(details, message))
        return response
    answer = json.loads(bytes(response.body))
    if not isinstance(answer, dict):
        return response
    warning = {"code": "HIDDEN_TEXT_REMOVED", "message": message} if _warns_with_codes(model) else message
    headers = {name: value for name, value in response.headers.items() if name != "content-length"}
    return Response(json.dumps(_with_warning(answer, warning), ensure_ascii=False), response.status_code, headers)


def removal_message(sources: list[str]) -> str:
    """Return the warning that invisible characters were removed from these fields; "" is the music itself."""
    fields = ", ".join(f"'{source}'" for source in sources if source)
    places = [*([fields] if fields else []), *(["names and texts of the music"] if "" in sources else [])]
    return f"Invisible characters were removed from {' and '.join(places)}."


def _with_warning(answer: dict[str, Any], warning: Any) -> dict[str, Any]:
    return {**answer, "warnings": [*(answer.get("warnings") or []), warning]}


def _warns_with_codes(model: Any) -> bool:
    """Return whether the warnings of a model are objects with `code` and `message`, not texts."""
    fields = getattr(model, "model_fields", {})
    return "warnings" in fields and _contains_model(fields["warnings"].annotation)
