"""Check the token of a request, and slow down guessing."""

import asyncio
import hmac
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.types import Scope

from consort_kit import errors

FIRST_DELAY_S = 0.25
LONGEST_DELAY_S = 4.0

Check = Callable[[str, Headers], errors.ConsortError | None]
"""A function of the path and the headers, called before anything else. It returns the error to send, or None."""


def token_check(token: str, open_paths: tuple[str, ...]) -> Check:
    """Return a check that requires the token, except at the open paths.

    An open path that ends with a slash also opens all paths below it, except for `/`.
    """
    bearer = f"Bearer {token}".encode()
    exact = frozenset(open_paths)
    below = tuple(path for path in open_paths if path.endswith("/") and path != "/")

    def check(path: str, headers: Headers) -> errors.ConsortError | None:
        sent = headers.get("authorization", "").encode("latin-1", "replace")
        if path in exact or path.startswith(below) or hmac.compare_digest(sent, bearer):
            return None
        return errors.Unauthorized(
            "The token is missing or wrong. Send the header 'Authorization: Bearer TOKEN'. The token is in the file "
            "'token' of the data folder.",
            suggestions=["Authorization: Bearer TOKEN"],
        )

    return check


async def slow_down_guessing(scope: Scope) -> None:
    """Wait before a wrong token is answered, twice as long each time on a connection. Right tokens never wait.

    The server keeps the number in the dict `connection` of the request's state, if it has one (`patient_connections`).
    """
    connection = scope.get("state", {}).get("connection", {})
    delay = connection.get("next_delay_s", FIRST_DELAY_S)
    connection["next_delay_s"] = min(2 * delay, LONGEST_DELAY_S)
    await asyncio.sleep(delay)
