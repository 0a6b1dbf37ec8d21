"""The exceptions that services raise, their HTTP status, and the JSON form of an error for HTTP and MCP.

    ConsortError                     500  INTERNAL_ERROR
    ├── InvalidInput                 422  INVALID_INPUT      a value is wrong (errors in music have their own codes)
    ├── Unauthorized                 401  UNAUTHORIZED       no token, or a wrong one
    ├── Forbidden                    403  FORBIDDEN          an altered or expired link, a request from another website
    ├── WrongHost                    421  WRONG_HOST         the Host header names another machine
    ├── NotFound                     404  NOT_FOUND
    ├── MethodNotAllowed             405  METHOD_NOT_ALLOWED
    ├── AlreadyExists                409  ALREADY_EXISTS
    ├── Conflict                     409  CONFLICT           another client has changed the same thing
    ├── TooLarge                     413  TOO_LARGE
    ├── ServiceDown                  503  SERVICE_DOWN       a service or the database does not answer
    │   ├── DiskFull                 503  DISK_FULL          nothing was stored
    │   └── OutcomeUnknown           503  OUTCOME_UNKNOWN    the database was lost while it was storing a change
    └── TimedOut                     504  TIMEOUT

The app factory turns them into an `ErrorResponse`, and `MusicError` of `consort_music` into InvalidInput. A Pydantic
validator raises `field_error(...)`. The message must say what to change without the other fields.
"""

from typing import Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, Field
from pydantic_core import PydanticCustomError


class ErrorBody(BaseModel):
    code: str = Field(description="UPPER_SNAKE constant.", examples=["NOT_FOUND"])
    message: str = Field(description="What is wrong and what to change.")
    field: str | None = Field(None, description="Path of the wrong field, if there is one.")
    suggestions: list[str] = Field(default_factory=list, description="Values or steps that would work.")
    details: Any = Field(None, description="Anything else that helps: limits, positions, a list of problems.")


class ErrorResponse(BaseModel):
    """The JSON of every error, from any route or tool."""

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


class WrongHost(ConsortError):
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


class DiskFull(ServiceDown):
    default_code = "DISK_FULL"


class OutcomeUnknown(ServiceDown):
    """Raised if the connection was lost after a change was sent: it may or may not have been stored.

    Do not undo what belongs to the change, such as bytes that its row refers to.
    """

    default_code = "OUTCOME_UNKNOWN"


class TimedOut(ConsortError):
    status = 504
    default_code = "TIMEOUT"


class InputError(Protocol):
    """The attributes of a library's exception about wrong input, such as `MusicError`."""

    code: str
    message: str
    suggestions: list[str]
    field: str | None
    """The wrong field, or None if it is not known."""
    partial_result: object
    """The best result that was possible, or None."""


def input_error(error: InputError) -> InvalidInput | TooLarge:
    """Return the error of a library, raised in a child process, as the service's error."""
    kind = TooLarge if error.code == TooLarge.default_code else InvalidInput
    return kind(error.message, code=error.code, field=error.field, suggestions=error.suggestions)


def error_with_status(status: int, body: ErrorBody, partial_result: Any = None) -> ConsortError:
    """Return an error that another process sent or stored, as the exception that it was there."""
    kind = next((each for each in ConsortError.__subclasses__() if each.status == status), ConsortError)
    return kind(**body.model_dump(), partial_result=partial_result)


def field_error(code: str, message: str, suggestions: list[str] | None = None) -> PydanticCustomError:
    """Return an exception that a Pydantic validator raises to report a wrong value with its own error code."""
    return PydanticCustomError(code, "{message}", {"message": message, "suggestions": suggestions or []})
