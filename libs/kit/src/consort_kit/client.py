"""How one part of the studio asks another: one HTTP client, our errors passed through, no waiting for what is down."""

import asyncio
import re
import time
from collections.abc import Coroutine
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import httpx2

from consort_kit import logs
from consort_kit.errors import ConsortError, ErrorResponse, InvalidInput, OutOfTime, ServiceDown
from consort_kit.ids import id_pattern, prefix_of
from consort_kit.settings import Settings

CONNECT_TIMEOUT_S = 4.0
"""What is down refuses at once: this is for a machine that does not answer, and long enough for one that is busy."""
HEALTH_TIMEOUT_S = 1.0
LOOK_AFTER_S = 2.0
"""A call that takes longer makes us ask whether the service is well, again and again."""
REST_S = 0.5
"""After a failed connection a service is left alone this long; calls meanwhile are refused at once."""

MUSIC_ROUTES = {
    "midi": ("midi-store", "/files/{id}"),
    "song": ("compose", "/songs/{id}.mid"),
    "score": ("compose", "/scores/{id}.mid"),
}
"""Which service keeps the music that an id names, and the route to its bytes."""

MUSIC_ID = id_pattern(*MUSIC_ROUTES)
MUSIC_ALIASES = dict.fromkeys(("file_id", "song_id", "score_id"), "midi_file_id")
"""For tools that take any music: other names of the field for its id."""

KEPT_OPEN_S = 3.0
"""How long an idle connection is kept: less than the 5 s after which uvicorn closes it, or a call could be cut."""


def is_music_route(service: str, path: str) -> bool:
    """Whether this is where a service hands music out."""
    return any(
        service == owner and re.fullmatch(re.escape(route).replace(r"\{id\}", id_pattern(prefix)[1:-1]), path)
        for prefix, (owner, route) in MUSIC_ROUTES.items()
    )


BESIDE_MEDIA = "Consort-Beside"
"""The header in which a service says, as JSON, what belongs to a picture or sound: a link to it, and ids."""


class FetchedMusic(NamedTuple):
    content: bytes
    version: str | None
    """The ETag, where the service has such."""
    name: str | None
    """The file name, which begins with the title."""


class NotReached(ServiceDown):
    """The call never left, so that it may be made again."""


class ServiceClient:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._http = httpx2.AsyncClient(
            timeout=httpx2.Timeout(settings.timeout_s + 10, connect=CONNECT_TIMEOUT_S),
            limits=httpx2.Limits(max_connections=200, max_keepalive_connections=50, keepalive_expiry=KEPT_OPEN_S),
            trust_env=False,  # a proxy set for the internet must not see calls on this machine
        )
        self._resting_until: dict[str, float] = {}

    async def aclose(self) -> None:
        await self._http.aclose()

    async def request(
        self, service: str, method: str, path: str, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        """The answer of a service, whatever its status. Raises ServiceDown or OutOfTime when there is none.

        NotReached, a kind of ServiceDown, when the service never saw the call.

        With `stream` the body is not read yet, and the caller closes the answer.
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
            return await self._while_it_lives(service, self._http.send(request, stream=stream))
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            self._resting_until[service] = time.monotonic() + REST_S
            raise not_reached(service) from error
        except (httpx2.ReadTimeout, httpx2.WriteTimeout, httpx2.PoolTimeout) as error:
            raise OutOfTime(
                f"The service {service} did not answer in time. Ask for less, or try again later."
            ) from error
        except httpx2.RequestError as error:
            raise _cut_off(service, "stopped") from error

    async def _while_it_lives(self, service: str, sending: Coroutine[Any, Any, httpx2.Response]) -> httpx2.Response:
        """Work may take its time, but only of a service that answers when it is asked how it is."""
        task = asyncio.create_task(sending)
        try:
            while not (await asyncio.wait({task}, timeout=LOOK_AFTER_S))[0]:
                if not await self.is_healthy(service) and not await self.is_healthy(service) and not task.done():
                    raise _cut_off(service, "hangs")
            return task.result()
        finally:
            task.cancel()

    async def is_healthy(self, service: str) -> bool:
        """Asks the service itself, even when it was left alone."""
        try:
            answer = await self._http.get(f"{self._settings.url_of(service)}/health", timeout=HEALTH_TIMEOUT_S)
        except httpx2.RequestError:
            return False
        if answer.status_code == 200:
            self._resting_until.pop(service, None)
            return True
        return False

    async def fetch_music(self, music_id: str) -> bytes:
        """The bytes of the music that an id names, from whichever service keeps it."""
        fetched = await self.fetch_changed_music(music_id, None)
        assert fetched is not None
        return fetched.content

    async def fetch_changed_music(self, music_id: str, known: str | None) -> FetchedMusic | None:
        """The music that an id names; None if it is still of the version known."""
        prefix = prefix_of(music_id)
        if prefix not in MUSIC_ROUTES or not re.fullmatch(id_pattern(prefix), music_id):
            kinds = [f"{each}_…" for each in MUSIC_ROUTES]
            raise InvalidInput(f"{music_id!r} is not an id of music, such as {' or '.join(kinds)}.", suggestions=kinds)
        service, path = MUSIC_ROUTES[prefix]
        headers = {"If-None-Match": known} if known else {}
        answer = await self.request(service, "GET", path.format(id=music_id), headers=headers)
        if answer.status_code == 304:
            return None
        if answer.status_code != 200:
            raise error_of(answer)
        return FetchedMusic(answer.content, answer.headers.get("etag"), _file_name(answer))


def attachment(name: str) -> dict[str, str]:
    """The header by which a route names the file that it answers."""
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}


def _file_name(answer: httpx2.Response) -> str | None:
    """As `attachment` wrote it."""
    _, found, name = answer.headers.get("content-disposition", "").partition("filename*=UTF-8''")
    return unquote(name) if found else None


def error_of(answer: httpx2.Response) -> ConsortError:
    """The error that a service answered with, as one of ours."""
    try:
        response = ErrorResponse.model_validate_json(answer.content)
    except ValueError:
        return ConsortError(
            f"A service answered with status {answer.status_code} and no reason. `consort logs` may show why."
        )
    kind = next((each for each in ConsortError.__subclasses__() if each.status == answer.status_code), ConsortError)
    return kind(**response.error.model_dump(), partial_result=response.partial_result)


def not_reached(service: str) -> NotReached:
    return NotReached(
        f"The service {service} does not answer. Nothing was changed. Try again in some seconds.",
        suggestions=["Try again in some seconds.", "`consort status` shows what runs, `consort up` starts it."],
        details={"service": service},
    )


def _cut_off(service: str, how: str) -> ServiceDown:
    return ServiceDown(
        f"The service {service} {how} during the call, which may or may not have been done.",
        suggestions=["Look at what is there before you call again."],
        details={"service": service},
    )
