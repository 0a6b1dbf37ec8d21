"""The `@tool` decorator turns a function into a route.

The OpenAPI specification, the MCP annotations and the limits of a call are derived from the route.
"""

import inspect
import re
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel

from consort_kit.errors import ConsortError, ErrorResponse
from consort_kit.tools.client_ids import CLIENT_HEADER, CLIENT_ID_SPELLING, check_client_id
from consort_kit.tools.service_limits import ServiceLimits
from consort_kit.tools.strict_json import StrictJsonRequest
from consort_kit.tools.validation import Expected, IdTools
from consort_kit.tools.visible_fields import with_removal_warning
from consort_music.texts.visible_text import note_removals

Effect = Literal["read", "write", "destroy"]
ToolFunction = TypeVar("ToolFunction", bound=Callable[..., Any])

ERRORS: dict[int | str, dict[str, Any]] = {
    "default": {"model": ErrorResponse, "description": "What is wrong and what to change."}
}


def binary_responses(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of a route that returns bytes of one of these media types, or an error."""
    schema = {"schema": {"type": "string", "format": "binary"}}
    return ERRORS | {200: {"content": {media_type: schema for media_type in media_types}}}


def _client_of_request(
    consort_client: Annotated[
        str | None, Header(alias=CLIENT_HEADER, description=f"Any id that you choose: {CLIENT_ID_SPELLING}.")
    ] = None,
) -> str | None:
    return check_client_id(consort_client)


ClientId = Annotated[str | None, Depends(_client_of_request)]
"""Annotate a tool's parameter with this to get the id of the calling client, or None if it sent none."""


class ToolRoute(APIRoute):
    """Read the body of a call as strict JSON, run the tool within the limits of the service, and report hidden text."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        is_heavy = bool((self.openapi_extra or {}).get("x-consort-tool", {}).get("heavy"))

        async def within_limits(request: Request) -> Response:
            limits: ServiceLimits = request.app.state.limits
            strict = StrictJsonRequest(request.scope, request.receive)
            with note_removals() as removals:
                response = await limits.run(partial(handle, strict), heavy=is_heavy)
            return with_removal_warning(response, removals, self.response_model)

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
    ticket: type[BaseModel] | None = None,
) -> Callable[[ToolFunction], ToolFunction]:
    """Make the route `POST /tools/{function name}` from a function with one ToolInput body.

    The docstring is the description that an assistant reads; its first sentence is also the tool's line in README.md.
    - `effect`: `read` changes nothing, `write` adds data or makes a change that can be undone, `destroy` deletes data
      permanently.
    - `heavy`: the call counts towards the limit of heavy calls that run at the same time (`service_limits`).
    - `errors`: the errors that the OpenAPI specification lists for this tool.
    - `media_types`: if given, the result is a picture or a sound of one of these types, not JSON.
    - `ticket`: what such a tool returns as JSON if its result is not ready in time.
    """

    def register(function: ToolFunction) -> ToolFunction:
        responses = binary_responses(*media_types) if media_types else dict(ERRORS)
        if ticket is not None:
            responses[200] = {**responses[200], "model": ticket}
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
            description=_unwrap(inspect.getdoc(function) or ""),
            response_model_exclude_none=True,
            responses=responses,
            openapi_extra={"x-consort-tool": {"toolset": toolset, "effect": effect, "heavy": heavy}},
            **options,
        )(function)
        return function

    return register


def expected_input(route: Any, id_tools: IdTools) -> Expected:
    """Return the input that a route's tool expects. For a route that is not a tool, only `id_tools` is set."""
    if not isinstance(route, ToolRoute):
        return Expected(id_tools=id_tools)
    model = get_type_hints(route.endpoint).get("body")
    has_model = isinstance(model, type) and issubclass(model, BaseModel)
    return Expected.of(model if has_model else None, route.description, id_tools)


def _unwrap(text: str) -> str:
    """Return a docstring with each paragraph on one line."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text)
