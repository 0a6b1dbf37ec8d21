"""Replace an answer that is too large for an MCP client by a link and a short summary.

Some clients cut or reject results above about 1 MB. The gateway says in a header how large the answer of a tool may be.
If it is larger, the service stores it for a day in `cache/answers` of the data folder and sends instead its beginning,
with long lists and texts cut, and a signed link to the whole answer. Callers of the HTTP API send no such header.
"""

import asyncio
import json
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from fastapi import Path as PathField
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import FileResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from consort_kit.errors import NotFound, TooLarge
from consort_kit.http.signed_links import Links
from consort_kit.ids import id_pattern, new_id
from consort_kit.settings import Settings
from consort_kit.tools.answer_headers import ANSWER_LIMIT_HEADER
from consort_kit.tools.answer_summary import summary_of

KEPT_S = 24 * 3600
_MOST_FILES = 100
_ID = id_pattern("answer")
_SUFFIXES = {"application/json": ".json", "text/plain": ".txt"}


def size_in_mcp(body: bytes) -> int:
    """Return the size of a text inside an MCP message, where quotes, backslashes and line breaks are escaped."""
    return len(body) + sum(map(body.count, (b'"', b"\\", b"\n")))


class AnswerFolder:
    """The stored answers of all services that share a data folder."""

    def __init__(self, settings: Settings) -> None:
        self._shared = settings.data / "cache" / "answers"
        self._temporary: Path | None = None  # made when the data folder turns out to be read-only

    def find(self, answer_id: str) -> Path:
        """Return the file of an answer. Raise NotFound if it was removed."""
        for folder in filter(None, (self._shared, self._temporary)):
            for path in folder.glob(f"{answer_id}.*"):
                if time.time() - path.stat().st_mtime < KEPT_S:
                    return path
        raise NotFound("This answer was kept for a day and has been removed. Call the tool again.")

    def store(self, body: bytes, suffix: str) -> str:
        """Store an answer and return its id. Remove old answers. Raise OSError if it cannot be written anywhere."""
        name = new_id("answer")
        try:
            self._shared.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write(self._shared, name + suffix, body)
        except OSError:  # for example a container with a read-only volume
            self._temporary = self._temporary or Path(tempfile.mkdtemp(prefix="consort-answers-"))
            _write(self._temporary, name + suffix, body)
        return name


def _write(folder: Path, name: str, content: bytes) -> None:
    _remove_old(folder)
    with open(os.open(folder / name, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
        file.write(content)


def _remove_old(folder: Path) -> None:
    files = sorted(((path.stat().st_mtime, path) for path in folder.iterdir()), reverse=True)
    for index, (made, path) in enumerate(files):
        if index >= _MOST_FILES - 1 or time.time() - made >= KEPT_S:
            with suppress(FileNotFoundError):
                path.unlink()


class LargeAnswers:
    """Middleware that replaces large answers of tools if the caller asks for it."""

    def __init__(self, app: ASGIApp, *, service: str, folder: AnswerFolder, links: Links) -> None:
        self._app = app
        self._service = service
        self._folder = folder
        self._links = links

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit = Headers(scope=scope).get(ANSWER_LIMIT_HEADER, "") if scope["type"] == "http" else ""
        if not limit.isdecimal() or not scope["path"].startswith("/tools/"):
            await self._app(scope, receive, send)
            return
        start: Message | None = None
        body = b""

        async def send_replaced(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and _can_be_replaced(message):
                start = message
            elif start is None:
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    content = body
                    if size_in_mcp(body) > int(limit):
                        content = await asyncio.to_thread(self._replacement, body, start)
                    MutableHeaders(scope=start)["content-length"] = str(len(content))
                    await send(start)
                    await send({"type": "http.response.body", "body": content})

        await self._app(scope, receive, send_replaced)

    def _replacement(self, body: bytes, start: Message) -> bytes:
        """Store the answer, and return a JSON text in its place."""
        headers = MutableHeaders(scope=start)
        media_type = _media_type(headers)
        try:
            answer_id = self._folder.store(body, _SUFFIXES.get(media_type, ".txt"))
        except OSError:
            start["status"] = TooLarge.status
            headers["content-type"] = "application/json"
            error = TooLarge(f"The answer has {len(body):,} bytes, which is too much for one message. Ask for less.")
            return error.response().model_dump_json().encode()
        link = self._links.make(self._service, f"/answers/{answer_id}", lifetime_s=KEPT_S)
        answer: dict[str, Any] = {
            "too_large": f"The answer has {len(body):,} bytes, which is too much for one message. The link has all of "
            "it. Here long lists and texts are cut. Ask for less to get everything here.",
            "download_url": link.url,
            "expires_at": link.expires_at.isoformat(),
            "summary": summary_of(json.loads(body) if media_type == "application/json" else body.decode()),
        }
        headers["content-type"] = "application/json"
        return json.dumps(answer, ensure_ascii=False).encode()


def answer_routes(folder: AnswerFolder) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/answers/{answer_id}")
    async def download_answer(answer_id: str = PathField(pattern=_ID)) -> FileResponse:
        """Send an answer that was too large for an MCP client."""
        path = folder.find(answer_id)
        return FileResponse(path, filename=path.name)

    return router


def _media_type(headers: Headers) -> str:
    return headers.get("content-type", "").partition(";")[0]


def _can_be_replaced(start: Message) -> bool:
    media_type = _media_type(Headers(raw=start["headers"]))
    return bool(start["status"] == 200 and (media_type == "application/json" or media_type.startswith("text/")))
