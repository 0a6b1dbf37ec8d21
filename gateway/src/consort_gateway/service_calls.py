"""Send the call of a tool to its service. Wait while the service starts, and raise immediately if it is down."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import httpx2

from consort_gateway.settings import GatewaySettings
from consort_gateway.tools.catalogue import ToolDefinition
from consort_kit.errors import ServiceDown
from consort_kit.http.service_client import NotReached, ServiceClient, not_reached
from consort_kit.processes.studio_state import read_studio_state
from consort_kit.tools.answer_headers import ANSWER_LIMIT_HEADER, PICTURE_HEADER
from consort_kit.tools.client_ids import CLIENT_HEADER
from consort_kit.tools.validation import sentence

ReportProgress = Callable[[float, float, str], Awaitable[None]]
"""Reports progress to the caller: the seconds waited so far, the longest possible wait in seconds, and a message."""

PLAYBACK = "playback"
DOCKER_HOST = "host.docker.internal"
START_AGENT = "./consort agent --docker"
_CHECK_EVERY_S = 0.2


class StudioLaunch(Protocol):
    """How `consort mcp`, which runs this gateway, starts and watches the whole studio."""

    def runs(self) -> bool:
        """Return whether our studio runs. If not, a program on its ports may be foreign and must not get the token."""

    def is_alive(self) -> bool:
        """Return whether the launcher is alive, so that it makes sense to wait."""

    def failure(self) -> str | None:
        """Return why the start failed, or None if it did not fail."""

    def revive(self) -> None:
        """Start the studio again if it was killed or could not start, but not if somebody stopped it."""


class ServiceCalls:
    def __init__(self, settings: GatewaySettings, launching: StudioLaunch | None = None) -> None:
        self._settings = settings
        self._client = ServiceClient(settings)
        self._launching = launching

    @property
    def client(self) -> ServiceClient:
        return self._client

    async def aclose(self) -> None:
        await self._client.aclose()

    async def call(
        self,
        tool: ToolDefinition,
        arguments: dict[str, Any],
        report: ReportProgress,
        client: str | None = None,
        most_bytes: int | None = None,
    ) -> httpx2.Response:
        """Return the response of the tool's service. `client` is the id of the calling client.

        A text of more than `most_bytes` is replaced by a link and a summary (kit's `large_answers`).

        Raise ServiceDown if the service does not run, after waiting for it if it is starting.
        """
        headers = {"Content-Type": "application/json"}
        if client is not None:
            headers[CLIENT_HEADER] = client
        if most_bytes is not None:
            headers[ANSWER_LIMIT_HEADER] = str(most_bytes)
        content = json.dumps(arguments)  # may contain NaN and lone surrogates: the service rejects them
        return await self._request(report, tool.service, "POST", tool.path, content=content, headers=headers)

    async def get(
        self, service: str, path: str, params: dict[str, Any], report: ReportProgress, *, stream: bool = False
    ) -> httpx2.Response:
        """Return the response of a route that is not a tool. Raise and wait as `call` does.

        With `stream`, the body is not read yet, and the caller must close the response.
        """
        return await self._request(report, service, "GET", path, params=params, stream=stream)

    async def _request(
        self, report: ReportProgress, service: str, method: str, path: str, **options: Any
    ) -> httpx2.Response:
        try:
            return await self._send(service, method, path, **options)
        except NotReached as down:
            if self._launching is not None:
                self._launching.revive()
            if not self._is_starting(service):
                raise self._reason(down) from down.__cause__
        await self._wait_until_started(service, report)
        try:
            return await self._send(service, method, path, **options)
        except NotReached as down:
            raise self._reason(down) from down.__cause__

    async def picture_beside(self, tool: ToolDefinition, answer: httpx2.Response) -> httpx2.Response | None:
        """Return the picture that a service names beside its answer, or None if it names none or cannot send it."""
        path = answer.headers.get(PICTURE_HEADER)
        if path is None:
            return None
        try:
            return await self._client.request(tool.service, "GET", path)
        except ServiceDown:
            return None

    def _reason(self, down: NotReached) -> ServiceDown:
        """Return the error to raise: the studio did not start, the playback agent is missing, or else `down`."""
        failure = self._launching.failure() if self._launching is not None else None
        if failure:
            return ServiceDown(sentence(f"the studio could not be started: {failure}"))
        return no_agent() if self._has_agent_on_host(down) else down

    def _has_agent_on_host(self, down: NotReached) -> bool:
        """Return whether `down` is about a playback agent outside the containers, which the user must start."""
        address = self._settings.service_urls.get(PLAYBACK, "")
        return down.body.details == {"service": PLAYBACK} and DOCKER_HOST in address

    async def _send(self, service: str, method: str, path: str, **options: Any) -> httpx2.Response:
        if not self._is_ours(service):
            raise not_reached(service)
        return await self._client.request(service, method, path, **options)

    def _is_ours(self, service: str) -> bool:
        """Return whether the program at the service's address is ours, so that it may get the token."""
        return self._launching is None or service in self._settings.service_urls or self._launching.runs()

    def _is_starting(self, service: str) -> bool:
        """Return whether the service is in its first start, so that it makes sense to wait."""
        studio = read_studio_state(self._settings.data)
        if studio is None:
            return self._launching is not None and self._launching.is_alive()
        state = studio.services.get(service)  # missing while the launcher prepares the database
        return state is None or state.state == "starting"

    async def _wait_until_started(self, service: str, report: ReportProgress) -> None:
        began = time.monotonic()
        next_report = 0.0
        while not (self._is_ours(service) and await self._client.is_healthy(service)):
            waited = time.monotonic() - began
            if waited > self._settings.start_wait_s or not self._is_starting(service):
                return
            if waited >= next_report:
                await report(round(waited, 1), self._settings.start_wait_s, f"{service} is starting")
                next_report = waited + 1
            await asyncio.sleep(_CHECK_EVERY_S)


def no_agent() -> ServiceDown:
    """Return the error for a studio in containers if no playback agent runs on the host."""
    return ServiceDown(
        "No playback agent runs on the user's machine, and a studio in containers cannot play without it. "
        f"Ask the user to run `{START_AGENT}` in Consort's folder, then call again.",
        suggestions=[START_AGENT],
        details={"service": PLAYBACK},
    )
