"""Send HTTP requests to services through the gateway, with links signed with the studio's token."""

import http.client
import json
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from consort_cli.gateway_connection import connection_to
from consort_cli.launcher.start_and_stop import running_studio
from consort_kit.errors import ErrorResponse, ServiceDown
from consort_kit.http.signed_links import Links
from consort_kit.settings import Settings

_TIMEOUT_S = 120


class LinkClient:
    def __init__(self, data: Path) -> None:
        studio = running_studio(data)
        self._settings = Settings(data=data, port_base=studio.port_base) if studio else Settings(data=data)
        self._links = Links(self._settings)

    def get(self, service: str, path: str) -> Any:
        return self._ask("GET", self._links.make(service, path).url)

    def put(self, service: str, path: str, query: dict[str, str], content: bytes) -> Any:
        return self._ask("PUT", self._links.make(service, path, query, method="PUT").url, content)

    def _ask(self, method: str, url: str, content: bytes | None = None) -> Any:
        """Return the JSON response. Raise RequestRejected if it is an error, ServiceDown if there is no response."""
        has_own_address = self._settings.public_url is None
        connection = connection_to(url, self._settings.bearer_token, _TIMEOUT_S, same_machine=has_own_address)
        try:
            with closing(connection):
                connection.request(method, _target(url), content)
                answer = connection.getresponse()
                body = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise ServiceDown("The gateway does not answer. `consort up` starts the studio.") from error
        if answer.status >= 400:
            raise RequestRejected(ErrorResponse.model_validate_json(body))
        return json.loads(body)


class RequestRejected(Exception):
    """The service answered with an error."""

    def __init__(self, response: ErrorResponse) -> None:
        super().__init__(response.error.message)
        self.code = response.error.code


def _target(url: str) -> str:
    """Return the path and query of an address."""
    return urlsplit(url)._replace(scheme="", netloc="").geturl()
