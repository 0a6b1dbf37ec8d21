"""`@tool`: a tool is written once, as a route; its spec, MCP annotations and limits follow from the declaration."""

import asyncio
import inspect
import json
import re
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel

from consort_kit.clients import CLIENT_HEADER, CLIENT_ID_SPELLING, check_client_id
from consort_kit.errors import ConsortError, ErrorResponse, OutOfTime
from consort_kit.settings import Settings
from consort_kit.validation import Expected

Effect = Literal["read", "write", "destroy"]
Function = TypeVar("Function", bound=Callable[..., Any])

ERRORS: dict[int | str, dict[str, Any]] = {
    "default": {"model": ErrorResponse, "description": "What went wrong and what to change, in the one shape."}
}


def binary(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """For a route's `responses`: bytes of one of these types, or one of our errors."""
    schema = {"schema": {"type": "string", "format": "binary"}}
    return ERRORS | {200: {"content": {media_type: schema for media_type in media_types}}}


def _client_of_request(
    consort_client: Annotated[
        str | None, Header(alias=CLIENT_HEADER, description=f"An id of your own choice: {CLIENT_ID_SPELLING}.")
    ] = None,
) -> str | None:
    return check_client_id(consort_client)


ClientId = Annotated[str | None, Depends(_client_of_request)]
"""For a parameter of a tool: the id of the client that calls, if it has one."""


class Limits:
    """How much a service does at once. Heavy operations wait for a place; everything has a time limit."""

    def __init__(self, settings: Settings) -> None:
        self.timeout_s = settings.timeout_s
        self.heavy = asyncio.Semaphore(settings.heavy_at_once)


class JsonRequest(Request):
    """A body that is strictly JSON: no NaN, and no text that Postgres or an answer could not hold.

    That is NUL and half of a surrogate pair. FastAPI answers what is raised here as `not valid JSON`.
    """

    async def json(self) -> Any:
        try:
            text = (await self.body()).decode()
        except UnicodeDecodeError as error:
            raise json.JSONDecodeError("it is not UTF-8", "", 0) from error
        value = json.loads(text, parse_constant=_refuse_constant)
        if _ODD_ESCAPE.search(text) and _has_odd_text(value):
            raise json.JSONDecodeError("a text has a NUL character or half of a surrogate pair", "", 0)
        return value


_ODD_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_ODD = re.compile("[\0\ud800-\udfff]")


def _refuse_constant(name: str) -> Any:
    raise json.JSONDecodeError(f"{name} is not a number", "", 0)


def _has_odd_text(value: Any) -> bool:
    rest = [value]
    while rest:
        each = rest.pop()
        if isinstance(each, str):
            if _ODD.search(each):
                return True
        elif isinstance(each, list):
            rest.extend(each)
        elif isinstance(each, dict):
            rest.extend(each)
            rest.extend(each.values())
    return False


class ToolRoute(APIRoute):
    """Runs a tool within the service's limits."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        is_heavy = bool((self.openapi_extra or {}).get("x-consort-tool", {}).get("heavy"))

        async def within_limits(request: Request) -> Response:
            limits: Limits = request.app.state.limits
            request = JsonRequest(request.scope, request.receive)
            limit = asyncio.timeout(limits.timeout_s)
            try:
                async with limit:
                    if not is_heavy:
                        return await handle(request)
                    async with limits.heavy:
                        return await handle(request)
            except TimeoutError as error:
                if not limit.expired():
                    raise  # something inside ran out of a time of its own
                raise OutOfTime(
                    f"This was not finished after {limits.timeout_s:g} s. Ask for less, or try again later."
                ) from error

        return within_limits


def tool_router() -> APIRouter:
    return APIRouter(route_class=ToolRoute)


def tool(
    router: APIRouter,
    *,
    title: str,
    toolset: str,
    effect: Effect,
    heavy: bool = False,
    errors: tuple[type[ConsortError], ...] = (),
    media_types: tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Make `POST /tools/{function name}` of a function with one ToolInput body.

    The docstring is the description that an assistant reads. `effect`: `read` changes nothing, `write` adds or changes
    what can be brought back, `destroy` loses something. `media_types`: the answer is a picture or a sound, not JSON.
    """

    def register(function: Function) -> Function:
        responses = binary(*media_types) if media_types else dict(ERRORS)
        for error in errors:
            responses[error.status] = {"model": ErrorResponse, "description": error.default_code}
        options: dict[str, Any] = {}
        if media_types:
            options["response_class"] = Response
        router.post(
            f"/tools/{function.__name__}",
            operation_id=function.__name__,
            summary=title,
            tags=[toolset],
            description=_unwrapped(inspect.getdoc(function) or ""),
            response_model_exclude_none=True,
            responses=responses,
            openapi_extra={"x-consort-tool": {"toolset": toolset, "effect": effect, "heavy": heavy}},
            **options,
        )(function)
        return function

    return register


def expected_by(route: Any) -> Expected:
    """Return what the tool of a route expects; for other routes nothing is known."""
    if not isinstance(route, ToolRoute):
        return Expected()
    model = get_type_hints(route.endpoint).get("body")
    return Expected.of(model if isinstance(model, type) and issubclass(model, BaseModel) else None, route.description)


def _unwrapped(text: str) -> str:
    """A docstring without the line breaks that only keep our lines short; paragraphs stay."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text)
