"""Let a server prove that it knows the token, before a client sends the token to it.

Any user of the machine can listen on a free port. Therefore a client asks on each new TCP connection, before anything
else: `GET /proof` with a challenge of a random nonce, the name of the server, the port it has connected to, and its
own address. The server answers with an HMAC of the challenge, with a key made from the token. Only then does the
client send requests with the token, on the same connection.

Why this is enough:
- Each connection needs its own proof, so a pool that connects again, perhaps to another process, asks again.
- The nonce is new, so an old proof is useless.
- A stranger who forwards the challenge to a real server gets no proof: the server refuses a challenge with another
  name or port than its own. It also refuses one with another client address than that of the connection on which it
  arrives, which for a forwarded challenge is the stranger's. So it does not help the stranger if the real server has
  the same port later, or on another address.
- The client address is `-` if an address translation may lie between client and server, as with containers. Then a
  stranger must take the port, free it again, and forward the challenge to the real server that takes the port within
  `PROOF_TIMEOUT_S`.
- The token and the key cannot be computed from a proof. A token that a user made up could be guessed from one, which
  is one reason why it needs at least 16 characters. The key serves no other purpose.
- After the proof, nobody else can answer on the connection: the kernel delivers it to the process that accepted it.

With https, the certificate is the proof. Standard library only, so that the command line starts fast.
"""

import hashlib
import hmac
import re
import secrets
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

PATH = "/proof"
PROOF_TIMEOUT_S = 4.0
ANY_ADDRESS = "-"
_CHALLENGE_HEADER = b"consort-challenge"
_PROOF_HEADER = b"consort-proof"
_HEAD_BYTES = 4096
_CHALLENGE = re.compile(r"[0-9a-f]{32} [a-z-]{1,40} [0-9]{1,5} (-|[0-9a-f.:]{2,60})")


class NoProof(OSError):
    """The program at the address did not prove that it is the expected server. It has not received the token."""


@dataclass(frozen=True)
class ExpectedServer:
    """Who should listen at an address, and the token that it should know."""

    name: str
    token: str
    same_machine: bool = True
    """Whether client and server see the same address of the client: no container or proxy lies between them."""

    def challenge(self, host: str, port: int, client: tuple[str, int]) -> "Challenge":
        """Make the challenge for one connection. `client` is the client's address on it."""
        address = f"{client[0]}:{client[1]}" if self.same_machine else ANY_ADDRESS
        text = f"{secrets.token_hex(16)} {self.name} {port} {address}"
        return Challenge(self, f"{host}:{port}", text)


@dataclass(frozen=True)
class Challenge:
    """What is sent on a connection, and the check of the answer."""

    server: ExpectedServer
    address: str
    text: str

    @property
    def request(self) -> bytes:
        lines = (f"GET {PATH} HTTP/1.1", f"Host: {self.address}", f"{_CHALLENGE_HEADER.decode()}: {self.text}", "", "")
        return "\r\n".join(lines).encode()

    def is_answered(self, received: bytes) -> bool:
        """Return whether `received` is the right proof, or False if more is to come. Raise NoProof if it is wrong."""
        head, end, rest = received.partition(b"\r\n\r\n")
        if not end and len(received) <= _HEAD_BYTES:
            return False
        status, *lines = head.lower().split(b"\r\n")
        headers = dict(line.split(b": ", 1) for line in lines if b": " in line)
        is_right = hmac.compare_digest(headers.get(_PROOF_HEADER, b""), proof_of(self.server.token, self.text))
        # A body would be taken for the beginning of the next answer.
        is_whole = bool(end) and not rest and headers.get(b"content-length") == b"0"
        if not (is_right and is_whole and status.split(b" ")[1:2] == [b"200"]):
            raise self.failed()
        return True

    def failed(self) -> NoProof:
        return NoProof(f"the program at {self.address} did not prove that it is our {self.server.name}")


def proof_of(token: str, challenge: str) -> bytes:
    key = hmac.digest(token.encode(), b"consort server proof", hashlib.sha256)
    return hmac.digest(key, challenge.encode(), hashlib.sha256).hex().encode()


def require_proof(connection: socket.socket, host: str, server: ExpectedServer) -> None:
    """Ask for the proof on a connection that was just opened. Raise NoProof or another OSError if it does not come."""
    before = connection.gettimeout()
    connection.settimeout(PROOF_TIMEOUT_S)
    challenge = server.challenge(host, connection.getpeername()[1], connection.getsockname()[:2])
    connection.sendall(challenge.request)
    received = b""
    while not challenge.is_answered(received):
        part = connection.recv(_HEAD_BYTES)
        if not part:
            raise challenge.failed()
        received += part
    connection.settimeout(before)


class ProofRoute:
    """Middleware that answers challenges and passes all other requests on."""

    def __init__(self, app: "ASGIApp", *, name: str, token: str, more_ports: frozenset[int]) -> None:
        """`more_ports` are ports at which clients reach this server, besides the one at which it listens."""
        self._app = app
        self._name = name
        self._token = token
        self._more_ports = more_ports

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        sent = dict(scope["headers"]).get(_CHALLENGE_HEADER, b"").decode("latin-1")
        proof = self._answer(sent, scope["server"], scope["client"])
        headers = [(b"content-length", b"0")] + ([(_PROOF_HEADER, proof)] if proof else [])
        await send({"type": "http.response.start", "status": 200 if proof else 403, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    def _answer(self, challenge: str, own: tuple[str, int], client: tuple[str, int]) -> bytes | None:
        """Return the proof, or None if the challenge is not for this server or not from this client."""
        if not _CHALLENGE.fullmatch(challenge):
            return None
        _, name, port, address = challenge.split(" ")
        is_ours = name == self._name and int(port) in {own[1], *self._more_ports}
        is_direct = address in (ANY_ADDRESS, f"{client[0]}:{client[1]}")
        return proof_of(self._token, challenge) if is_ours and is_direct else None
