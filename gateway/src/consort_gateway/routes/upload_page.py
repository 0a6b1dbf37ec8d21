"""The page that a browser shows for an upload link. It uploads one file to the same link."""

import html
from functools import cache
from importlib.resources import files

from starlette.responses import Response

from consort_kit.http.web_page import upload_script, web_page

_SERVICES_THAT_TAKE_PIECES = ("audio",)
"""Services whose upload links take a file in pieces, with the header Content-Range. The others take whole files."""
_STYLE = "progress, input { width: 100%; }\n"


def upload_page(service: str, query: dict[str, str]) -> Response:
    shown = f" as {html.escape(query['name'])}" if "name" in query else ""
    body = f"""<main class="narrow">
<p class="eyebrow">Consort</p>
<h1>Upload</h1>
<div class="card">
<div id="choose">
<p><label for="file">Choose the file to keep in your studio{shown}.</label></p>
<p class="row"><input type="file" id="file"></p>
</div>
<p><progress id="progress" max="1" value="0" aria-label="Upload" hidden></progress></p>
<p id="state" role="status"></p>
<p class="row"><button type="button" id="again" hidden>Continue the upload</button></p>
</div>
</main>"""
    data = {"inPieces": service in _SERVICES_THAT_TAKE_PIECES}
    return web_page("Upload to Consort", body, data=data, style=_STYLE, script=_script())


@cache
def _script() -> str:
    return upload_script() + files("consort_gateway.routes").joinpath("upload_page.js").read_text(encoding="utf-8")
