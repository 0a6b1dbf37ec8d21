"""The errors of the studio: one tree, one JSON shape, over HTTP and MCP alike.

    ConsortError                     500  INTERNAL_ERROR
    ├── InvalidInput                 422  INVALID_INPUT      type or shape is wrong; domain checks give their own code
    ├── Unauthorized                 401  UNAUTHORIZED       no token, or a wrong one
    ├── Forbidden                    403  FORBIDDEN          a link that is altered or expired, a foreign origin
    ├── Misdirected                  421  WRONG_HOST         a Host header that is not ours
    ├── NotFound                     404  NOT_FOUND
    ├── MethodNotAllowed             405  METHOD_NOT_ALLOWED
    ├── AlreadyExists                409  ALREADY_EXISTS
    ├── Conflict                     409  CONFLICT           what the caller had seen was changed by another
    ├── TooLarge                     413  TOO_LARGE
    ├── ServiceDown                  503  SERVICE_DOWN       a service or the database does not answer
    └── OutOfTime                    504  TIMEOUT

Services raise these; the app factory turns them into `ErrorResponse`. Inside Pydantic validators raise `refuse(...)`.
The message alone must tell an assistant what to change.
"""

import re
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field
from pydantic_core import PydanticCustomError

from consort_kit.ids import id_prefixes, prefix_of


class ErrorBody(BaseModel):
    code: str = Field(description="UPPER_SNAKE constant.", examples=["NOT_FOUND"])
    message: str = Field(description="What is wrong and what to change.")
    field: str | None = Field(None, description="Path of the field that is wrong, if one is.")
    suggestions: list[str] = Field(default_factory=list, description="Values or steps that would work.")
    details: Any = Field(None, description="Whatever else helps: limits, positions, a verdict.")


class ErrorResponse(BaseModel):
    """Every failure of every route and tool."""

    success: Literal[False] = False
    error: ErrorBody
    partial_result: Any = None


class ConsortError(Exception):
    status: ClassVar[int] = 500
    default_code: ClassVar[str] = "INTERNAL_ERROR"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        field: str | None = None,
        suggestions: list[str] | None = None,
        details: Any = None,
        partial_result: Any = None,
    ) -> None:
        super().__init__(message)
        self.body = ErrorBody(
            code=code or self.default_code,
            message=message,
            field=field,
            suggestions=suggestions or [],
            details=details,
        )
        self.partial_result = partial_result

    def response(self) -> ErrorResponse:
        return ErrorResponse(error=self.body, partial_result=self.partial_result)


class InvalidInput(ConsortError):
    status = 422
    default_code = "INVALID_INPUT"


class Unauthorized(ConsortError):
    status = 401
    default_code = "UNAUTHORIZED"


class Forbidden(ConsortError):
    status = 403
    default_code = "FORBIDDEN"


class Misdirected(ConsortError):
    status = 421
    default_code = "WRONG_HOST"


class NotFound(ConsortError):
    status = 404
    default_code = "NOT_FOUND"


class MethodNotAllowed(ConsortError):
    status = 405
    default_code = "METHOD_NOT_ALLOWED"


class AlreadyExists(ConsortError):
    status = 409
    default_code = "ALREADY_EXISTS"


class Conflict(ConsortError):
    status = 409
    default_code = "CONFLICT"


class TooLarge(ConsortError):
    status = 413
    default_code = "TOO_LARGE"


class ServiceDown(ConsortError):
    status = 503
    default_code = "SERVICE_DOWN"


class OutOfTime(ConsortError):
    status = 504
    default_code = "TIMEOUT"


def refuse(code: str, message: str, suggestions: list[str] | None = None) -> PydanticCustomError:
    """To raise in a Pydantic validator when a domain check fails: keeps the domain's own code."""
    return PydanticCustomError(code, "{message}", {"message": message, "suggestions": suggestions or []})


def from_validation(errors: list[Any], body: Any = None) -> InvalidInput:
    """One InvalidInput for what Pydantic found: the first problem speaks, all are in `details`."""
    found = [_describe(error, body) for error in errors]
    first = found[0]
    more = f" ({len(found) - 1} more in details)" if len(found) > 1 else ""
    return InvalidInput(
        first["message"] + more,
        code=first["code"],
        field=first["field"],
        suggestions=first["suggestions"],
        details=[{key: each[key] for key in ("code", "field", "message")} for each in found] if more else None,
    )


_MAKERS = {("midi", "song"): "song_export_midi", ("midi", "score"): "compose_export_midi"}
"""By the kind of id that is wanted and the kind that was given: the tool that makes the one from the other."""


def _describe(error: dict[str, Any], body: Any) -> dict[str, Any]:
    kind = error["type"]
    path = _as_written(error["loc"][1:], body, kind == "missing")  # the first says where: body, query, path
    context = error.get("ctx") or {}
    message = error["msg"].removeprefix("Value error, ")
    if kind == "missing":
        message = f"'{path[-1]}' is missing" if path else "the JSON body is missing"
    elif kind == "model_attributes_type" and not path:
        message = "the body must be a JSON object, with 'Content-Type: application/json'"
    elif kind == "json_invalid":
        path, message = [], f"the body is not valid JSON: {context.get('error', message)}"
    elif kind == "unknown_field":
        path.append(context["name"])
    elif kind == "union_tag_invalid":
        path.append(context["discriminator"].strip("'"))
        context["expected"] = context["expected_tags"]
        message = f"'{'.'.join(path)}' is {context['tag']!r}, and must be one of {context['expected_tags']}"
    elif kind == "union_tag_not_found":
        path.append(context["discriminator"].strip("'"))
        message = f"'{'.'.join(path)}' is missing: it says what the rest of it means"
    elif kind == "model_attributes_type":
        message = f"'{'.'.join(path)}' must be a JSON object"
    elif kind == "string_pattern_mismatch" and (prefixes := id_prefixes(context["pattern"])):
        message, context = _not_an_id(".".join(path), prefixes, str(error.get("input")))
    elif path and not kind.isupper():
        message = f"'{'.'.join(path)}': {message}"
    return {
        "code": kind if kind.isupper() else InvalidInput.default_code,
        "message": message,
        "field": ".".join(path) or None,
        "suggestions": list(context.get("suggestions", [])) or _from_limits(context),
    }


def _not_an_id(field: str, prefixes: list[str], given: str) -> tuple[str, dict[str, Any]]:
    """What is wrong with an id, and which tool makes the right kind of it."""
    kinds = " or ".join(f"'{prefix}_'" for prefix in prefixes)
    shown = given if len(given) <= 40 else given[:40] + "…"
    message = f"'{field}' is {shown!r}: an id is {kinds} and 26 letters and digits, as a tool answered it."
    makers = [maker for prefix in prefixes if (maker := _MAKERS.get((prefix, prefix_of(given))))]
    if not makers:
        return message, {}
    return f"{message} {makers[0]} makes one of this.", {"suggestions": makers}


def _as_written(location: tuple[int | str, ...], body: Any, ends_in_field: bool) -> list[str]:
    """The path as the caller wrote it: Pydantic puts in which model was meant where `type` tells several apart."""
    path: list[str] = []
    at = body
    for place, part in enumerate(location, start=1):
        if isinstance(at, dict) and at.get("type") == part and not (ends_in_field and place == len(location)):
            continue
        path.append(str(part))
        is_inside = (isinstance(at, dict) and part in at) or (isinstance(at, list) and isinstance(part, int))
        at = at[part] if is_inside else None
    return path


def _from_limits(context: dict[str, Any]) -> list[str]:
    """What would be accepted, as far as Pydantic tells: the words of a choice, the end of a range."""
    if isinstance(context.get("expected"), str):
        return re.findall(r"'([^']*)'", context["expected"])
    return [f"{context[name]:g}" for name in ("ge", "le") if isinstance(context.get(name), int | float)]
