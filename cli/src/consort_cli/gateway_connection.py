"""Open HTTP connections to the gateway. Over plain HTTP, the gateway first proves that it knows the token."""

import http.client
from urllib.parse import urlsplit

from consort_kit.http.server_proof import ExpectedServer, require_proof


def connection_to(
    gateway_url: str, token: str, timeout_s: float, *, same_machine: bool = True
) -> http.client.HTTPConnection:
    """Return a connection that opens itself at the first request, and again after it was closed.

    Opening it raises `NoProof` if another program listens there. `same_machine` is False if a container or a proxy may
    lie between.
    """
    address = urlsplit(gateway_url)
    host = address.hostname or "127.0.0.1"
    if address.scheme == "https":
        return http.client.HTTPSConnection(host, address.port, timeout=timeout_s)
    return _ProvenConnection(host, address.port, timeout_s, ExpectedServer("gateway", token, same_machine))


class _ProvenConnection(http.client.HTTPConnection):
    def __init__(self, host: str, port: int | None, timeout_s: float, server: ExpectedServer) -> None:
        super().__init__(host, port, timeout=timeout_s)
        self._server = server

    def connect(self) -> None:
        super().connect()
        try:
            require_proof(self.sock, self.host, self._server)
        except BaseException:
            self.close()
            raise
