"""The HTTP client for calls from one service to another. It reports a stopped service immediately.

The token goes only to a program that has proved that it knows it (see `server_proof`).
"""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

import httpx2

from consort_kit import logs
from consort_kit.errors import ConsortError, ErrorResponse, ServiceDown, TimedOut, error_with_status
from consort_kit.http.id_routes import IdRoutes, route_of
from consort_kit.http.proving_transport import Address, ProvingTransport, StrangerListens
from consort_kit.http.server_proof import ExpectedServer
from consort_kit.services import SERVICES
from consort_kit.settings import Settings, port_of

CONNECT_TIMEOUT_S = 4.0
"""A stopped service refuses the connection at once. This limit is for a machine that is unreachable or busy."""
HEALTH_TIMEOUT_S = 1.0
CHECK_HEALTH_AFTER_S = 2.0
"""During a call, the service's `/health` is checked each time after this many seconds."""
REST_S = 0.5
"""For this time after a failed connection, calls to the service fail at once without another attempt."""
KEPT_OPEN_S = 3.0
"""How long an idle connection is kept. uvicorn closes it after 5 s, and a call at that moment would be cut off."""


class FetchedFile(NamedTuple):
    content: bytes
    version: str | None
    """The ETag, if the service sends one."""
    name: str | None
    """The file name without a path, or None if the service sends none."""


class NotReached(ServiceDown):
    """The service did not receive the call, so it is safe to call again."""


class ServiceClient:
    def __init__(self, settings: Settings, id_routes: IdRoutes | None = None) -> None:
        """Make a client. `fetch` finds the service of an id in `id_routes`."""
        self._settings = settings
        self._id_routes = id_routes or {}
        limits = httpx2.Limits(max_connections=200, max_keepalive_connections=50, keepalive_expiry=KEPT_OPEN_S)
        self._http = httpx2.AsyncClient(
            timeout=httpx2.Timeout(settings.timeout_s + 10, connect=CONNECT_TIMEOUT_S),
            transport=ProvingTransport(_expected_servers(settings), limits),
            trust_env=False,  # a proxy set for the internet must not see calls on this machine
        )
        self._resting_until: dict[str, float] = {}

    async def aclose(self) -> None:
        await self._http.aclose()

    async def request(
        self, service: str, method: str, path: str, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        """Call a service and return its response, whatever the status.

        Raise NotReached if the service did not receive the call, ServiceDown if it stopped or hung during the call, or
        TimedOut if it did not respond in time. With `stream`, the body is not read yet, and the caller must close the
        response.
        """
        if time.monotonic() < self._resting_until.get(service, 0):
            raise not_reached(service)
        request_id = logs.request_id()
        headers = {**options.pop("headers", {}), "Authorization": f"Bearer {self._settings.bearer_token}"}
        if request_id:
            headers["X-Request-ID"] = request_id
        url = f"{self._settings.url_of(service)}{path}"
        request = self._http.build_request(method, url, headers=headers, **options)
        try:
            return await self._while_healthy(service, self._http.send(request, stream=stream))
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            self._resting_until[service] = time.monotonic() + REST_S
            raise (_not_ours if isinstance(error.__cause__, StrangerListens) else not_reached)(service) from error
        except (httpx2.ReadTimeout, httpx2.WriteTimeout, httpx2.PoolTimeout) as error:
            raise TimedOut(
                f"The service {service} did not answer in time. Ask for less, or try again later."
            ) from error
        except httpx2.RequestError as error:
            raise _cut_off(service, "stopped") from error

    async def _while_healthy(self, service: str, sending: Coroutine[Any, Any, httpx2.Response]) -> httpx2.Response:
        """Wait for the response as long as the service is healthy. Raise ServiceDown if it is not."""
        task = asyncio.create_task(sending)
        try:
            while not (await asyncio.wait({task}, timeout=CHECK_HEALTH_AFTER_S))[0]:
                if not await self.is_healthy(service) and not await self.is_healthy(service) and not task.done():
                    raise _cut_off(service, "hangs")
            return task.result()
        finally:
            task.cancel()

    async def is_healthy(self, service: str) -> bool:
        """Return whether the service's `/health` responds. If it does, end the pause after a failed connection."""
        try:
            answer = await self._http.get(f"{self._settings.url_of(service)}/health", timeout=HEALTH_TIMEOUT_S)
        except httpx2.RequestError:
            return False
        if answer.status_code == 200:
            self._resting_until.pop(service, None)
            return True
        return False

    async def call(self, service: str, method: str, path: str, **options: Any) -> Any:
        """Call a service and return the JSON of its answer. Raise the service's error if it fails."""
        answer = await self.request(service, method, path, **options)
        if not answer.is_success:
            raise error_of(answer)
        return answer.json()

    async def fetch(self, any_id: str) -> FetchedFile:
        """Fetch the file with this id from the service that stores it. Raise that service's error if it fails."""
        fetched = await self.fetch_if_changed(any_id, None)
        assert fetched is not None
        return fetched

    async def fetch_if_changed(self, any_id: str, known_version: str | None) -> FetchedFile | None:
        """Like `fetch`, but return None if the file still has the known version."""
        service, path = route_of(self._id_routes, any_id)
        headers = {"If-None-Match": known_version} if known_version else {}
        answer = await self.request(service, "GET", path, headers=headers)
        if answer.status_code == 304:
            return None
        if answer.status_code != 200:
            raise error_of(answer)
        return FetchedFile(answer.content, answer.headers.get("etag"), _file_name(answer))


def _expected_servers(settings: Settings) -> dict[Address, ExpectedServer | None]:
    """Return who should be at the address of each service, or None if its certificate tells."""
    servers: dict[Address, ExpectedServer | None] = {}
    for service in SERVICES:
        url = settings.url_of(service)
        parts = urlsplit(url)
        name = "gateway" if parts.path.startswith("/inside/") else service  # it passes calls on to containers
        here = service not in settings.service_urls
        server = None if parts.scheme == "https" else ExpectedServer(name, settings.bearer_token, same_machine=here)
        servers[parts.hostname or "", port_of(url)] = server
    return servers


def attachment(name: str) -> dict[str, str]:
    """Return the header by which a route gives the name of the file that it sends."""
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}


def _file_name(answer: httpx2.Response) -> str | None:
    """Return the file name in the header that `attachment` made, or None if there is no such header."""
    _, found, name = answer.headers.get("content-disposition", "").partition("filename*=UTF-8''")
    return unquote(name) if found else None


def error_of(answer: httpx2.Response) -> ConsortError:
    """Return the error in a service's response as a ConsortError."""
    try:
        response = ErrorResponse.model_validate_json(answer.content)
    except ValueError:
        return ConsortError(
            f"A service answered with status {answer.status_code} and no reason. `consort logs` may show why."
        )
    return error_with_status(answer.status_code, response.error, response.partial_result)


def not_reached(service: str) -> NotReached:
    return NotReached(
        f"The service {service} does not answer. Nothing was changed. Try again in a few seconds.",
        suggestions=["Try again in a few seconds.", "`consort status` shows what runs, `consort up` starts it."],
        details={"service": service},
    )


def _not_ours(service: str) -> NotReached:
    return NotReached(
        f"Another program listens at the address of {service}: it does not know the token. Nothing was sent to it.",
        suggestions=["`consort doctor` names the program. Stop it, or choose other ports with --port-base."],
        details={"service": service},
    )


def _cut_off(service: str, how: str) -> ServiceDown:
    return ServiceDown(
        f"The service {service} {how} during the call, which may or may not have been done.",
        suggestions=["Look at what is there before you call again."],
        details={"service": service},
    )
