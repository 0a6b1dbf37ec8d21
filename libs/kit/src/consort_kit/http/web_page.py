"""Pages for a browser: one self-contained HTML document with the studio's look and a strict content policy.

A page contains its style, scripts and data, so it makes no request except to the studio itself. Scripts and styles run
only with the nonce of their page. Text from users goes through `html.escape` or into the data, never into a script.
"""

import html
import json
import secrets
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.responses import HTMLResponse

DATA_ID = "page-data"
"""The id of the script element with the page's data as JSON."""

ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http:%2F%2Fwww.w3.org%2F2000%2Fsvg' viewBox='0 0 32 32'%3E"
    "%3Crect width='32' height='32' rx='7' fill='%230072B2'/%3E"
    "%3Cpath d='M7 13v6M13 8v16M19 11v10M25 14v4' stroke='white' stroke-width='3' stroke-linecap='round'/%3E%3C/svg%3E"
)

_POLICY = {
    "default-src": "'none'",
    "img-src": "data:",
    "connect-src": "'self'",
    "media-src": "'self' blob:",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}


def web_page(
    title: str,
    body: str,
    *,
    data: Mapping[str, Any] | None = None,
    style: str = "",
    script: str = "",
    policy: Mapping[str, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    """Return a page. `body` is HTML, `script` runs after it, and `policy` adds sources to the content policy.

    Example of a policy: {"worker-src": "blob:"}.
    """
    nonce = secrets.token_urlsafe(12)
    scripts = ""
    if data is not None:
        scripts += f'<script type="application/json" id="{DATA_ID}">{script_json(data)}</script>\n'
    if script:
        scripts += f'<script type="module" nonce="{nonce}">\n{script}</script>\n'
    page = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(title)}</title>
<link rel="icon" href="{ICON}">
<style nonce="{nonce}">
{_studio_style()}{style}</style>
</head>
<body>
{body}
{scripts}</body>
</html>"""
    headers = {
        "Content-Security-Policy": _content_policy(nonce, policy or {}),
        "Referrer-Policy": "no-referrer",
        "Cache-Control": "no-store",  # the page contains links that expire
    }
    return HTMLResponse(page, status, headers)


def script_json(data: Mapping[str, Any]) -> str:
    """Return JSON that can stand inside a script element: no text in it can end the element or begin a comment."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _content_policy(nonce: str, more: Mapping[str, str]) -> str:
    sources = _POLICY | dict.fromkeys(("script-src", "style-src"), f"'nonce-{nonce}'")
    for directive, added in more.items():
        sources[directive] = f"{sources.get(directive, '')} {added}".strip()
    return "; ".join(f"{directive} {value}" for directive, value in sources.items())


@cache
def upload_script() -> str:
    """Return the script with `uploadInPieces`, which stands before the scripts of a page that uploads files."""
    return files("consort_kit.http").joinpath("upload_in_pieces.js").read_text(encoding="utf-8")


@cache
def _studio_style() -> str:
    return files("consort_kit.http").joinpath("web_page.css").read_text(encoding="utf-8")
