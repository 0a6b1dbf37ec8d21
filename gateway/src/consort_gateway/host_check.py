"""Check the headers Host and Origin, so that a page of another website cannot use the studio (DNS rebinding)."""

import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from consort_gateway.settings import GatewaySettings
from consort_kit.errors import ConsortError, Forbidden, WrongHost
from consort_kit.http.token_check import Check

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]{0,30}:)?//(\[[0-9a-f:.]+\]|[^\x00-,/:-@\[-^`{-\x7f]+)(:[0-9]{1,5})?", re.I)
"""A name or address with a port, after a scheme or not. Parsers disagree about user names, paths and other signs."""
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def host_and_origin_check(settings: GatewaySettings) -> Check:
    more = {name.strip().lower() for name in settings.allowed_hosts.split(",") if name.strip()}
    own = urlsplit(settings.gateway_url).hostname or ""  # checked by the settings; it may have a path
    allowed = (_LOOPBACK | more | {own.lower()}) - {""}

    def check(_: str, headers: Headers) -> ConsortError | None:
        if _name_in(f"//{headers.get('host', '')}") not in allowed:
            return WrongHost(
                "The Host header names another machine. Add names of this machine to CONSORT_ALLOWED_HOSTS.",
                suggestions=["CONSORT_ALLOWED_HOSTS"],
            )
        origin = headers.get("origin")
        if origin is not None and _name_in(origin) not in allowed:
            return Forbidden(
                "Pages of other websites may not use the studio. Open it at its own address.", code="FOREIGN_ORIGIN"
            )
        return None

    return check


def _name_in(address: str) -> str:
    if not _ADDRESS.fullmatch(address):
        return ""
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""
