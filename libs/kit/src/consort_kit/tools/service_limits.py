"""The limits of a service: how many heavy calls run at the same time, and how long a call may take."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import TypeVar

from consort_kit.errors import TimedOut
from consort_kit.processes.call_threads import CallThreads
from consort_kit.processes.work_limits import STUCK_S
from consort_kit.settings import Settings

T = TypeVar("T")


class ServiceLimits:
    def __init__(self, settings: Settings) -> None:
        self._threads = CallThreads()
        self._timeout_s = settings.timeout_s
        self._heavy_at_once = settings.heavy_at_once
        self._heavy = asyncio.Semaphore(settings.heavy_at_once)
        self._kept_slots: dict[asyncio.Task[None], float] = {}

    def use_own_threads(self) -> None:
        """Run the threads of the current event loop in a pool that knows whose calls have ended."""
        self._threads = CallThreads()
        asyncio.get_running_loop().set_default_executor(self._threads)

    async def run(self, call: Callable[[], Awaitable[T]], *, heavy: bool) -> T:
        """Run `call` and return its result. A heavy call first waits while `heavy_at_once` others run.

        Raise TimedOut if waiting and running together take longer than the service's `timeout_s`. A heavy call keeps
        its slot until the threads that work for it have ended.
        """
        limit = asyncio.timeout(self._timeout_s)
        try:
            async with limit:
                if not heavy:
                    with self._threads.work_of_call():
                        return await call()
                await self._heavy.acquire()
                work: list[Future[object]] = []
                try:
                    with self._threads.work_of_call() as work:
                        return await call()
                finally:
                    self._release(work)
        except TimeoutError as error:
            if not limit.expired():
                raise  # a timeout inside the call, not ours
            raise TimedOut(
                f"This took longer than {self._timeout_s:g} s and was stopped. Ask for less, or try again later."
            ) from error

    def is_stuck(self) -> bool:
        """Return whether only a restart helps: no slot or no thread is free, and the calls they work for have ended."""
        begun_before = time.monotonic() - STUCK_S
        kept = sum(since <= begun_before for since in self._kept_slots.values())
        return kept >= self._heavy_at_once or self._threads.is_stuck(STUCK_S)

    def _release(self, work: list[Future[object]]) -> None:
        """Release the slot of a call, after the end of its work if some of it goes on in threads."""
        if not work:
            self._heavy.release()
            return

        async def release_later() -> None:
            await asyncio.gather(*map(asyncio.wrap_future, work), return_exceptions=True)
            self._heavy.release()

        task = asyncio.create_task(release_later())
        self._kept_slots[task] = time.monotonic()
        task.add_done_callback(lambda done: self._kept_slots.pop(done, None))
