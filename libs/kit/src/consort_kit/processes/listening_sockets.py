"""The sockets at which a service listens: bound by the service, or inherited from the launcher.

The launcher binds all ports of the studio and keeps them until it ends, so that no other program can take one, not
even while a crashed service is restarted. Its children inherit the sockets; `CONSORT_SOCKETS` has their numbers.

A bound socket that does not listen refuses connections, as a stopped service should. Since listening belongs to the
socket and not to a process, `stop_listening` must be called when a service ends. On Linux the options matter, because
the kernel compares them with those of other sockets, also of closed connections, which keep a port for a minute:
- SO_REUSEADDR on both lets two programs bind a port, until one listens. Reserved sockets have it only while they
  listen, so that closed connections, which inherit it, keep nobody from binding the port when the studio has ended.
- SO_REUSEPORT on both lets programs of the same user bind a port. Reserved sockets have it, so that they can listen
  again. Nobody else gains from it, and to find other programs of this user, `reserve` first binds a socket without it.

Other systems cannot stop listening without closing. There, SO_REUSEADDR does not let others take a bound port, and
after a crash connections wait for the next start of the service. Windows cannot hand sockets to children in this way:
there the services bind their ports, and only the proof (`consort_kit.http.server_proof`) keeps the token from others.
"""

import os
import socket
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress

VARIABLE = "CONSORT_SOCKETS"
CAN_INHERIT = sys.platform != "win32"
_CAN_STOP_LISTENING = sys.platform == "linux"


class CannotListen(OSError):
    """An address cannot be used. The message names it and says why."""


def bind(hosts: str, port: int, *, share_with_own: bool = False) -> list[socket.socket]:
    """Return a socket bound to the port at each address in `hosts`, a text with commas between the addresses.

    With `share_with_own`, other sockets of this user that have SO_REUSEPORT may be bound to it. Raise CannotListen
    if an address cannot be used.
    """
    sockets = []
    with ExitStack() as taken:
        for host in map(str.strip, hosts.split(",")):
            try:
                family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
                new = taken.enter_context(socket.socket(family, kind, protocol))
                if os.name != "nt":  # on Windows it would let two servers share the port
                    new.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if share_with_own:
                    new.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                if family == socket.AF_INET6:
                    new.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                new.bind(address)
            except OSError as error:
                raise CannotListen(error.errno, f"cannot listen on {host}, port {port}: {error.strerror}") from error
            sockets.append(new)
        taken.pop_all()  # no error: keep the sockets open
    return sockets


def reserve(hosts: str, port: int) -> list[socket.socket]:
    """Bind the ports as `bind` does, and so that no other user's program can take them from now on.

    They refuse connections until a child listens. Raise CannotListen if another program has an address already.
    """
    for each in bind(hosts, port):
        with each:
            _listen(each)  # fails if another program has bound it, too
    if not _CAN_STOP_LISTENING:
        return bind(hosts, port)
    sockets = bind(hosts, port, share_with_own=True)
    for each in sockets:
        _listen(each)
    stop_listening(sockets)
    return sockets


def _listen(bound: socket.socket) -> None:
    try:
        bound.listen()
    except OSError as error:
        host, port = bound.getsockname()[:2]
        raise CannotListen(error.errno, f"cannot listen on {host}, port {port}: {error.strerror}") from error


def free_ports_at_end(sockets: Iterable[socket.socket]) -> None:
    """Let other programs bind the ports as soon as the studio has ended. The sockets must be listening."""
    if CAN_INHERIT:
        for each in sockets:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def stop_listening(sockets: Iterable[socket.socket]) -> None:
    """Refuse connections, also those that no process has accepted yet, and keep the ports.

    A socket that does not listen is left alone: Linux would remember the shutdown, fail nevertheless, and end all
    connections of the next service as soon as they are accepted.
    """
    if _CAN_STOP_LISTENING:
        for each in sockets:
            with suppress(OSError):  # it was closed, or another process has stopped it meanwhile
                each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)  # first: while it listens, it is safe
                if each.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    each.shutdown(socket.SHUT_RD)


def numbers_of(sockets: Sequence[socket.socket]) -> str:
    """Return the value of CONSORT_SOCKETS for a child that inherits these sockets."""
    return ",".join(str(each.fileno()) for each in sockets)


def inherited() -> list[socket.socket]:
    """Return the sockets that the launcher handed to this process, if any. Its own children inherit nothing."""
    numbers = os.environ.pop(VARIABLE, "")
    sockets = [socket.socket(fileno=int(number)) for number in numbers.split(",") if number]
    for each in sockets:
        each.set_inheritable(False)
    return sockets
