"""The limits of a service: how many heavy calls run at the same time, and how long a call may take."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from consort_kit.errors import TimedOut
from consort_kit.settings import Settings

T = TypeVar("T")


class ServiceLimits:
    def __init__(self, settings: Settings) -> None:
        self._timeout_s = settings.timeout_s
        self._heavy = asyncio.Semaphore(settings.heavy_at_once)

    async def run(self, call: Callable[[], Awaitable[T]], *, heavy: bool) -> T:
        """Run `call` and return its result. A heavy call first waits while `heavy_at_once` others run.

        Raise TimedOut if waiting and running together take longer than the service's `timeout_s`.
        """
        limit = asyncio.timeout(self._timeout_s)
        try:
            async with limit:
                if not heavy:
                    return await call()
                async with self._heavy:
                    return await call()
        except TimeoutError as error:
            if not limit.expired():
                raise  # a timeout inside the call, not ours
            raise TimedOut(
                f"This took longer than {self._timeout_s:g} s and was stopped. Ask for less, or try again later."
            ) from error
