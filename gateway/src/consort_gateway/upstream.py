"""Calls to the services behind the tools: patient while one starts, quick to say when one is down."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import httpx2

from consort_gateway.catalogue import ToolDefinition
from consort_gateway.settings import GatewaySettings
from consort_kit.client import NotReached, ServiceClient, not_reached
from consort_kit.clients import CLIENT_HEADER
from consort_kit.errors import ServiceDown
from consort_kit.stack import read_stack
from consort_kit.validation import sentence

Report = Callable[[float, float, str], Awaitable[None]]
"""Tells the caller how long we have waited, of how long at most, and for what."""

PLAYBACK = "playback"
DOCKER_HOST = "host.docker.internal"
START_AGENT = "./consort agent --docker"
_LOOK_EVERY_S = 0.2


class Launching(Protocol):
    """The start of the whole studio, by the process that this gateway is part of."""

    def runs(self) -> bool:
        """Whether it runs now; if not, whatever listens on its ports is a stranger, who must not get the token."""

    def is_alive(self) -> bool:
        """Whether there is something to wait for."""

    def failure(self) -> str | None:
        """Why it came to nothing, if it did."""

    def revive(self) -> None:
        """Start it again if it was killed or could not be started, but not if somebody stopped it."""


class Upstream:
    def __init__(self, settings: GatewaySettings, launching: Launching | None = None) -> None:
        self._settings = settings
        self._client = ServiceClient(settings)
        self._launching = launching

    @property
    def client(self) -> ServiceClient:
        return self._client

    async def aclose(self) -> None:
        await self._client.aclose()

    async def call(
        self, tool: ToolDefinition, arguments: dict[str, Any], report: Report, client: str | None = None
    ) -> httpx2.Response:
        """Return the answer of the tool's service; `client` says for whom the call is."""
        content = json.dumps(arguments)  # NaN and half surrogates too: the service says what is wrong with them
        try:
            return await self._send(tool, content, client)
        except NotReached as down:
            if self._launching is not None:
                self._launching.revive()
            if not self._is_starting(tool.service):
                raise self._reason(down) from down.__cause__
        await self._wait_until_started(tool.service, report)
        try:
            return await self._send(tool, content, client)
        except NotReached as down:
            raise self._reason(down) from down.__cause__

    def _reason(self, down: NotReached) -> ServiceDown:
        """Why it is down, if it is because the studio could not be started."""
        failure = self._launching.failure() if self._launching is not None else None
        if failure:
            return ServiceDown(sentence(f"the studio could not be started: {failure}"))
        return no_agent() if self._has_agent_on_host(down) else down

    def _has_agent_on_host(self, down: NotReached) -> bool:
        """Whether it is the playback agent beside containers that is missing: nothing starts that by itself."""
        address = self._settings.service_urls.get(PLAYBACK, "")
        return down.body.details == {"service": PLAYBACK} and DOCKER_HOST in address

    async def _send(self, tool: ToolDefinition, content: str, client: str | None) -> httpx2.Response:
        if not self._is_ours(tool.service):
            raise not_reached(tool.service)
        headers = {"Content-Type": "application/json"}
        if client is not None:
            headers[CLIENT_HEADER] = client
        return await self._client.request(tool.service, "POST", tool.path, content=content, headers=headers)

    def _is_ours(self, service: str) -> bool:
        """Whether what listens there may be trusted: it runs by our launcher, or somebody said where it is."""
        return self._launching is None or service in self._settings.service_urls or self._launching.runs()

    def _is_starting(self, service: str) -> bool:
        """Whether somebody is starting it now, for the first time: then it is worth waiting."""
        stack = read_stack(self._settings.data)
        if stack is None:
            return self._launching is not None and self._launching.is_alive()
        state = stack.services.get(service)  # missing while the launcher still prepares the database
        return state is None or state.state == "starting"

    async def _wait_until_started(self, service: str, report: Report) -> None:
        began = time.monotonic()
        told = 0.0
        while not (self._is_ours(service) and await self._client.is_healthy(service)):
            waited = time.monotonic() - began
            if waited > self._settings.start_wait_s or not self._is_starting(service):
                return
            if waited >= told:
                await report(round(waited, 1), self._settings.start_wait_s, f"{service} is starting")
                told = waited + 1
            await asyncio.sleep(_LOOK_EVERY_S)


def no_agent() -> ServiceDown:
    """The studio runs in containers, and the agent that plays on the host was not started."""
    return ServiceDown(
        "No playback agent runs on the user's machine, and a studio in containers cannot play by itself. "
        f"Have the user run `{START_AGENT}` in Consort's folder, and call again.",
        suggestions=[START_AGENT],
        details={"service": PLAYBACK},
    )
