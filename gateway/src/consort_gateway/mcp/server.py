"""The MCP server, in the stateless and in the older protocol. It lists the tools and forwards calls."""

import difflib
import json
import logging
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from consort_gateway.mcp import results
from consort_gateway.mcp.client_sessions import client_of
from consort_gateway.mcp.instructions import instructions_for
from consort_gateway.mcp.reference_handlers import Context, ReferenceHandlers, protocol_error
from consort_gateway.prompts.prompts import Prompts
from consort_gateway.resources.studio_resources import StudioResources
from consort_gateway.service_calls import ServiceCalls
from consort_gateway.settings import GatewaySettings
from consort_gateway.tools.catalogue import ToolDefinition, load_catalogue
from consort_gateway.tools.tool_search import META_TOOLS, ToolSearch, check_known_arguments
from consort_kit import API_VERSION, logs
from consort_kit.errors import ConsortError, InvalidInput, NotFound
from consort_kit.ids import new_id

_log = logging.getLogger("consort")


def create_server(settings: GatewaySettings, services: ServiceCalls, client: str | None = None) -> Server[Any]:
    """Build the server. `client` is the id of its only client (stdio), or None if each request has its own (HTTP)."""
    catalogue = load_catalogue(settings.toolsets, settings.read_only)
    switched_off = {tool.name for tool in load_catalogue()} - {tool.name for tool in catalogue}
    gateway = _Gateway(catalogue, switched_off, services, client, searching=settings.tool_search)
    toolsets = {tool.toolset for tool in catalogue}
    resources = StudioResources(services, toolsets)
    reference = ReferenceHandlers(resources, Prompts({tool.name for tool in catalogue}, resources))
    return Server(
        "consort",
        version=API_VERSION,
        title="Consort",
        description="An AI music studio.",
        instructions=instructions_for(toolsets, searching=settings.tool_search, read_only=settings.read_only),
        get_tool_input_schema=gateway.input_schema,
        on_list_tools=gateway.list_tools,
        on_call_tool=gateway.call_tool,
        on_list_resources=reference.list_resources,
        on_list_resource_templates=reference.list_templates,
        on_read_resource=reference.read_resource,
        on_list_prompts=reference.list_prompts,
        on_get_prompt=reference.get_prompt,
        on_completion=reference.complete,
    )


class _Gateway:
    """The handlers of the MCP server. With `searching`, only the two tools of `tool_search` are listed."""

    def __init__(
        self,
        catalogue: list[ToolDefinition],
        switched_off: set[str],
        services: ServiceCalls,
        client: str | None,
        *,
        searching: bool,
    ) -> None:
        self._client = client
        self._switched_off = switched_off
        self._tools = {tool.name: tool for tool in catalogue}
        self._services = services
        self._search = ToolSearch(catalogue) if searching else None
        shown = META_TOOLS if searching else [tool.as_mcp() for tool in catalogue]
        self._list = types.ListToolsResult(tools=[types.Tool.model_validate(each) for each in shown])
        self._shown_schemas = {each["name"]: each["inputSchema"] for each in shown}

    def input_schema(self, name: str) -> dict[str, Any] | None:
        return self._shown_schemas.get(name)

    async def list_tools(self, _: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor:
            raise protocol_error(InvalidInput("The first page has all tools. Leave cursor out.", field="cursor"))
        return self._list

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        logs.begin_context(request_id=logs.request_id() or new_id("req"), tool=params.name)
        try:
            return await self._call(context, params.name, params.arguments or {})
        except ConsortError as error:
            return results.failure(error)
        except MCPError:
            raise
        except Exception:
            _log.exception("unexpected failure of tool %s", params.name)
            details = {"request_id": logs.request_id()}
            return results.failure(ConsortError("The gateway failed. Your input is not the cause.", details=details))

    async def _call(self, context: Context, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        if self._search is not None:
            if name == "search_tools":
                found = self._search.find(arguments)
                return results.success(json.dumps(found, separators=(",", ":"), ensure_ascii=False))
            if name == "call_tool":
                name, arguments = _inner_call(arguments)
        tool = self._tools.get(name)
        if tool is None:
            raise self._unknown(name)
        client = self._client or client_of(context.request)
        report = context.session.report_progress
        answer = await self._services.call(tool, arguments, report, client, results.MAX_TEXT_BYTES)
        return results.result_of(name, answer, await self._services.picture_beside(tool, answer))

    def _unknown(self, name: str) -> MCPError:
        if name in self._switched_off:
            why = "the studio is read-only, or this toolset was not chosen"
            return protocol_error(NotFound(f"{name} is switched off: {why}.", code="TOOL_SWITCHED_OFF"))
        near = difflib.get_close_matches(name[:80], self._tools, n=3, cutoff=0.4)
        hint = f"Did you mean {near[0]}?" if near else "tools/list shows all tools."
        return protocol_error(
            NotFound(f"There is no tool {name[:80]!r}. {hint}", code="UNKNOWN_TOOL", suggestions=near)
        )


def _inner_call(arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    check_known_arguments("call_tool", arguments)
    name, inner = arguments.get("name"), arguments.get("arguments", {})
    if not isinstance(name, str) or not isinstance(inner, dict):
        raise InvalidInput(
            'Give call_tool "name" (text) and "arguments" (object). Example: {"name": "list_midi", "arguments": {}}.',
            field="name",
            suggestions=['{"name": "list_midi", "arguments": {}}'],
        )
    return name, inner
