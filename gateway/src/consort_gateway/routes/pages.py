"""The HTML pages of the gateway: the welcome page, and the list of tools."""

import html

from fastapi import APIRouter
from starlette.responses import Response

from consort_gateway.tools.catalogue import ToolDefinition, load_catalogue
from consort_kit.http.web_page import web_page
from consort_kit.services import SERVICES

router = APIRouter(include_in_schema=False)


@router.get("/")
async def welcome() -> Response:
    services = "".join(f'<li><a href="services/{name}/docs">{name}</a></li>' for name in SERVICES)
    return _page(
        "Consort",
        f"""<h1>Consort runs</h1>
<p>It is made for assistants: MCP is at <code>/mcp</code>, and <code>consort install</code> registers it.</p>
<p><a href="docs">All tools</a>, and what each service offers:</p>
<ul>{services}</ul>""",
    )


@router.get("/docs")
async def tools() -> Response:
    """List all tools by toolset, each with a link to its parameters on the page of its service."""
    by_toolset: dict[str, list[ToolDefinition]] = {}
    for tool in load_catalogue():
        by_toolset.setdefault(tool.toolset, []).append(tool)
    sections = "".join(
        f"<h2>{html.escape(toolset)}</h2><dl>{''.join(map(_described, tools))}</dl>"
        for toolset, tools in by_toolset.items()
    )
    return _page("Consort's tools", f"<h1>Consort's tools</h1>{sections}")


def _described(tool: ToolDefinition) -> str:
    link = f"services/{tool.service}/docs#/{tool.toolset}/{tool.name}"
    return f'<dt><a href="{link}">{tool.name}</a></dt><dd>{html.escape(tool.description)}</dd>'


def _page(title: str, body: str) -> Response:
    return web_page(title, f"<main>\n{body}\n</main>")
