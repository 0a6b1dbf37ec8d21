"""Drive the system's Chromium in tests of the browser pages.

A test opens a page with `Chromium.open_page`. When the page is closed, the rig fails the test if a request left this
machine, if the console shows an error, or if a script raised one. `check_accessibility` runs axe-core.

Playwright's synchronous API keeps an event loop running in this thread, so `asyncio.run` fails while it is alive.
The fixtures in `tests/pages/conftest.py` therefore end with each test file.
"""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, Request, expect

from consort_strudel.rendering.browser_program import find_browser

QUIET = (
    "--no-sandbox",  # Chromium does not start as root otherwise
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-first-run",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--autoplay-policy=no-user-gesture-required",
)
"""Options that every browser gets. Names of other machines are not resolved."""

PATIENCE_S = 60.0
"""How long to wait for something on a page. Far more than needed, because test machines stall."""
expect.set_options(timeout=PATIENCE_S * 1000)

LOCAL_HOSTS = ("127.0.0.1", "localhost")
DESKTOP = (1100, 900)
PHONE = (360, 740)


class Chromium:
    """A headless Chromium. Use it in a `with` statement.

    With a `microphone` file (wav), pages that ask for the microphone hear this file once, then silence. A headless
    browser has nobody to ask whether a page may hear it, so all pages may, or none if it `denies_microphone`.
    """

    def __init__(
        self, playwright: Playwright, *, microphone: Path | None = None, denies_microphone: bool = False
    ) -> None:
        self._playwright = playwright
        self._flags = [*QUIET, f"--use-fake-ui-for-media-stream{'=deny' if denies_microphone else ''}"]
        if microphone is not None or denies_microphone:
            self._flags.append("--use-fake-device-for-media-stream")
        if microphone is not None:
            self._flags.append(f"--use-file-for-fake-audio-capture={microphone}%noloop")

    def __enter__(self) -> Self:
        self._browser: Browser = self._playwright.chromium.launch(
            executable_path=find_browser(), args=self._flags, timeout=PATIENCE_S * 1000
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.close()

    @contextmanager
    def open_page(
        self,
        url: str | None = None,
        *,
        size: tuple[int, int] = DESKTOP,
        dark: bool = False,
        touch: bool = False,
        pixels_per_point: float = 1,
        expected_errors: Sequence[str] = (),
    ) -> Iterator[Page]:
        """Open a page in a new context, and check it when the block ends without an exception.

        `expected_errors` are regular expressions for errors on the console that the test provokes. With `touch` the
        page is on a phone: no mouse, no keyboard.
        """
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            device_scale_factor=pixels_per_point,
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            is_mobile=touch,
            accept_downloads=True,
        )
        context.set_default_timeout(PATIENCE_S * 1000)
        watch = PageWatch(context, expected_errors)
        try:
            page = context.new_page()
            if url is not None:
                page.goto(url)
            yield page
            watch.check()
        finally:
            context.close()


class PageWatch:
    """The requests and errors of all pages of a browser context."""

    def __init__(self, context: BrowserContext, expected_errors: Sequence[str] = ()) -> None:
        self._expected_errors = [re.compile(each) for each in expected_errors]
        self.requests: list[str] = []
        self.errors: list[str] = []
        context.on("request", self._note_request)
        context.on("console", self._note_console)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))

    def check(self) -> None:
        """Fail if a request left this machine, or if an unexpected error was reported."""
        away = [url for url in self.requests if urlsplit(url).scheme in ("http", "https", "ws", "wss")]
        away = [url for url in away if urlsplit(url).hostname not in LOCAL_HOSTS]
        assert not away, f"requests that left this machine: {away}"
        unexpected = [text for text in self.errors if not any(each.search(text) for each in self._expected_errors)]
        assert not unexpected, f"errors on the page: {unexpected}"

    def _note_request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")


def wait_until(page: Page, expression: str, argument: Any = None, patience_s: float = PATIENCE_S) -> Any:
    """Evaluate JavaScript until it returns something true, and return that.

    Playwright's `wait_for_function` cannot be used: it needs `eval`, which the pages forbid.
    """
    deadline = time.monotonic() + patience_s
    while True:
        value = page.evaluate(expression, argument)
        if value:
            return value
        assert time.monotonic() < deadline, f"still not true after {patience_s:g} s: {expression}"
        page.wait_for_timeout(50)


def check_accessibility(page: Page) -> None:
    """Fail if axe-core finds a serious or critical violation on the page as it is now."""
    violations = Axe().run(page).response["violations"]
    grave = [
        f"{each['id']}: {each['help']}: {[node['html'] for node in each['nodes']]}"
        for each in violations
        if each["impact"] in ("serious", "critical")
    ]
    assert not grave, grave


def overflowing_width(page: Page) -> int:
    """Return by how many pixels the page is wider than its window (0: it need not be scrolled sideways)."""
    wider: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider
