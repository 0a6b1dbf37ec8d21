"""The launcher keeps the ports of the studio: nobody else can take them, whether a service listens or not."""

import multiprocessing
import os
import socket
import sys
from collections.abc import Callable, Sequence
from itertools import product

import pytest

from consort_kit.processes.listening_sockets import CannotListen, bind, free_ports_at_end, reserve, stop_listening
from evaluation.processes.servers import free_port, listens

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems are not tested")
other_user = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can change its user")
OPTIONS: list[tuple[int, ...]] = [(), (socket.SO_REUSEADDR,)]
if sys.platform != "win32":
    OPTIONS += [(socket.SO_REUSEPORT,), (socket.SO_REUSEADDR, socket.SO_REUSEPORT)]


def can_take(port: int, options: Sequence[tuple[int, ...]]) -> bool:
    """Return whether a program with some of these options can listen on the port."""
    for given, host in product(options, ("127.0.0.1", "0.0.0.0")):
        with socket.socket() as stranger:
            for option in given:
                stranger.setsockopt(socket.SOL_SOCKET, option, 1)
            try:
                stranger.bind((host, port))
                stranger.listen()
            except OSError:
                continue
            return True
    return False


def same_user_can_take(port: int) -> bool:
    return can_take(port, OPTIONS[:2])


def other_user_can_take(port: int) -> bool:
    def attempt() -> None:
        os.setuid(12345)
        sys.exit(can_take(port, OPTIONS))

    child = multiprocessing.get_context("fork").Process(target=attempt)
    child.start()
    child.join()
    return child.exitcode != 0


@pytest.mark.parametrize("taken", [same_user_can_take, pytest.param(other_user_can_take, marks=other_user)])
def test_nobody_can_take_a_reserved_port(taken: Callable[[int], bool]) -> None:
    port = free_port()
    [ours] = reserve("127.0.0.1", port)
    with ours:
        assert not taken(port) and not listens(port)
        for _ in range(3):  # a service starts, answers, ends its connection first, and crashes
            ours.listen()
            free_ports_at_end([ours])
            assert not taken(port)
            with socket.create_connection(("127.0.0.1", port)) as client:
                ours.accept()[0].close()
                assert client.recv(1) == b""
            stop_listening([ours])
            assert not taken(port) and not listens(port)
    with bind("127.0.0.1", port)[0]:
        pass  # the port is free at once, although connections to it were closed a moment ago


def test_a_port_that_is_in_use_cannot_be_reserved() -> None:
    port = free_port()
    with bind("127.0.0.1", port)[0] as other:
        with reserve("127.0.0.1", port)[0]:
            with pytest.raises(OSError, match="in use"):
                other.listen()  # it was bound earlier, but listens too late
            with pytest.raises(CannotListen, match=f"cannot listen on 127.0.0.1, port {port}"):
                reserve("127.0.0.1", port)
        other.listen()
        with pytest.raises(CannotListen, match="in use"):
            reserve("127.0.0.1", port)


def test_waiting_connections_end_when_a_service_ends() -> None:
    port = free_port()
    with reserve("127.0.0.1", port)[0] as ours:
        ours.listen()
        with socket.create_connection(("127.0.0.1", port)) as client:
            stop_listening([ours])
            with pytest.raises(ConnectionResetError):
                client.recv(1)


def test_a_service_that_ended_by_itself_can_be_started_again() -> None:
    """It stops listening, and so does the launcher when it has ended. The next one must not lose connections."""
    port = free_port()
    with reserve("127.0.0.1", port)[0] as ours:
        for _ in range(2):
            stop_listening([ours])
        ours.listen()
        with socket.create_connection(("127.0.0.1", port)) as client, ours.accept()[0] as accepted:
            accepted.settimeout(0.1)
            with pytest.raises(TimeoutError):
                accepted.recv(1)  # nothing was sent yet; b"" would be the end
            client.sendall(b"x")
            assert accepted.recv(1) == b"x"
