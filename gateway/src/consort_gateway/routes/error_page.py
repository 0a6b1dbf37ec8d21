"""The page that a browser shows when a link does not work. Programs get the error as JSON."""

import html

from fastapi import Request
from starlette.responses import Response, StreamingResponse

from consort_kit.errors import ErrorBody, ErrorResponse
from consort_kit.http.web_page import web_page

TITLES_AND_ADVICE = {
    "LINK_EXPIRED": (
        "This link has expired",
        "Links work for a limited time. Ask your assistant for a new link to the same thing.",
    ),
    "FORBIDDEN": ("This link is not valid", "Copy the whole link, or ask your assistant for a new one."),
    "ALREADY_RECORDED": (
        "This recording has already been made",
        "Your assistant has it. Ask your assistant for a new link to record again.",
    ),
    "NOT_FOUND": (
        "This no longer exists",
        "It was deleted, or it belongs to another studio. Ask your assistant what is stored.",
    ),
    "SERVICE_DOWN": (
        "The studio is not ready",
        "Wait a moment and load this page again. `consort status` says what is running.",
    ),
    "TIMEOUT": ("This takes a while", "Wait a minute and load this page again."),
}
"""For each error code: the title of the page, and what to do. Others get a general title and the error's message."""


def expects_page(request: Request) -> bool:
    """Return whether a browser opens this address as a page: not a script of a page, and not another program."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


def error_page(status: int, error: ErrorBody) -> Response:
    title, advice = TITLES_AND_ADVICE.get(error.code, ("This did not work", ""))
    details = f"{error.message} ({error.code})"
    if advice:
        text = f'<p>{html.escape(advice)}</p>\n<p class="hint">{html.escape(details)}</p>'
    else:
        text = f"<p>{html.escape(details)}</p>"
    body = f"""<main class="narrow">
<p class="eyebrow">Consort</p>
<h1>{html.escape(title)}</h1>
<div class="card">
{text}
</div>
</main>"""
    return web_page(f"{title} · Consort", body, status=status)


async def error_page_of(answer: Response) -> Response:
    """Return the page for a service's error, or the answer itself if it is not an error in JSON."""
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    if not isinstance(answer, StreamingResponse) or not is_json:
        return answer
    content = b"".join([bytes(part) async for part in answer.body_iterator if not isinstance(part, str)])
    return error_page(answer.status_code, ErrorResponse.model_validate_json(content).error)
