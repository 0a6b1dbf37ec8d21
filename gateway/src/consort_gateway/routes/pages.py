"""The HTML pages of the gateway: the welcome page, the list of tools, and the page of an upload link."""

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


_UPLOAD = """
const state = document.getElementById("state");
document.getElementById("file").onchange = async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  state.textContent = "Uploading …";
  try {
    const answer = await fetch(location.href, { method: "PUT", body: file });
    const result = await answer.json();
    state.textContent = answer.ok ? "Stored. You can close this page." : result.error.message;
  } catch (error) {
    state.textContent = "The studio could not be reached. Is it running?";
  }
};
"""


def upload_page(query: dict[str, str]) -> Response:
    """Return the page that a browser shows for an upload link. It uploads one file to the same link."""
    name = html.escape(query.get("name", "a file"))
    body = f"""<main class="narrow">
<p class="eyebrow">Consort</p>
<h1>Upload</h1>
<div class="card">
<p><label for="file">Choose the file to keep in your studio as {name}.</label></p>
<p class="row"><input type="file" id="file"></p>
<p id="state" role="status"></p>
</div>
</main>"""
    return web_page("Upload to Consort", body, script=_UPLOAD)
