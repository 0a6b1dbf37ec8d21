"""Start the database of a studio in containers, and make it first if its volume is empty.

    start.py            make the database if there is none, and become the server
    start.py upgrade    make the database as a copy of the one that the server at OLD_HOST has, and end

As in a studio without containers, Postgres has one database and one ordinary role, both named `consort`. The password
is random. It is in a file that libpq reads (PGPASSFILE), in a volume that the services mount, too.
"""

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

NAME = "consort"
VERSION = subprocess.run(["postgres", "--version"], check=True, capture_output=True, text=True).stdout.split()[-1]
CLUSTER = Path("/database") / VERSION.partition(".")[0]
PASSWORD_FILE = Path("/credentials/pgpass")
VOLUME_BEFORE = Path("/before")
"""The volume of the database before Postgres 18, which had another image, and so another owner."""
SOCKETS = "/tmp"
SETTINGS = {
    "listen_addresses": "*",
    "unix_socket_directories": "",
    "cluster_name": "consort",
    "timezone": "UTC",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "dynamic_shared_memory_type": "mmap",
    "max_wal_size": "256MB",
    "io_method": "sync",
    "jit": "off",
    "log_checkpoints": "off",
}


def main() -> None:
    is_upgrade = sys.argv[1:] == ["upgrade"]
    if is_upgrade and CLUSTER.exists():
        sys.exit(f"There is a database of Postgres {CLUSTER.name} already. Nothing was changed.")
    if not CLUSTER.exists():
        if not is_upgrade and VOLUME_BEFORE.stat().st_uid != os.geteuid():
            sys.exit(
                "The volume `postgres` has a database of Postgres 17, and the volume `database` is empty. Copy it first"
                " (see Containers in docs/running.md):\n  docker compose -f docker-compose.yml"
                " -f containers/upgrade-from-postgres-17.yml run --build --rm postgres"
            )
        make_cluster(copy_old_database if is_upgrade else None)
    elif not PASSWORD_FILE.exists():  # the user has removed the volume: set a new password
        password = secrets.token_urlsafe(32)
        run_sql(CLUSTER, "postgres", f"ALTER ROLE {NAME} PASSWORD '{password}'")
        write_password(password)
    if not is_upgrade:
        options = [f"--{name}={value}" for name, value in SETTINGS.items()]
        os.execvp("postgres", ["postgres", "-D", str(CLUSTER), *options])


def make_cluster(fill: Callable[[Path], None] | None) -> None:
    """Create the cluster in a temporary folder and rename it at the end, so that a kill leaves no half cluster."""
    new = CLUSTER.with_name(".new")
    shutil.rmtree(new, ignore_errors=True)
    locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    run("initdb", f"--pgdata={new}", "--username=postgres", "--auth=trust", "--no-instructions", *locale)
    password = secrets.token_urlsafe(32)
    role = f"CREATE ROLE {NAME} LOGIN PASSWORD '{password}'"
    run_sql(new, "postgres", role, f"CREATE DATABASE {NAME} OWNER {NAME}")
    run_sql(new, NAME, "CREATE EXTENSION vector")
    if fill is not None:
        fill(new)
    (new / "pg_hba.conf").write_text(f"host {NAME} {NAME} all scram-sha-256\n")
    write_password(password)
    new.rename(CLUSTER)


def copy_old_database(cluster: Path) -> None:
    """Copy everything from the server at OLD_HOST in one transaction. The old database stays as it is."""
    log = f"--log={SOCKETS}/postgres.log"  # otherwise the server would keep our pipe open
    run("pg_ctl", f"--pgdata={cluster}", "--wait", log, f"--options=-h '' -k {SOCKETS}", "start")
    try:
        reader = ["psql", "--quiet", "--no-psqlrc", "--single-transaction", "--set=ON_ERROR_STOP=1"]
        old = f"host={os.environ['OLD_HOST']} user={NAME} dbname={NAME} require_auth=scram-sha-256"
        dump = subprocess.Popen(["pg_dump", f"--dbname={old}"], stdout=subprocess.PIPE)
        new = [f"--host={SOCKETS}", "--username=postgres", f"--dbname={NAME}"]
        loaded = subprocess.run([*reader, *new], stdin=dump.stdout, stdout=subprocess.DEVNULL, check=False)
        if dump.wait() or loaded.returncode:
            sys.exit("The old database could not be copied. Nothing was changed; the lines above say why.")
    finally:
        run("pg_ctl", f"--pgdata={cluster}", "--wait", "--mode=fast", "stop")


def write_password(password: str) -> None:
    """Write the file for libpq, which ignores it if other users may read it."""
    new = PASSWORD_FILE.with_name(".new")
    new.touch(mode=0o600)
    new.write_text(f"*:*:{NAME}:{NAME}:{password}\n")
    new.rename(PASSWORD_FILE)


def run_sql(cluster: Path, database: str, *statements: str) -> None:
    """Run statements in single-user mode, because the superuser cannot connect any other way."""
    options = ["--single", "-D", str(cluster), "-c", "exit_on_error=true", "-c", "log_checkpoints=off"]
    run("postgres", *options, database, text="\n".join(statements) + "\n")


def run(program: str, *arguments: str, text: str = "") -> None:
    done = subprocess.run(
        [program, *arguments], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{program} failed:\n{done.stdout.strip()[-2000:]}")


if __name__ == "__main__":
    main()
