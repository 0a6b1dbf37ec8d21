"""Expiring signed links. With one, a browser can download or upload a file without the bearer token.

A service makes a link to one of its routes; the gateway checks it and forwards the request. The signature covers
the service, the path, the method and every query field.
"""

import base64
import hashlib
import hmac
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote, urlencode

from consort_kit.errors import Forbidden
from consort_kit.settings import Settings

DEFAULT_LIFETIME_S = 3600


@dataclass(frozen=True)
class Link:
    url: str
    expires_at: datetime


class Links:
    def __init__(self, settings: Settings) -> None:
        self._public_url = settings.gateway_url
        self._key = hmac.digest(settings.bearer_token.encode(), b"consort links", hashlib.sha256)

    def make(
        self,
        service: str,
        path: str,
        query: dict[str, str] | None = None,
        *,
        method: str = "GET",
        lifetime_s: int = DEFAULT_LIFETIME_S,
    ) -> Link:
        expires = int(time.time()) + lifetime_s
        fields = {**(query or {}), "expires": str(expires)}
        if method != "GET":
            fields["method"] = method
        fields["signature"] = self._sign(service, path, fields)
        url = f"{self._public_url}/links/{service}{quote(path)}?{urlencode(fields)}"
        return Link(url, datetime.fromtimestamp(expires, UTC))

    def check(self, service: str, path: str, query: list[tuple[str, str]]) -> tuple[str, dict[str, str]]:
        """Return the method that a link allows, and the query to forward.

        Raise Forbidden if the link was altered or has expired.
        """
        fields = dict(query)
        signature = fields.pop("signature", "")
        expected = self._sign(service, path, fields)
        if len(fields) + 1 != len(query) or not hmac.compare_digest(signature.encode(), expected.encode()):
            raise Forbidden("This link is not valid: it was altered or cut off. Ask for a new one.")
        if int(fields.pop("expires")) < time.time():
            raise Forbidden("This link has expired. Ask for a new one.", code="LINK_EXPIRED")
        return fields.pop("method", "GET"), fields

    def _sign(self, service: str, path: str, fields: dict[str, str]) -> str:
        text = "\n".join([service, path, urlencode(sorted(fields.items()))])
        digest = hmac.digest(self._key, text.encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:18]).decode()  # 144 bits, to keep links short enough to copy
