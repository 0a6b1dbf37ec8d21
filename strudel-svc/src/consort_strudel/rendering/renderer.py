"""Render scripts with limits on time and memory, one after the other, in a browser that stays."""

import asyncio
import contextlib
import math
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from consort_strudel.engine.evaluation import BROKEN
from consort_strudel.rendering.browser import Browser, BrowserDied, BrowserRefused
from consort_strudel.rendering.browser_program import find_browser
from consort_strudel.rendering.render_page import RenderPage, ScriptFailed
from consort_strudel.sounds.library import SoundLibrary

SAMPLE_RATE = 44_100
CHANNELS = 2
SCRIPT_CPU_S = 1.2
SCRIPT_CPU_PER_CYCLE = 0.01
"""CPU time within which a script must return its pattern and its events: a fixed part, and this for each cycle. With
starting a browser and answering, an endless loop is reported within 3 s."""
SCRIPT_WALL_S = 20.0
_PAUSE_CPU_PER_SECOND = 0.01
_PAUSE_CPU_PER_EVENT, _MOST_PAUSE_EVENTS = 0.001, 2000
"""CPU time that the page may take without an answer while it makes the sound, beyond SCRIPT_CPU_S, for each second and
event: it starts many sounds at once, and looks for the peak at the end."""
MEMORY_MB = 1500
"""Memory that a render may take, beyond what the browser has before it."""
MOST_EVENTS = 40_000
LONGEST_S = 600.0
_RENDER_CPU_S = 20.0
_RENDER_CPU_PER_SECOND = 4.0
"""CPU time that making the sound may take: a fixed part, and this for each second of sound."""
_TUNINGS = "tunings.js"
_USES_TUNINGS = re.compile(r"\b(xen|tune|tuning|withBase|ftrans|fadd|edo)\b")
"""Scripts that need the tables of tunings, which are loaded only for them, because they are large. The engine has the
same expression (`src/common/tunings.mjs`)."""
_ENDLESS = "The script does not come to an end: it may have an endless loop."
_TOO_SLOW = "The sound takes too long to compute. Render fewer cycles or voices."
_WATCH_S = 0.1
_PROGRESS_S = 0.5
_IDLE_S = 600.0
"""A browser that was not used for this many seconds is ended."""
_OPEN_S = 60.0

ReportFraction = Callable[[float], Awaitable[None]]
"""Called with the share of the sound that is rendered, from 0 to 1."""


@dataclass(frozen=True)
class VoiceSpan:
    """The place of a voice in a script, in characters."""

    id: str
    start: int
    end: int


@dataclass(frozen=True)
class RenderRequest:
    code: str
    begin: float = 0
    """The first cycle."""
    cycles: float = 8
    tail: float = 2
    """Seconds of sound after the last cycle."""
    seed: int = 1
    voice: str | None = None
    """Only this voice."""
    ranges: Sequence[VoiceSpan] = ()
    """The voices of the script. Default: its labels."""


@dataclass(frozen=True)
class VoiceLevel:
    name: str
    events: int
    peak: float
    is_wet_only: bool
    """Whether it may be heard only through its effects, so that its peak says nothing."""


@dataclass(frozen=True)
class ScriptSound:
    samples: bytes
    """16 bits, left and right in turn."""
    frames: int
    cps: float
    events: int
    peak: float
    """The highest sample before the sound was turned down; 1 is full scale."""
    gain: float
    """1, or less if the sound was turned down so that it does not clip."""
    voices: tuple[VoiceLevel, ...]
    sounds: dict[str, int]
    """How many events use each sound."""
    substituted: dict[str, str]
    missing: dict[str, int]
    failed: dict[str, int]
    """How many events failed with each sound and reason."""
    messages: tuple[str, ...] = ()
    cpu_s: float = 0.0

    @property
    def seconds(self) -> float:
        return self.frames / SAMPLE_RATE


class NoBrowser(Exception):
    """There is no Chromium on this machine."""


class RenderRefused(Exception):
    """The script cannot be rendered: it has an error, or takes too much time or memory."""


class RenderKilled(RenderRefused):
    """The script, or its sound, took too much time or memory."""


class UnknownVoice(RenderRefused):
    def __init__(self, voices: Sequence[str]) -> None:
        super().__init__("There is no such voice.")
        self.voices = tuple(voices)


@dataclass
class _Budget:
    """The time that a part of the work may take."""

    cpu_s: float
    wall_s: float
    message: str
    """The error if it takes longer."""
    pause_cpu_s: float = math.inf
    """CPU time for which the page may give no answer."""


@dataclass
class Renderer:
    engine: Path
    """The folder of the engine's programs, `dist/`."""
    library: SoundLibrary
    memory_mb: int = MEMORY_MB
    _browser: Browser | None = None
    _spare: RenderPage | None = None
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)
    _idle: asyncio.TimerHandle | None = None

    async def render(self, request: RenderRequest, on_progress: ReportFraction | None = None) -> ScriptSound:
        """Render a script. Raise NoBrowser, UnknownVoice or RenderRefused."""
        async with self._one_at_a_time:
            self._stop_idling()
            try:
                return await self._render(request, on_progress)
            except (BrowserDied, BrowserRefused) as error:
                await self._drop_browser()
                raise RenderKilled(
                    "The browser ended during the render. The script may need too much memory."
                ) from error
            except ScriptFailed as error:
                raise RenderRefused(f"The script cannot be played: {error}") from error
            except UnknownVoice:
                raise
            except (RenderRefused, asyncio.CancelledError):
                await self._drop_browser()  # the page may hang
                raise
            finally:
                self._idle = asyncio.get_running_loop().call_later(_IDLE_S, self._end_idle_browser)

    async def close(self) -> None:
        self._stop_idling()
        await self._drop_browser()

    async def _render(self, request: RenderRequest, on_progress: ReportFraction | None) -> ScriptSound:
        browser = await self._running_browser()
        page = await self._take_page(browser)
        before = browser.use()
        try:
            cpu_s = SCRIPT_CPU_S + SCRIPT_CPU_PER_CYCLE * request.cycles
            limit = _Budget(cpu_s, SCRIPT_WALL_S, _ENDLESS)
            wanted = {**asdict(request), "mostEvents": MOST_EVENTS}
            if _USES_TUNINGS.search(request.code):
                await page.add_program(_TUNINGS)
            async with self._watch(browser, page, limit):
                prepared = await page.call("prepare", wanted)
            if prepared.get("unknownVoice"):
                raise UnknownVoice([str(name) for name in prepared["voices"]])
            seconds = float(prepared["seconds"]) + request.tail
            if not 0 < seconds <= LONGEST_S:
                raise ScriptFailed(
                    f"it lasts {seconds:.0f} s, and {LONGEST_S:.0f} s can be rendered. Give fewer cycles."
                )
            cpu_s = _RENDER_CPU_S + _RENDER_CPU_PER_SECOND * seconds
            events = min(int(prepared["events"]), _MOST_PAUSE_EVENTS)
            pause_cpu_s = SCRIPT_CPU_S + _PAUSE_CPU_PER_SECOND * seconds + _PAUSE_CPU_PER_EVENT * events
            limit = _Budget(cpu_s, 10 * cpu_s, _TOO_SLOW, pause_cpu_s)
            async with self._watch(browser, page, limit), _reported(page, on_progress):
                report = await page.call("render", {"tail": request.tail, "sampleRate": SAMPLE_RATE})
                frames = min(int(report["frames"]), int(seconds * SAMPLE_RATE) + SAMPLE_RATE)
                samples = await page.samples(frames)
            rendering = _rendering(report, samples, prepared["cps"], browser.use().cpu_s - before.cpu_s)
        except (AttributeError, KeyError, TypeError, ValueError) as error:  # the page says what no honest script says
            raise ScriptFailed(BROKEN) from error
        finally:
            with contextlib.suppress(BrowserDied, TimeoutError):
                async with asyncio.timeout(2):
                    await page.close()
        await self._open_spare(browser)
        return rendering

    async def _running_browser(self) -> Browser:
        if self._browser is not None and self._browser.is_alive:
            return self._browser
        await self._drop_browser()
        program = find_browser()
        if program is None:
            raise NoBrowser
        self._browser = await Browser.start(program)
        return self._browser

    async def _take_page(self, browser: Browser) -> RenderPage:
        page, self._spare = self._spare, None
        return page or await self._open_page(browser)

    async def _open_page(self, browser: Browser) -> RenderPage:
        programs = {name: self.engine / name for name in ("render.js", _TUNINGS)}
        try:
            async with asyncio.timeout(_OPEN_S):
                return await RenderPage.open(browser, programs, self.library)
        except (TimeoutError, ScriptFailed) as error:
            raise BrowserDied(f"The page for rendering does not open: {error}") from error

    async def _open_spare(self, browser: Browser) -> None:
        """Open the page of the next render."""
        with contextlib.suppress(BrowserDied, BrowserRefused):
            self._spare = await self._open_page(browser)

    async def _drop_browser(self) -> None:
        browser, self._browser, self._spare = self._browser, None, None
        if browser is not None:
            await browser.end()

    @contextlib.asynccontextmanager
    async def _watch(self, browser: Browser, page: RenderPage, budget: _Budget) -> AsyncIterator[None]:
        """Raise RenderKilled in the block if it takes too much time or memory, or the page crashes."""
        task = asyncio.current_task()
        assert task is not None
        broken: list[str] = []

        async def look() -> None:
            first, started = browser.use(), time.monotonic()
            answered, answer = first, page.ping()
            while not broken:
                await asyncio.sleep(_WATCH_S)
                now = browser.use()
                if answer.done():
                    answered, answer = now, page.ping()
                if now.memory_bytes - first.memory_bytes > self.memory_mb * 2**20 or page.crashed.done():
                    broken.append(f"The script needs more than {self.memory_mb} MB of memory.")
                elif now.cpu_s - first.cpu_s > budget.cpu_s or time.monotonic() - started > budget.wall_s:
                    broken.append(budget.message)
                elif now.cpu_s - answered.cpu_s > budget.pause_cpu_s:
                    broken.append(_ENDLESS)
            task.cancel()

        watchdog = asyncio.create_task(look())
        try:
            yield
        except asyncio.CancelledError:
            if broken and task.uncancel() == 0:
                raise RenderKilled(broken[0]) from None
            raise
        finally:
            watchdog.cancel()

    def _stop_idling(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _end_idle_browser(self) -> None:
        if not self._one_at_a_time.locked():
            asyncio.get_running_loop().create_task(self._drop_browser())


@contextlib.asynccontextmanager
async def _reported(page: RenderPage, on_progress: ReportFraction | None) -> AsyncIterator[None]:
    """Report the progress of the page during the block."""

    async def report() -> None:
        assert on_progress is not None
        with contextlib.suppress(BrowserDied, BrowserRefused, ScriptFailed, TypeError, ValueError):
            while True:
                await asyncio.sleep(_PROGRESS_S)
                await on_progress(min(max(float(await page.call("progress", {})), 0.0), 1.0))

    reporting = asyncio.create_task(report()) if on_progress is not None else None
    try:
        yield
    finally:
        if reporting is not None:
            reporting.cancel()


def _rendering(report: dict[str, Any], samples: bytes, cps: float, cpu_s: float) -> ScriptSound:
    return ScriptSound(
        samples=samples,
        frames=len(samples) // 4,
        cps=float(cps),
        events=int(report["events"]),
        peak=float(report["peak"]),
        gain=_share(report["gain"]),
        voices=tuple(
            VoiceLevel(str(each["name"]), int(each["events"]), float(each["peak"] or 0), bool(each["setsDry"]))
            for each in report["voices"]
        ),
        sounds=_counts(report["sounds"]),
        substituted={str(name): str(other) for name, other in report["substituted"].items()},
        missing=_counts(report["missing"]),
        failed=_counts(report["failed"]),
        messages=tuple(str(message) for message in report["messages"]),
        cpu_s=cpu_s,
    )


def _counts(counts: dict[str, Any]) -> dict[str, int]:
    return {str(name): int(count) for name, count in counts.items()}


def _share(value: Any) -> float:
    if not 0 < float(value) <= 1:
        raise ValueError
    return float(value)
