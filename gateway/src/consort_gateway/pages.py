"""What a browser may open: signed links to bytes in the services, uploads by link, each service's OpenAPI page.

And one route for the playback agent on the host of a studio in containers.
"""

import html
import secrets
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import httpx2
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse

from consort_gateway.catalogue import ToolDefinition, load_catalogue, load_spec
from consort_gateway.upstream import Upstream
from consort_kit.client import is_music_route
from consort_kit.docs import docs_asset, docs_page
from consort_kit.errors import Forbidden, NotFound
from consort_kit.links import Links
from consort_kit.services import SERVICES

_PASSED_ON = ("range", "if-none-match", "content-type")
_PASSED_BACK = (
    "content-type",
    "content-length",
    "content-disposition",
    "content-range",
    "accept-ranges",
    "etag",
    "cache-control",
)

router = APIRouter(include_in_schema=False)


@router.api_route("/links/{service}/{path:path}", methods=["GET", "PUT"])
async def follow_link(request: Request, service: str, path: str) -> Response:
    """Pass a request on to a service, if the link is one of ours and still good."""
    links: Links = request.app.state.links
    upstream: Upstream = request.app.state.upstream
    if service not in SERVICES:
        raise NotFound(f"There is no service {service!r}.")
    method, query = links.check(service, f"/{path}", request.query_params.multi_items())
    if request.method != method:
        if method == "PUT":
            return _upload_page(query)
        raise Forbidden(f"This link is for {method}, not for {request.method}.")
    return await _pass_on(upstream, request, service, path, query)


@router.get("/inside/{service}/{path:path}")
async def fetch_inside(request: Request, service: str, path: str) -> Response:
    """Music, for a playback agent on the host, which reaches the services in containers only by this door.

    It has the token, as this route wants; nothing but music and health is handed out.
    """
    if service not in SERVICES or not (path == "health" or is_music_route(service, f"/{path}")):
        raise NotFound(
            "There is no music at this path. Example: /inside/midi-store/files/ID.",
            suggestions=["/inside/midi-store/files/ID"],
        )
    return await _pass_on(request.app.state.upstream, request, service, path, {})


async def _pass_on(upstream: Upstream, request: Request, service: str, path: str, query: dict[str, str]) -> Response:
    answer = await upstream.client.request(
        service,
        request.method,
        f"/{quote(path)}",
        stream=True,
        params=query,
        content=_body(request) if request.method == "PUT" else None,
        headers={name: request.headers[name] for name in _PASSED_ON if name in request.headers},
    )
    headers = {name: answer.headers[name] for name in _PASSED_BACK if name in answer.headers}
    return StreamingResponse(_raw(answer), answer.status_code, headers)


async def _body(request: Request) -> AsyncIterator[bytes]:
    async for part in request.stream():
        yield part


async def _raw(answer: httpx2.Response) -> AsyncIterator[bytes]:
    try:
        async for part in answer.aiter_raw():
            yield part
    finally:  # also when the browser has gone
        await answer.aclose()


@router.get("/")
async def welcome() -> Response:
    """For whoever opens the gateway's address in a browser."""
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
    """What an assistant can do here, tool by tool; each service has a page with parameters and answers."""
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
    page = f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{html.escape(title)}</title><link rel="icon" href="data:,"></head>
<body>
{body}
</body>
</html>"""
    return HTMLResponse(page, headers={"Content-Security-Policy": "default-src 'none'; img-src data:"})


@router.get("/services/{service}/openapi.json")
async def spec(service: str) -> Response:
    return JSONResponse(_spec_of(service))


@router.get("/services/{service}/docs")
async def docs(service: str) -> Response:
    return docs_page(_spec_of(service)["info"]["title"], "openapi.json", "assets", try_out=False)


@router.get("/services/{service}/assets/{name}")
async def assets(service: str, name: str) -> Response:
    return docs_asset(name)


def _spec_of(service: str) -> dict[str, Any]:
    if service not in SERVICES:
        raise NotFound(f"There is no service {service!r}. There are {', '.join(SERVICES)}.", suggestions=list(SERVICES))
    return load_spec(service)


def _upload_page(query: dict[str, str]) -> Response:
    """A page that uploads one file to the address it is at."""
    nonce = secrets.token_urlsafe(12)
    name = html.escape(query.get("name", "a file"))
    page = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Upload to Consort</title>
<link rel="icon" href="data:,">
<style nonce="{nonce}">
body {{ font: 18px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 12vh auto; padding: 0 1rem; color: #222 }}
input, output {{ display: block; font: inherit; margin: 1.5rem 0 }}
</style>
</head>
<body>
<h1>Upload</h1>
<p>Choose the file to keep in your studio as <b>{name}</b>.</p>
<input type="file" id="file">
<output id="state" role="status"></output>
<script nonce="{nonce}">
const state = document.getElementById("state");
document.getElementById("file").onchange = async (event) => {{
  const file = event.target.files[0];
  if (!file) return;
  state.textContent = "Uploading …";
  try {{
    const answer = await fetch(location.href, {{ method: "PUT", body: file }});
    const result = await answer.json();
    state.textContent = answer.ok ? "Stored. You can close this page." : result.error.message;
  }} catch (error) {{
    state.textContent = "The studio could not be reached. Is it running?";
  }}
}};
</script>
</body>
</html>"""
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; "
        "img-src data:; frame-ancestors 'none'"
    )
    return HTMLResponse(page, headers={"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"})
