"""Host and Origin: a page on a foreign site must not reach a studio that listens on this machine (DNS rebinding)."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers

from consort_gateway.settings import GatewaySettings
from consort_kit.app import Check
from consort_kit.errors import ConsortError, Forbidden, Misdirected

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def host_and_origin_check(settings: GatewaySettings) -> Check:
    further = {name.strip().lower() for name in settings.allowed_hosts.split(",") if name.strip()}
    allowed = (_LOOPBACK | further | {_name_in(settings.gateway_url)}) - {""}

    def check(_: str, headers: Headers) -> ConsortError | None:
        if _name_in(f"//{headers.get('host', '')}") not in allowed:
            return Misdirected(
                "The Host header names another machine. CONSORT_ALLOWED_HOSTS adds names of this one.",
                suggestions=["CONSORT_ALLOWED_HOSTS"],
            )
        origin = headers.get("origin")
        if origin is not None and _name_in(origin) not in allowed:
            return Forbidden(
                "Pages of other sites may not use the studio. Open it at its own address.", code="FOREIGN_ORIGIN"
            )
        return None

    return check


def _name_in(address: str) -> str:
    if "@" in address:  # no browser sends one; what the name is would be open to debate
        return ""
    try:
        return (urlsplit(address).hostname or "").lower()
    except ValueError:
        return ""
