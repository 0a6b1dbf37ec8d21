"""Server processes for tests and measurements: find a free port, start a process, wait until it is ready, stop it."""

import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from consort_cli.launcher.embedded_postgres import EmbeddedPostgres
from consort_kit.services import POSTGRES_PORT_OFFSET

STOP_TIMEOUT_S = 20.0


def free_port() -> int:
    """Return a free port of the loopback address."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def free_port_base() -> int:
    """Return a port base for a studio. The ports of all its processes, which start at the base, are free."""
    while True:
        base = random.randrange(20000, 32000, 10)
        try:
            for port in range(base, base + POSTGRES_PORT_OFFSET + 1):
                with socket.socket() as probe:
                    probe.bind(("127.0.0.1", port))
        except OSError:
            continue
        return base


def wait_until(
    condition: Callable[[], object],
    what: str,
    timeout_s: float = 60.0,
    *,
    child: "subprocess.Popen[Any] | None" = None,
    poll_s: float = 0.02,
) -> None:
    """Wait until `condition` is true. Raise AssertionError after the timeout, or if the child process has ended.

    `what` describes the condition in the message, such as "Postgres is ready".
    """
    end = time.monotonic() + timeout_s
    while not condition():
        assert child is None or child.poll() is None, f"{child.args!r} ended before {what}"
        assert time.monotonic() < end, f"after {timeout_s:g} s it is still not true that {what}"
        time.sleep(poll_s)


def listens(port: int) -> bool:
    """Return whether a process accepts connections on this port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


def is_healthy(port: int) -> bool:
    """Return whether a service on this port answers 200 to `GET /health`."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


@contextmanager
def running_process(command: list[str], environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a child process. The body of the `with` statement must make it stop at its end.

    Its output is shown only if something fails. It is killed if it still runs after STOP_TIMEOUT_S.
    """
    with tempfile.TemporaryFile() as output:
        child = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            yield child
            child.wait(STOP_TIMEOUT_S)
        except BaseException:
            output.seek(0)
            sys.stderr.write(output.read().decode(errors="replace"))
            raise
        finally:
            child.kill()
            child.wait()


@contextmanager
def running_service(
    module: str, data: str, database_url: str, **settings: str
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a service of the studio on a free port. Yield the port and the process when the service is healthy."""
    port = free_port()
    given = {"CONSORT_DATA": data, "CONSORT_DATABASE_URL": database_url, "CONSORT_PORT": str(port)}
    with running_process([sys.executable, "-m", module], os.environ | given | settings) as child:
        wait_until(lambda: is_healthy(port), f"{module} is healthy", child=child, poll_s=0.002)
        yield port, child
        child.terminate()


@contextmanager
def embedded_postgres(folder: Path) -> Iterator[tuple[str, float]]:
    """Run a new embedded Postgres. Yield its URL and its start time in seconds, not counting the cluster's creation."""
    postgres = EmbeddedPostgres(folder, free_port())
    postgres.prepare()
    began = time.perf_counter()
    with running_process(postgres.command(), postgres.environment) as child:
        wait_until(lambda: postgres.is_ready(child.pid), "Postgres is ready", child=child, poll_s=0.002)
        yield postgres.url, time.perf_counter() - began
        postgres.send_stop(child.pid)
