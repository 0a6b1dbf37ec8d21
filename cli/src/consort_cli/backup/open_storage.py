"""Open the database of a data folder. If its studio does not run, run the embedded Postgres meanwhile."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from consort_cli.backup.archive import BackupError
from consort_cli.file_lock import FileLock
from consort_cli.launcher import run_folder
from consort_cli.launcher.embedded_postgres import EmbeddedPostgres
from consort_cli.log_lines import log_file
from consort_kit.data_folder import make_private_folder
from consort_kit.services import POSTGRES_PORT_OFFSET

_START_S = 60.0
_STOP_S = 60.0


@contextmanager
def stopped_studio(data: Path) -> Iterator[None]:
    """Make sure that no studio of this data folder starts meanwhile. Raise BackupError if one runs."""
    lock: FileLock = run_folder.launcher_lock(data)
    if not lock.acquire():
        raise BackupError(f"A studio runs, or is starting or stopping, in {data}. Stop it with `./consort down`.")
    try:
        yield
    finally:
        lock.release()


@contextmanager
def database_url(data: Path) -> Iterator[str]:
    """Yield the address of the database of a data folder."""
    if given := os.environ.get("CONSORT_DATABASE_URL"):
        yield given
        return
    studio = run_folder.running_studio(data)
    if studio is not None:
        yield EmbeddedPostgres(data, studio.port_base + POSTGRES_PORT_OFFSET).url
        return
    if not (data / "postgres").is_dir():
        raise BackupError(f"There is no studio in {data}. Name its folder with --data DIR.")
    with stopped_studio(data), embedded_postgres(data) as url:
        yield url


@contextmanager
def embedded_postgres(data: Path) -> Iterator[str]:
    """Run the embedded Postgres of a data folder, which is made if it is missing. The caller holds the lock."""
    postgres = EmbeddedPostgres(data, _free_port())
    postgres.prepare()
    make_private_folder(data / "logs")
    with log_file(data, "postgres").open("ab") as log:
        process = subprocess.Popen(
            postgres.command(), env=postgres.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        end = time.monotonic() + _START_S
        while not postgres.is_ready(process.pid):
            if process.poll() is not None or time.monotonic() > end:
                raise BackupError(f"The embedded Postgres does not start; see {log_file(data, 'postgres')}.")
            time.sleep(0.05)
        yield postgres.url
    finally:
        if process.poll() is None:
            postgres.send_stop(process.pid)
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            postgres.send_stop(process.pid, at_once=True)
            process.wait()
        postgres.address.remove_folder()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
