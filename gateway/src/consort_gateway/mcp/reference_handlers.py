"""The handlers of resources, prompts and completion. Errors become JSON-RPC errors with our error in their `data`."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError

from consort_gateway.prompts.prompts import Prompts
from consort_gateway.resources.studio_resources import StudioResources
from consort_kit import logs
from consort_kit.errors import ConsortError, InvalidInput, NotFound, TooLarge
from consort_kit.ids import new_id

_log = logging.getLogger("consort")

Context = ServerRequestContext[Any, Any]
Handled = TypeVar("Handled")


class ReferenceHandlers:
    def __init__(self, resources: StudioResources, prompts: Prompts) -> None:
        self._resources = resources
        self._prompts = prompts

    async def list_resources(self, context: Context, params: Any) -> types.ListResourcesResult:
        cursor = params.cursor if params is not None else None
        return await _guarded(lambda: self._resources.page(cursor, context.session.report_progress))

    async def list_templates(self, _: Context, params: Any) -> types.ListResourceTemplatesResult:
        _check_first_page(params, "templates")
        return self._resources.templates()

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        return await _guarded(lambda: self._resources.read(uri, context.session.report_progress), uri=uri)

    async def list_prompts(self, _: Context, params: Any) -> types.ListPromptsResult:
        _check_first_page(params, "prompts")
        return self._prompts.list()

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        async def write() -> types.GetPromptResult:
            return self._prompts.write(params.name, params.arguments or {})

        return await _guarded(write)

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        report, argument = context.session.report_progress, params.argument

        async def values() -> types.Completion:
            if isinstance(params.ref, types.PromptReference):
                return await self._prompts.complete(params.ref.name, argument.name, argument.value, report)
            return await self._resources.complete(params.ref.uri, argument.name, argument.value, report)

        return types.CompleteResult(completion=await _guarded(values))


def protocol_error(error: ConsortError, code: int = types.INVALID_PARAMS, **more: Any) -> MCPError:
    """Return a JSON-RPC error with our error in its `data`."""
    return MCPError(code, error.body.message, {**more, **error.response().model_dump(mode="json")})


def _check_first_page(params: types.PaginatedRequestParams | None, what: str) -> None:
    if params is not None and params.cursor:
        raise protocol_error(InvalidInput(f"The first page has all {what}. Leave cursor out.", field="cursor"))


async def _guarded(work: Callable[[], Awaitable[Handled]], **more: Any) -> Handled:
    """Run `work`. What the caller can correct is reported as wrong parameters, anything else as an internal error."""
    logs.begin_context(request_id=logs.request_id() or new_id("req"))
    try:
        return await work()
    except (NotFound, InvalidInput, TooLarge) as error:
        raise protocol_error(error, **more) from error
    except ConsortError as error:
        raise protocol_error(error, types.INTERNAL_ERROR, **more) from error
    except Exception as error:
        _log.exception("unexpected failure of a resource or prompt")
        hidden = ConsortError(
            "The gateway failed. Your input is not the cause.", details={"request_id": logs.request_id()}
        )
        raise protocol_error(hidden, types.INTERNAL_ERROR, **more) from error
