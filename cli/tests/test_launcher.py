"""Test the launcher through the `consort` command, with tiny services in place of the real ones."""

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from consort_cli.launcher import run_folder, start_and_stop
from consort_kit.processes.studio_state import StudioState
from consort_kit.services import GATEWAY, SERVICES
from evaluation.processes.servers import free_port_base, wait_until
from tests.support.servers.storage_servers import ExternalPostgres

PARTS = {**SERVICES, "gateway": GATEWAY}
FAKE = """
import http.server, json, os, sys, threading
from consort_kit.processes.listening_sockets import free_ports_at_end, inherited

class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps({"service": "fake", "version": "0.1.0"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_):
        pass

def end_with_launcher():
    while sys.stdin.buffer.raw.read(1):
        pass
    os._exit(0)

def serve(name, offset):
    assert os.environ["CONSORT_WATCH_STDIN"] == "1" and os.environ["CONSORT_DATABASE_URL"].startswith("postgresql://")
    threading.Thread(target=end_with_launcher, daemon=True).start()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers, bind_and_activate=False)
    server.socket.close()
    [server.socket] = inherited()
    assert server.socket.getsockname()[1] == int(os.environ["CONSORT_PORT_BASE"]) + offset
    server.server_activate()
    free_ports_at_end([server.socket])
    line = {"time": "2026-01-01T12:00:00+00:00", "level": "INFO", "message": f"{name} plays", "beats": 4}
    print(json.dumps(line | {"service": name}), file=sys.stderr, flush=True)
    server.serve_forever()
"""


class LaunchedStudio:
    """A studio of tiny services in its own data folder. Call the object to run the `consort` command there."""

    def __init__(self, folder: Path, database_url: str | None = None) -> None:
        self.data = folder / "data"
        self.port_base = free_port_base()
        self.fakes = folder / "fakes"
        self.fakes.mkdir()
        (self.fakes / "fake_part.py").write_text(FAKE)
        for name, part in PARTS.items():
            code = f"from fake_part import serve\nserve({name!r}, {part.port_offset})\n"
            (self.fakes / f"{part.module}.py").write_text(code)
        self.environment = os.environ | {"PYTHONPATH": str(self.fakes), "CONSORT_DATA": str(self.data)}
        self.environment.pop("CONSORT_DATABASE_URL", None)
        if database_url:
            self.environment["CONSORT_DATABASE_URL"] = database_url

    def command(self, *arguments: str) -> list[str]:
        ports = ["--port-base", str(self.port_base)] if arguments[0] == "up" else []
        return [sys.executable, "-m", "consort_cli.main", *arguments, *ports]

    def __call__(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*arguments), env=self.environment, capture_output=True, text=True, timeout=60, check=False
        )

    def status(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self("status", "--json").stdout)
        return answer

    def state(self) -> StudioState:
        state = run_folder.running_studio(self.data)
        assert state is not None
        return state

    def pids(self) -> dict[str, int]:
        return {name: service.pid for name, service in self.state().services.items() if service.pid}

    def processes(self) -> list[psutil.Process]:
        """Return the processes with this data folder in their environment or command, without zombies."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                ours = process.environ().get("CONSORT_DATA") == str(self.data) or any(
                    str(self.data) in argument for argument in process.cmdline()
                )
                if ours and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExternalPostgres]:
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as running:
        yield running


@pytest.fixture
def studio(tmp_path: Path, postgres: ExternalPostgres) -> Iterator[LaunchedStudio]:
    """Return a studio that uses a running Postgres, so that no test has to create a cluster."""
    yield from _studio(LaunchedStudio(tmp_path, postgres.url))


@pytest.fixture
def whole_studio(tmp_path: Path) -> Iterator[LaunchedStudio]:
    """Return a studio with the embedded Postgres."""
    yield from _studio(LaunchedStudio(tmp_path))


def _studio(studio: LaunchedStudio) -> Iterator[LaunchedStudio]:
    yield studio
    studio("down")
    left = studio.processes()
    for process in left:
        process.kill()
    assert not left


def test_a_data_folder_remembers_its_ports(studio: LaunchedStudio) -> None:
    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        environment = {name: value for name, value in studio.environment.items() if name != "CONSORT_DATA"}
        command = [sys.executable, "-m", "consort_cli.main", *arguments, "--data", str(studio.data)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    first = run("up", "--detach", "--port-base", str(studio.port_base))
    assert first.returncode == 0, first.stdout + first.stderr
    assert f"next        ./consort install claude-desktop --data {studio.data}\n" in first.stdout, "the same studio"
    assert run("down").returncode == 0
    again = run("up", "--detach")
    assert again.returncode == 0 and f"http://127.0.0.1:{studio.port_base}/mcp" in again.stdout


def test_folders_with_music_become_private(studio: LaunchedStudio) -> None:
    """The data folder itself may be one of the user's, with rights of others."""
    folders = [studio.data / name for name in ("audio", "midi", "import", "export", "notation", "cache", "uploads")]
    for folder in folders:
        folder.mkdir(parents=True)
        folder.chmod(0o755)
    studio.data.chmod(0o755)
    assert studio("up", "--detach").returncode == 0
    assert {oct(folder.stat().st_mode & 0o777) for folder in [*folders, studio.data / "run"]} == {"0o700"}
    assert studio.data.stat().st_mode & 0o777 == 0o755


def test_a_token_that_could_be_guessed_is_named(studio: LaunchedStudio) -> None:
    studio.data.mkdir()
    (studio.data / "token").write_text("consort\n")
    done = studio("up", "--detach")
    assert done.returncode == 1
    assert f"The secret in {studio.data / 'token'} has 7 characters" in done.stderr


def test_up_detached_status_logs_and_down(whole_studio: LaunchedStudio) -> None:
    studio = whole_studio
    done = studio("up", "--detach")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"http://127.0.0.1:{studio.port_base}/mcp" in done.stdout
    assert "consort install claude-desktop" in done.stdout

    status = studio.status()
    assert status["healthy"] is True
    assert status["gateway_url"] == f"http://127.0.0.1:{studio.port_base}"
    assert set(status["services"]) == {*PARTS, "postgres"}
    for name, service in status["services"].items():
        assert set(service) == {"healthy", "url", "pid", "version"}
        assert service["healthy"] and psutil.pid_exists(service["pid"])
        assert service["version"].startswith("18.") if name == "postgres" else service["version"] == "0.1.0"

    again = studio("up", "--detach")
    assert (again.returncode, "already runs" in again.stdout) == (0, True)
    assert "midi-store  midi-store plays beats=4" in studio("logs", "midi-store").stdout
    assert "database system is ready" in studio("logs", "-n", "500").stdout
    assert json.loads(studio("logs", "audio", "--json", "-n", "1").stdout)["beats"] == 4
    assert studio("logs", "tuba").returncode == 1

    assert studio("down").returncode == 0
    assert studio.processes() == []
    assert studio("status", "--json").returncode == 1
    assert studio.status()["gateway_url"] is None
    assert studio("down").returncode == 0


def test_killed_processes_are_started_again_and_the_others_stay(whole_studio: LaunchedStudio) -> None:
    studio = whole_studio
    assert studio("up", "--detach").returncode == 0
    before = studio.pids()
    for name in ("midi-store", "postgres"):
        os.kill(before[name], signal.SIGKILL)
    wait_until(lambda: studio.state().services["postgres"].restarts > 0, "the crash is noticed")
    wait_until(lambda: start_and_stop.is_healthy(studio.state()), "all is healthy again")
    after = studio.pids()
    assert {name for name in before if before[name] != after[name]} == {"midi-store", "postgres"}
    assert studio.status()["healthy"] is True
    assert "it is started again in 0.2 s" in studio("logs", "launcher").stdout


def test_all_processes_end_with_a_killed_launcher_and_the_studio_starts_again(whole_studio: LaunchedStudio) -> None:
    studio = whole_studio
    assert studio("up", "--detach").returncode == 0
    os.kill(studio.state().launcher_pid, signal.SIGKILL)
    wait_until(lambda: not studio.processes(), "everything has ended")
    assert studio("status").returncode == 1
    assert studio("up", "--detach").returncode == 0


def test_the_state_of_a_killed_launcher_is_not_taken_for_the_new_one(studio: LaunchedStudio) -> None:
    """Another program has its process id now."""
    assert studio("up", "--detach").returncode == 0
    state = studio.state()
    os.kill(state.launcher_pid, signal.SIGKILL)
    wait_until(lambda: not studio.processes(), "everything has ended")
    state.launcher_pid = os.getpid()
    state.write(studio.data)
    assert studio("up", "--detach").returncode == 0
    assert studio.status()["healthy"] is True
    assert studio.state().launcher_pid != os.getpid()


def test_ctrl_c_stops_everything_it_started_and_nothing_else(whole_studio: LaunchedStudio) -> None:
    studio = whole_studio
    bystander = subprocess.Popen(["sleep", "60"])
    up = subprocess.Popen(
        studio.command("up"), env=studio.environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert up.stdout is not None
    shown = ""
    while "Ctrl-C" not in shown:
        shown += (line := up.stdout.readline())
        assert line, shown
    assert len(studio.processes()) >= 8
    os.killpg(up.pid, signal.SIGINT)  # a terminal also signals the whole group
    rest, _ = up.communicate(timeout=60)
    assert (up.returncode, "Consort has stopped" in rest) == (0, True)
    assert studio.processes() == []
    assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


def test_the_foreground_log_is_readable(studio: LaunchedStudio) -> None:
    up = subprocess.Popen(studio.command("up"), env=studio.environment, stdout=subprocess.PIPE, text=True)
    wait_until(lambda: run_folder.running_studio(studio.data) is not None, "it runs")
    wait_until(lambda: start_and_stop.is_healthy(studio.state()), "all is healthy")
    os.kill(studio.pids()["strudel"], signal.SIGKILL)
    wait_until(lambda: studio.state().services["strudel"].restarts == 1, "the crash is noticed")
    wait_until(lambda: start_and_stop.is_healthy(studio.state()), "all is healthy again")
    assert up.stdout is not None
    shown = ""
    for line in up.stdout:
        shown += line
        if "strudel plays" in shown.partition("ERROR strudel")[2]:
            break
    up.send_signal(signal.SIGTERM)
    shown += up.communicate(timeout=60)[0]
    assert "launcher    ERROR strudel ended with code -9" in shown
    assert "strudel     strudel plays beats=4" in shown
    assert "{" not in shown and "\x1b" not in shown
    assert "postgres" not in studio.status()["services"]


def test_a_busy_port_is_named(studio: LaunchedStudio) -> None:
    with socket.create_server(("127.0.0.1", studio.port_base + 3)):
        for how in ([], ["--detach"]):
            done = studio("up", *how)
            assert done.returncode == 1
            assert f"Port {studio.port_base + 3}, which audio needs, is in use" in done.stderr
            assert "--port-base" in done.stderr
    assert studio.processes() == []


@pytest.mark.parametrize("how", [[], ["--detach"]])
def test_a_service_that_cannot_start_fails_the_start_and_shows_its_log(studio: LaunchedStudio, how: list[str]) -> None:
    (studio.fakes / "consort_audio.py").write_text("raise SystemExit('the horn is broken')\n")
    done = studio("up", *how)
    assert done.returncode == 1
    assert "the horn is broken" in done.stderr and "audio cannot be started" in done.stderr
    assert studio.processes() == []


def test_many_starts_at_once_start_one_studio(studio: LaunchedStudio) -> None:
    starts = [subprocess.Popen(studio.command("up", "--detach"), env=studio.environment) for _ in range(3)]
    assert [start.wait(timeout=60) for start in starts] == [0, 0, 0]
    launchers = [process for process in studio.processes() if "consort_cli.launcher.run_studio" in process.cmdline()]
    assert [process.pid for process in launchers] == [studio.state().launcher_pid]


def test_a_start_right_after_down_waits_for_the_end(studio: LaunchedStudio) -> None:
    assert studio("up", "--detach").returncode == 0
    before = studio.state().launcher_pid
    run_folder.stop_marker(studio.data).touch()
    assert studio("up", "--detach").returncode == 0
    assert studio.state().launcher_pid != before


def test_a_studio_started_for_a_client_stops_after_the_client_has_ended(
    studio: LaunchedStudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in studio.environment.items():
        monkeypatch.setenv(name, value)
    with run_folder.register_client(studio.data):
        started = start_and_stop.ensure_running(studio.data, studio.port_base, while_used=True, idle_s=1.0)
        assert started.started and started.is_alive()
        started.wait()
        time.sleep(1.8)
        assert started.studio() is not None
        shared = start_and_stop.ensure_running(studio.data, while_used=True)
        assert not shared.started
    wait_until(lambda: not started.is_alive(), "the unused studio has stopped")
    assert started.failure() is None

    kept = start_and_stop.ensure_running(studio.data, studio.port_base, while_used=True, idle_s=1.0)
    kept.wait()
    assert studio("up", "--detach").returncode == 0  # an explicit start makes it stay
    time.sleep(1.8)
    assert kept.studio() is not None


def test_a_failed_launch_says_why(studio: LaunchedStudio, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in studio.environment.items():
        monkeypatch.setenv(name, value)
    with socket.create_server(("127.0.0.1", studio.port_base)):
        started = start_and_stop.ensure_running(studio.data, studio.port_base, while_used=True)
        wait_until(lambda: started.failure() is not None, "the failure is known")
    assert f"Port {studio.port_base}, which gateway needs, is in use" in str(started.failure())


def test_no_other_program_can_take_a_port(studio: LaunchedStudio) -> None:
    """Try all the time to take the ports, also while crashed processes are started again."""
    done, taken, tries = threading.Event(), [], 0

    def try_to_take() -> None:
        nonlocal tries
        while not done.is_set():
            for host, part in itertools.product(("127.0.0.1", "0.0.0.0"), PARTS.values()):
                with socket.socket() as stranger, suppress(OSError):
                    stranger.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    stranger.bind((host, studio.port_base + part.port_offset))
                    stranger.listen()
                    taken.append(part)
            tries += 1
            time.sleep(0.001)

    assert studio("up", "--detach").returncode == 0
    before = studio.pids()
    thread = threading.Thread(target=try_to_take)
    thread.start()
    try:
        for name in PARTS:
            os.kill(before[name], signal.SIGKILL)
        wait_until(lambda: all(studio.state().services[name].restarts for name in PARTS), "the crashes are noticed")
        wait_until(lambda: start_and_stop.is_healthy(studio.state()), "all are healthy again")
    finally:
        done.set()
        thread.join()
    assert tries > 20 and not taken
    for name in PARTS:
        assert studio.pids()[name] != before[name]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot stop listening without closing the socket")
def test_connections_are_refused_while_a_process_is_restarted(studio: LaunchedStudio) -> None:
    assert studio("up", "--detach").returncode == 0
    port = studio.port_base + PARTS["audio"].port_offset
    os.kill(studio.pids()["audio"], signal.SIGKILL)
    wait_until(lambda: studio.state().services["audio"].state == "restarting", "the crash is noticed", poll_s=0.005)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=2)
