"""Workers for the calls of the service. Each does one request at a time."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any

from consort_strudel.engine.worker import EngineWorker, EngineWorkerDied


class EnginePool:
    def __init__(self, folder: Path, at_once: int) -> None:
        self._folder = folder
        self._free = asyncio.Semaphore(at_once)
        self._idle: list[EngineWorker] = []

    async def ask(self, request: dict[str, Any], longest_s: float) -> dict[str, Any]:
        """Return a worker's answer. Raise EngineWorkerDied if the script kills the worker or it does not answer.

        The worker is killed in that case, and when the call is cancelled.
        """
        async with self._free:
            worker = await self._take()
            try:
                answer = await worker.ask(request, longest_s)
            except BaseException:
                await worker.end()
                raise
            self._idle.append(worker)
            return answer

    async def warm_up(self) -> None:
        """Start one worker, so that the first call does not wait for it."""
        async with self._free:
            with contextlib.suppress(EngineWorkerDied):
                self._idle.append(await self._take())

    async def close(self) -> None:
        while self._idle:
            await self._idle.pop().end()

    async def _take(self) -> EngineWorker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            await worker.end()
        return await EngineWorker.start(self._folder)
