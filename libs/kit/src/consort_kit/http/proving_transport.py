"""The transport of the service client: each new connection begins with the server's proof (see `server_proof`)."""

import asyncio
import logging
from collections.abc import Iterable, Mapping

import httpcore2
import httpx2

from consort_kit.http.server_proof import PROOF_TIMEOUT_S, ExpectedServer, NoProof

_log = logging.getLogger("consort")

Address = tuple[str, int]
SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class StrangerListens(httpcore2.ConnectError):
    """Another program listens at the address of a server."""


class ProvingTransport(httpx2.AsyncHTTPTransport):
    def __init__(self, servers: Mapping[Address, ExpectedServer | None], limits: httpx2.Limits) -> None:
        """Make a transport for these servers, by host and port. One that is None is reached with https.

        Do not call the base class, which would load the certificates for https: with the pool it needs them no more.
        """
        self._pool = httpcore2.AsyncConnectionPool(
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=_ProvingBackend(servers),
        )


class _ProvingBackend(httpcore2.AsyncNetworkBackend):
    def __init__(self, servers: Mapping[Address, ExpectedServer | None]) -> None:
        self._servers = servers
        self._network = httpcore2.AnyIOBackend()
        self._reported: set[Address] = set()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SocketOption] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        stream = await self._network.connect_tcp(host, port, timeout, local_address, socket_options)
        server = self._servers[host, port]
        if server is None:
            return stream
        try:
            async with asyncio.timeout(min(timeout or PROOF_TIMEOUT_S, PROOF_TIMEOUT_S)):
                await _require_proof(stream, host, port, server)
        except BaseException as error:
            await stream.aclose()
            match error:
                case TimeoutError():
                    raise httpcore2.ConnectTimeout(f"{server.name} sent no proof") from error
                case NoProof():
                    if (host, port) not in self._reported:
                        self._reported.add((host, port))
                        _log.warning("%s; the token was not sent", error)
                    raise StrangerListens(str(error)) from error
                case httpcore2.NetworkError():  # ended: nothing but the challenge was sent
                    raise httpcore2.ConnectError(str(error)) from error
            raise
        return stream


async def _require_proof(stream: httpcore2.AsyncNetworkStream, host: str, port: int, server: ExpectedServer) -> None:
    challenge = server.challenge(host, port, stream.get_extra_info("client_addr")[:2])
    await stream.write(challenge.request)
    received = b""
    while not challenge.is_answered(received):
        part = await stream.read(4096)
        if not part:
            raise challenge.failed()
        received += part
