"""Call a service's tools over one HTTP connection."""

import json
from http.client import HTTPConnection
from typing import Any

TOKEN = "this-is-not-secret"
"""Start the service with CONSORT_TOKEN set to this."""


class ServiceCaller:
    """Call it as `caller("tool", argument=…)`: it returns the JSON result. The call must succeed."""

    def __init__(self, port: int) -> None:
        self._http = HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}

    def __call__(self, tool: str, **arguments: Any) -> Any:
        self._http.request("POST", f"/tools/{tool}", json.dumps(arguments), self._headers)
        answer = self._http.getresponse()
        body = json.loads(answer.read())
        assert answer.status == 200, body
        return body
