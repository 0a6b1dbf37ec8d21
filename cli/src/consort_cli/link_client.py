"""Send HTTP requests to services through the gateway, with links signed with the studio's token."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from consort_cli.launcher.start_and_stop import running_studio
from consort_kit.errors import ErrorResponse, ServiceDown
from consort_kit.http.signed_links import Links
from consort_kit.settings import Settings

_TIMEOUT_S = 120


class LinkClient:
    def __init__(self, data: Path) -> None:
        studio = running_studio(data)
        self._links = Links(Settings(data=data, port_base=studio.port_base) if studio else Settings(data=data))

    def get(self, service: str, path: str) -> Any:
        return self._ask(urllib.request.Request(self._links.make(service, path).url))

    def put(self, service: str, path: str, query: dict[str, str], content: bytes) -> Any:
        url = self._links.make(service, path, query, method="PUT").url
        return self._ask(urllib.request.Request(url, data=content, method="PUT"))

    def _ask(self, request: urllib.request.Request) -> Any:
        """Return the JSON response. Raise RequestRejected if it is an error, ServiceDown if there is no response."""
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise RequestRejected(ErrorResponse.model_validate_json(error.read())) from None
        except OSError as error:
            raise ServiceDown("The gateway does not answer. `consort up` starts the studio.") from error


class RequestRejected(Exception):
    """The service answered with an error."""

    def __init__(self, response: ErrorResponse) -> None:
        super().__init__(response.error.message)
        self.code = response.error.code
