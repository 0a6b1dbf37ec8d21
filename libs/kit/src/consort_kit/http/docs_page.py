"""The OpenAPI page of a service. All its files are local, so it works without a network."""

import html
import json
import secrets
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse, HTMLResponse, Response

from consort_kit.errors import NotFound

ASSETS = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}


def docs_page(title: str, spec_url: str, assets_url: str, *, try_out: bool) -> Response:
    nonce = secrets.token_urlsafe(12)
    options = {
        "url": spec_url,
        "dom_id": "#page",
        "deepLinking": True,
        "validatorUrl": None,  # the default would send the specification to a server of Swagger
        "supportedSubmitMethods": ["get", "post", "put", "delete"] if try_out else [],
    }
    page = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{assets_url}/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="{assets_url}/swagger-ui-bundle.js"></script>
<script nonce="{nonce}">SwaggerUIBundle({json.dumps(options)})</script>
</body>
</html>"""
    policy = (
        f"default-src 'self'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; frame-ancestors 'none'"
    )
    return HTMLResponse(page, headers={"Content-Security-Policy": policy})


def docs_asset(name: str) -> Response:
    if name not in ASSETS:
        raise NotFound(f"There is no asset {name!r}. There are {', '.join(ASSETS)}.")
    return FileResponse(_assets_folder() / name, media_type=ASSETS[name], headers={"Cache-Control": "max-age=86400"})


@cache
def _assets_folder() -> Path:
    spec = find_spec("fastapi_offline")  # not imported: only its files are needed
    assert spec is not None and spec.origin is not None, "fastapi-offline is a dependency of consort-kit"
    return Path(spec.origin).parent / "static"


def add_docs(app: FastAPI) -> None:
    @app.get("/docs", include_in_schema=False)
    async def page() -> Response:
        return docs_page(app.title, "openapi.json", "docs/assets", try_out=True)

    @app.get("/docs/assets/{name}", include_in_schema=False)
    async def asset(name: str) -> Response:
        return docs_asset(name)
