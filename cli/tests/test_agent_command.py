"""Test `consort agent` with a script in place of `docker`. tests/containers uses the real Docker."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaluation.processes.servers import free_port, listens, wait_until

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs a `docker` script, and all of 127.0.0.0/8")
BRIDGE = "127.0.0.2"  # stands for the address of Docker's bridge


@pytest.fixture
def port() -> int:
    return free_port()


def docker_script(folder: Path, network: list[dict[str, str]], answer: str, code: int = 0) -> dict[str, str]:
    """Return an environment in which `docker` is a script that prints `network` and `answer`."""
    script = folder / "docker"
    script.write_text(
        f"""#!/bin/sh
case "$*" in
  "network inspect bridge "*) echo '{json.dumps(network)}' ;;
  "compose exec -T gateway "*) echo '{answer}' {">&2" if code else ""}; exit {code} ;;
  *) exit 99 ;;
esac
"""
    )
    script.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CONSORT_")}
    return environment | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "CONSORT_DATA": str(folder / "data")}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "consort_cli.main", "agent", *arguments]


@contextmanager
def agent(environment: dict[str, str], *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        command(*arguments),
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        # a shell that runs the tests in the background ignores SIGINT, and children inherit this
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def status(host: str, port: int, token: str) -> int:
    """Return the status of a route that needs the token, after waiting for the agent to start."""
    deadline = time.monotonic() + 20
    while True:
        connection = http.client.HTTPConnection(host, port, timeout=5)
        try:
            connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})
            return connection.getresponse().status
        except ConnectionRefusedError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        finally:
            connection.close()


@linux
@pytest.mark.parametrize("network", [{"Gateway": BRIDGE, "Subnet": "127.0.0.0/8"}, {"Subnet": f"{BRIDGE}/31"}])
def test_token_and_port_come_from_the_studio_in_docker(tmp_path: Path, port: int, network: dict[str, str]) -> None:
    in_a_virtual_machine = {"Gateway": "203.0.113.1", "Subnet": "203.0.113.0/24"}
    answer = f"token-of-the-studio http://host.docker.internal:{port}"
    with agent(docker_script(tmp_path, [network, in_a_virtual_machine], answer), "--docker") as running:
        assert running.stdout is not None
        assert f" on 127.0.0.1:{port} and {BRIDGE}:{port};" in running.stdout.readline()
        for host in ("127.0.0.1", BRIDGE):
            assert status(host, port, "token-of-the-studio") == 200
            assert status(host, port, "another") == 401


@linux
def test_a_given_token_needs_no_running_studio(tmp_path: Path, port: int) -> None:
    environment = docker_script(tmp_path, [{"Subnet": "203.0.113.0/24"}], "it does not run", 1)
    base = ["--port-base", str(port - 5)]
    with agent(environment | {"CONSORT_TOKEN": "given-by-the-user"}, "--docker", *base):
        assert status("127.0.0.1", port, "given-by-the-user") == 200
    failed = subprocess.run(command("--docker", *base), env=environment, capture_output=True, text=True)
    assert failed.returncode == 1
    assert "it does not run" in failed.stderr and "docker compose up" in failed.stderr
    assert "Traceback" not in failed.stderr


@linux
def test_without_docker_the_data_folder_has_the_token(tmp_path: Path, port: int) -> None:
    environment = docker_script(tmp_path, [], "", 1) | {"CONSORT_PORT_BASE": str(port - 5)}
    with agent(environment) as running:
        assert running.stdout is not None and f"127.0.0.1:{port};" in running.stdout.readline()
        assert status("127.0.0.1", port, "another") == 401
        assert status("127.0.0.1", port, (tmp_path / "data" / "token").read_text().strip()) == 200


@linux
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_remains_after_a_signal(tmp_path: Path, port: int, kind: signal.Signals) -> None:
    environment = docker_script(tmp_path, [], "", 1) | {
        "CONSORT_PORT_BASE": str(port - 5),
        "CONSORT_TOKEN": "given-by-the-user",
    }
    with agent(environment) as running:
        assert status("127.0.0.1", port, "given-by-the-user") == 200
        running.send_signal(kind)
        assert running.wait(20) == (0 if kind == signal.SIGINT else -kind)
    wait_until(lambda: not listens(port), "nothing listens any more", 20)


def test_no_docker_at_all(tmp_path: Path) -> None:
    done = subprocess.run(
        command("--docker"), env={**os.environ, "PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 1 and "no `docker` command" in done.stderr
