"""The gateway's links, used by the command line itself: whoever has the token may sign them."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from consort_cli.launch import running_stack
from consort_kit.errors import ErrorResponse, ServiceDown
from consort_kit.links import Links
from consort_kit.settings import Settings

_TIMEOUT_S = 120


class Door:
    def __init__(self, data: Path) -> None:
        stack = running_stack(data)
        self._links = Links(Settings(data=data, port_base=stack.port_base) if stack else Settings(data=data))

    def get(self, service: str, path: str) -> Any:
        return self._ask(urllib.request.Request(self._links.make(service, path).url))

    def put(self, service: str, path: str, query: dict[str, str], content: bytes) -> Any:
        url = self._links.make(service, path, query, method="PUT").url
        return self._ask(urllib.request.Request(url, data=content, method="PUT"))

    def _ask(self, request: urllib.request.Request) -> Any:
        """The JSON answer; raises Refused with the service's own words, ServiceDown when nobody is there."""
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Refused(ErrorResponse.model_validate_json(error.read())) from None
        except OSError as error:
            raise ServiceDown("The gateway does not answer. `consort up` starts the studio.") from error


class Refused(Exception):
    def __init__(self, response: ErrorResponse) -> None:
        super().__init__(response.error.message)
        self.code = response.error.code
