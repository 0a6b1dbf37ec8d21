"""Where the embedded Postgres listens: at a Unix socket that only this user can reach, on Windows at a loopback port.

The socket is in the cluster's folder, which has mode 0700 and belongs to the user that Postgres runs as. If its path is
too long for a socket, or has a comma, which separates hosts in an address, it is in a private folder of the same owner
below the system's folder for temporary files.
"""

import hashlib
import os
import stat
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from consort_cli.launcher.errors import PostgresError

LOOPBACK = "127.0.0.1"
_HAS_SOCKETS = sys.platform != "win32"
_LONGEST_PATH = 103
"""In bytes: macOS allows 103, Linux 107."""


@dataclass(frozen=True)
class PostgresAddress:
    """Where the Postgres of a cluster listens. `cluster` is its folder; the name of the socket contains the port."""

    cluster: Path
    port: int

    @property
    def socket(self) -> Path | None:
        """The path of the socket, or None if Postgres listens at a loopback port."""
        if not _HAS_SOCKETS:
            return None
        path = self.cluster / f".s.PGSQL.{self.port}"
        if len(bytes(path)) <= _LONGEST_PATH and "," not in str(path):
            return path
        name = hashlib.sha256(bytes(self.cluster)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"consort-postgres-{name}" / path.name

    def url(self, name: str, password: str) -> str:
        """Return the address for a role and a database of this name.

        `require_auth` keeps the clear password from a program that took the port before Postgres.
        """
        place = f"{LOOPBACK}:{self.port}/{name}?"
        if self.socket is not None:
            place = f"/{name}?host={quote(str(self.socket.parent), safe='')}&port={self.port}&"
        return f"postgresql://{name}:{password}@{place}require_auth=scram-sha-256"

    def server_settings(self) -> dict[str, str]:
        """Return the settings of the server that make it listen here."""
        if self.socket is None:
            return {"listen_addresses": LOOPBACK, "unix_socket_directories": ""}
        folder = str(self.socket.parent).replace('"', '""')  # the setting is a list of quoted names
        return {"listen_addresses": "", "unix_socket_directories": f'"{folder}"', "unix_socket_permissions": "0700"}

    def access_rule(self, name: str) -> str:
        """Return the line of pg_hba.conf that lets the role use its database with its password."""
        place = f"local {name} {name}" if self.socket is not None else f"host {name} {name} {LOOPBACK}/32"
        return f"{place} scram-sha-256\n"

    def prepare(self) -> None:
        """Make the folder of the socket. Raise PostgresError if another user made it."""
        if self.socket is None or self.socket.parent == self.cluster or sys.platform == "win32":
            return
        folder, owner = self.socket.parent, self.cluster.stat()
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() != owner.st_uid:  # root made it
            os.chown(folder, owner.st_uid, owner.st_gid)
            found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner.st_uid or found.st_mode & 0o077:
            raise PostgresError(
                f"{folder}, where the database's socket should be, was not made by us. Remove it, or use a --data "
                f"folder whose path is shorter than {_LONGEST_PATH - 24} bytes and has no comma."
            )

    def remove_folder(self) -> None:
        """Remove the folder of the socket if it is a temporary one. The server has ended."""
        if self.socket is not None and self.socket.parent != self.cluster:
            with suppress(OSError):
                self.socket.parent.rmdir()
