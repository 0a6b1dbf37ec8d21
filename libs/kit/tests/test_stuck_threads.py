"""Threads that go on after their call has ended keep its slot, and fail the health check when no slot is left."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest
from fastapi import FastAPI

from consort_kit.http.app import create_app
from consort_kit.settings import Settings
from consort_kit.tools import service_limits
from consort_kit.tools.models import ToolInput, ToolOutput
from consort_kit.tools.tool_decorator import tool, tool_router

SLOTS = 2


class Nap(ToolInput):
    is_endless: bool = False


class Napped(ToolOutput):
    is_done: bool = True


@contextmanager
def napping_app(timeout_s: float) -> Iterator[tuple[FastAPI, threading.Event]]:
    """An app whose heavy tool works in a thread, without end until the event is set."""
    router, end = tool_router(), threading.Event()

    @tool(router, title="Nap", toolset="test", effect="read", heavy=True)
    async def nap(body: Nap) -> Napped:
        """Nap."""
        if body.is_endless:
            await asyncio.to_thread(end.wait)
        return Napped()

    settings = Settings(token="secret-token-of-tests", timeout_s=timeout_s, heavy_at_once=SLOTS)
    try:
        yield create_app("test", "Test.", [router], settings=settings), end
    finally:
        end.set()


async def answers(client: httpx2.AsyncClient, **arguments: bool) -> int:
    headers = {"Authorization": "Bearer secret-token-of-tests"}
    return (await client.post("/tools/nap", json=arguments, headers=headers)).status_code


async def becomes(client: httpx2.AsyncClient, status: int) -> None:
    async with asyncio.timeout(20):
        while (await client.get("/health")).status_code != status:
            await asyncio.sleep(0.01)


def test_a_call_keeps_its_slot_until_its_thread_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_limits, "STUCK_S", 0.05)

    async def main() -> None:
        with napping_app(timeout_s=0.3) as (app, end):
            transport = httpx2.ASGITransport(app)
            async with (
                app.router.lifespan_context(app),
                httpx2.AsyncClient(transport=transport, base_url="http://t") as client,
            ):
                assert await answers(client, is_endless=True) == 504
                assert await answers(client) == 200, "one slot is free"
                assert (await client.get("/health")).status_code == 200
                assert await answers(client, is_endless=True) == 504
                assert await answers(client) == 504, "both slots are taken by threads that go on"
                await becomes(client, 503)
                end.set()
                await becomes(client, 200)
                assert await answers(client) == 200

    asyncio.run(main())


def test_a_busy_service_is_healthy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_limits, "STUCK_S", 0.0)

    async def main() -> None:
        with napping_app(timeout_s=60) as (app, end):
            transport = httpx2.ASGITransport(app)
            async with (
                app.router.lifespan_context(app),
                httpx2.AsyncClient(transport=transport, base_url="http://t") as client,
            ):
                calls = [asyncio.create_task(answers(client, is_endless=True)) for _ in range(2 * SLOTS)]
                await asyncio.sleep(0.05)
                assert (await client.get("/health")).status_code == 200
                end.set()
                assert await asyncio.gather(*calls) == [200] * 2 * SLOTS

    asyncio.run(main())
