"""Assemble a page from the files in `static/`.

A page has a template (`player.html`: the contents of the body), scripts and styles. In the template `{{title}}` and
the names in `texts` stand for escaped text. The scripts are joined in the given order into one module, so a script
can use what earlier scripts declare. They read their data from the script element `page-data`.
"""

import html
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from starlette.responses import Response

from consort_kit.http.web_page import web_page

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def page(
    template: str,
    data: Mapping[str, Any],
    *,
    title: str,
    script: tuple[str, ...],
    style: tuple[str, ...] = (),
    texts: Mapping[str, str] | None = None,
    policy: Mapping[str, str] | None = None,
    shared_script: str = "",
) -> Response:
    """Return a page. `data` is JSON for the scripts, `policy` adds sources to the content security policy.

    `shared_script` is the text of a script that stands before the others.

    Example: page("player.html", {...}, title="Scale", script=("waveform.js", "player.js"), style=("player.css",))
    """
    shown = {"title": title, **(texts or {})}
    body = _PLACE.sub(lambda place: html.escape(shown[place[1]]), static_text(template))
    return web_page(
        f"{title} · Consort",
        body,
        data=data,
        script=shared_script + "".join(map(static_text, script)),
        style="".join(map(static_text, style)),
        policy=policy,
    )


def same_origin(url: str) -> str:
    """Return the path and query of a link, so that a page works at whichever address the studio was opened."""
    parts = urlsplit(url)
    return urlunsplit(("", "", parts.path, parts.query, ""))


@cache
def static_text(name: str) -> str:
    """Return the text of a file in `static/`."""
    return files("consort_audio.pages").joinpath("static", name).read_text(encoding="utf-8")
