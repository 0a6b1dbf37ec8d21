"""The listen page of a project."""

import html
from functools import cache
from importlib.resources import files

from starlette.responses import Response

from consort_kit.http.web_page import web_page
from consort_strudel.pages.links import ListenPageLinks
from consort_strudel.projects.storage.rows import ProjectRow

PROGRAM_PATH = "/listen/programs/{name}"
SOUNDS_PATH = "/listen/sounds.json"
SONG_PATH = "/listen/{project_id}/song"
"""The newest version of a song is read and saved here."""
POLICY = {
    "script-src": "'self' 'unsafe-eval' blob: data:",
    "connect-src": "blob: data:",
    "worker-src": "blob:",
    "style-src-elem": "'unsafe-inline'",
    "style-src-attr": "'unsafe-inline'",
}
"""Scripts are compiled from text, audio worklets are loaded from `blob:` and `data:`, and the editor styles itself."""
_START = """
const program = document.createElement("script");
program.src = JSON.parse(document.getElementById("page-data").textContent).appUrl;
document.body.append(program);
"""


def listen_page(row: ProjectRow, links: ListenPageLinks) -> Response:
    song_path = SONG_PATH.format(project_id=row.id)
    data = {
        "version": row.version,
        "script": row.script,
        "appUrl": links.path(PROGRAM_PATH.format(name="listen.js")),
        "tuningsUrl": links.path(PROGRAM_PATH.format(name="tunings.js")),
        "soundsUrl": links.path(SOUNDS_PATH),
        "songUrl": links.path(song_path),
        "saveUrl": links.path(song_path, method="PUT"),
    }
    body = _static("listen.html").replace("{{title}}", html.escape(row.name)).replace("{{version}}", str(row.version))
    return web_page(f"{row.name} · Consort", body, data=data, style=_static("listen.css"), script=_START, policy=POLICY)


@cache
def _static(name: str) -> str:
    return files("consort_strudel.pages").joinpath("static", name).read_text(encoding="utf-8")
