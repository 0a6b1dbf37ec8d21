"""One page of a browser, with the render program, for one render.

Every request of the page is answered from here: the page itself, the program, and the sounds of the library. All other
requests fail. The browser context is new, so nothing of an earlier render is left.
"""

import asyncio
import base64
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from consort_strudel.engine.evaluation import BROKEN
from consort_strudel.rendering.browser import Browser, BrowserDied, BrowserRefused
from consort_strudel.sounds.library import SoundLibrary, media_type

ORIGIN = "http://localhost"
"""Audio worklets need an origin that counts as secure."""
_SOUNDS = "/sounds/"
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-eval' 'unsafe-inline' blob: data:; connect-src 'self' blob: data:; "
    "webrtc 'block'; base-uri 'none'; form-action 'none'"
)
"""`unsafe-eval`: scripts are compiled from text. `blob:` and `data:`: audio worklets."""
_PIECE_FRAMES = 1 << 20


class ScriptFailed(Exception):
    """The script or the engine raised an error."""


class RenderPage:
    def __init__(self, browser: Browser, session: str, context: str, files: "_PageFiles") -> None:
        """Use `open`."""
        self._browser = browser
        self._session = session
        self._context = context
        self._files = files
        self._loaded = asyncio.Event()
        self.crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Is finished when the page has run out of memory."""

    @classmethod
    async def open(cls, browser: Browser, programs: Mapping[str, Path], library: SoundLibrary) -> "RenderPage":
        """Open a page in a new browser context, with the render program started."""
        context = (await browser.ask("Target.createBrowserContext", {"disposeOnDetach": True}))["browserContextId"]
        made = await browser.ask("Target.createTarget", {"url": "about:blank", "browserContextId": context})
        attached = await browser.ask("Target.attachToTarget", {"targetId": made["targetId"], "flatten": True})
        page = cls(browser, attached["sessionId"], context, _PageFiles(programs, library))
        browser.listen(page._session, page._on_event)
        await page._ask("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        await page._ask("Page.enable")
        await page._ask("Page.navigate", {"url": f"{ORIGIN}/"})
        await page._loaded.wait()
        await page.call("boot", {"library": library.description(), "base": f"{ORIGIN}{_SOUNDS}"})
        return page

    async def call(self, method: str, argument: Mapping[str, Any]) -> Any:
        """Call the render program. Raise ScriptFailed with its error."""
        text = json.dumps(json.dumps(argument))
        answer = await self._ask(
            "Runtime.evaluate",
            {"expression": f"consortRender.{method}({text})", "awaitPromise": True, "returnByValue": True},
        )
        value = answer.get("result", {}).get("value")
        outcome = json.loads(value) if isinstance(value, str) and "exceptionDetails" not in answer else None
        if not isinstance(outcome, dict) or outcome.keys() not in ({"ok", "result"}, {"ok", "error"}):
            raise ScriptFailed(BROKEN)
        if "error" in outcome:
            raise ScriptFailed(str(outcome["error"]))
        return outcome["result"]

    def ping(self) -> asyncio.Future[Any]:
        """Ask for any answer. It comes when the page's code pauses."""
        answer = self._browser.send("Runtime.evaluate", {"expression": "0"}, self._session)
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # the page may be gone
        return answer

    async def samples(self, frames: int) -> bytes:
        """Return the sound: 16-bit samples, left and right in turn."""
        pieces = []
        for start in range(0, frames, _PIECE_FRAMES):
            text = await self.call("read", {"start": start, "count": min(_PIECE_FRAMES, frames - start)})
            pieces.append(base64.b64decode(text))
        return b"".join(pieces)

    async def add_program(self, name: str) -> None:
        """Load another script of the engine."""
        await self._ask(
            "Runtime.evaluate",
            {"expression": f"import({json.dumps(f'{ORIGIN}/{name}')})", "awaitPromise": True},
        )

    async def close(self) -> None:
        self._browser.forget(self._session)
        with suppress(BrowserDied, BrowserRefused):
            await self._browser.ask("Target.disposeBrowserContext", {"browserContextId": self._context})

    async def _ask(self, method: str, parameters: dict[str, Any] | None = None) -> Any:
        return await self._browser.ask(method, parameters, self._session)

    def _on_event(self, method: str, parameters: dict[str, Any]) -> None:
        if method == "Fetch.requestPaused":
            self._answer(parameters["requestId"], parameters["request"]["url"])
        elif method == "Page.loadEventFired":
            self._loaded.set()
        elif method == "Inspector.targetCrashed" and not self.crashed.done():
            self.crashed.set_result(None)

    def _answer(self, request_id: str, url: str) -> None:
        found = self._files.find(url)
        if found is None:
            sent = self._browser.send(
                "Fetch.failRequest", {"requestId": request_id, "errorReason": "BlockedByClient"}, self._session
            )
        else:
            content_type, body = found
            headers = {"Content-Type": content_type, "Content-Security-Policy": _POLICY}
            sent = self._browser.send(
                "Fetch.fulfillRequest",
                {
                    "requestId": request_id,
                    "responseCode": 200,
                    "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
                    "body": base64.b64encode(body).decode(),
                },
                self._session,
            )
        sent.add_done_callback(lambda done: done.exception())  # the page may be gone


class _PageFiles:
    """What the page may load."""

    def __init__(self, programs: Mapping[str, Path], library: SoundLibrary) -> None:
        self._programs = programs
        self._library = library

    def find(self, url: str) -> tuple[str, bytes] | None:
        """Return the media type and the bytes of what is at an address, or None."""
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" != ORIGIN:
            return None
        path = unquote(parts.path)
        if path == "/":
            page = (
                '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="/render.js"></script>'
            )
            return "text/html", page.encode()
        file = self._library.path(path.removeprefix(_SOUNDS)) if path.startswith(_SOUNDS) else None
        file = file or self._programs.get(path.removeprefix("/"))
        return None if file is None else (media_type(file), file.read_bytes())
