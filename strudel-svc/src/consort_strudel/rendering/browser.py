"""A Chromium that runs, and the protocol that is spoken with it: the Chrome DevTools Protocol over a pipe.

A message is JSON and ends with a zero byte. Requests have a number; events have none. A pipe, unlike a port, can be
used by nobody else, and works without a network.
"""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from consort_strudel.rendering import start_browser
from consort_strudel.rendering.process_tree import TreeUse, tree_use

ARGUMENTS = (
    "--headless",
    "--no-sandbox",  # its own namespaces do not work inside ours, nor in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--no-first-run",
    "--no-default-browser-check",
    "--mute-audio",
    "--autoplay-policy=no-user-gesture-required",
    "--proxy-server=127.0.0.1:9",  # where there is no namespace for the network: a proxy that does not exist
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--js-flags=--max-old-space-size=512",
    "--remote-debugging-pipe",
)
_KEPT_VARIABLES = ("PATH", "LANG", "TZ", "FONTCONFIG_PATH")
_FIRST_FREE = 5
_MOST_BYTES = 512 * 2**20

OnEvent = Callable[[str, dict[str, Any]], None]
"""Is called with the method and the parameters of an event."""


class BrowserDied(Exception):
    """Chromium ended, or could not be started."""


class BrowserRefused(Exception):
    """Chromium answered a request with an error."""


class Browser:
    def __init__(
        self, process: asyncio.subprocess.Process, profile: str, requests: asyncio.WriteTransport, answers: int
    ) -> None:
        """Use `start`. `answers` is a descriptor to read from."""
        self._process = process
        self._profile = profile
        self._requests = requests
        self._answers = answers
        self._number = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._listeners: dict[str, OnEvent] = {}
        self._buffer = bytearray()
        asyncio.get_running_loop().add_reader(answers, self._read)
        self._is_open = True

    @classmethod
    async def start(cls, program: Path) -> "Browser":
        """Start Chromium. Raise BrowserDied if that fails."""
        theirs_in, ours_out = _high_pipe()
        ours_in, theirs_out = _high_pipe()
        os.set_blocking(ours_in, False)
        profile = tempfile.mkdtemp(prefix="consort-browser-")
        command = [sys.executable, "-I", start_browser.__file__, str(theirs_in), str(theirs_out), str(program)]
        environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                *ARGUMENTS,
                f"--user-data-dir={profile}",
                "about:blank",
                pass_fds=(theirs_in, theirs_out),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env={**environment, "HOME": profile},
                start_new_session=True,
            )
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        writing = await asyncio.get_running_loop().connect_write_pipe(asyncio.Protocol, os.fdopen(ours_out, "wb"))
        browser = cls(process, profile, writing[0], ours_in)
        try:
            async with asyncio.timeout(60):
                await browser.ask("Browser.getVersion")
        except (TimeoutError, BrowserDied) as error:
            await browser.end()
            raise BrowserDied("Chromium did not start.") from error
        return browser

    @property
    def is_alive(self) -> bool:
        return self._is_open and self._process.returncode is None

    def use(self) -> TreeUse:
        """Return the CPU time and memory of all its processes."""
        return tree_use(self._process.pid)

    def listen(self, session: str, listener: OnEvent) -> None:
        """Call the listener for every event of a session."""
        self._listeners[session] = listener

    def forget(self, session: str) -> None:
        self._listeners.pop(session, None)

    async def ask(self, method: str, parameters: dict[str, Any] | None = None, session: str | None = None) -> Any:
        """Send a request and return its result. Raise BrowserRefused or BrowserDied."""
        return await self.send(method, parameters, session)

    def send(
        self, method: str, parameters: dict[str, Any] | None = None, session: str | None = None
    ) -> asyncio.Future[Any]:
        """Send a request and return a future of its result."""
        self._number += 1
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        self._waiting[self._number] = answer
        if self._is_open:
            self._requests.write(json.dumps(message).encode() + b"\0")
        else:
            self._waiting.pop(self._number)
            answer.set_exception(BrowserDied("Chromium has ended."))
        return answer

    async def end(self) -> None:
        """Kill all its processes and remove its profile."""
        self._close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        await asyncio.to_thread(shutil.rmtree, self._profile, ignore_errors=True)

    def _read(self) -> None:
        try:
            data = os.read(self._answers, 1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data or len(self._buffer) > _MOST_BYTES:
            self._close()
            return
        self._buffer += data
        if b"\0" not in data:
            return
        *complete, self._buffer = self._buffer.split(b"\0")
        for message in complete:
            self._take(json.loads(message))

    def _take(self, message: dict[str, Any]) -> None:
        if "id" not in message:
            listener = self._listeners.get(message.get("sessionId", ""))
            if listener is not None:
                listener(message["method"], message.get("params", {}))
            return
        answer = self._waiting.pop(message["id"], None)
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(BrowserRefused(str(message["error"].get("message"))))
        else:
            answer.set_result(message.get("result"))

    def _close(self) -> None:
        if not self._is_open:
            return
        self._is_open = False
        asyncio.get_running_loop().remove_reader(self._answers)
        os.close(self._answers)
        self._requests.abort()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(BrowserDied("Chromium has ended."))
                answer.exception()  # somebody may have stopped waiting for it
        self._waiting.clear()


def _high_pipe() -> tuple[int, int]:
    """Return a pipe whose descriptors are not 3 or 4, because those are replaced in the new process."""
    low: list[int] = []
    ends = []
    for end in os.pipe():
        while end < _FIRST_FREE:
            low.append(end)
            end = os.dup(end)
        ends.append(end)
    for end in low:
        os.close(end)
    return ends[0], ends[1]
