"""The data folder and the secrets in it. Standard library only, so that the command line starts fast."""

import errno
import os
import secrets
import sys
import time
from contextlib import suppress
from pathlib import Path

LEAST_TOKEN_LENGTH = 16
_OTHERS_MAKE_IT_S = 60.0
"""How long a process that may not write waits until another one has made a secret, in seconds."""


def default_data_folder() -> Path:
    """Return the platform's folder for a user's application data."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "consort"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "consort"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "consort"


def data_folder(given: Path | None = None) -> Path:
    """Return an absolute path: `given`, or else the folder in `CONSORT_DATA`, or else `default_data_folder()`."""
    return (given or Path(os.environ.get("CONSORT_DATA") or default_data_folder())).expanduser().absolute()


def make_private_folder(path: Path) -> None:
    """Make a folder that only this user may enter. If it exists, remove the rights of other users."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name != "nt" and path.stat().st_mode & 0o077:
        with suppress(PermissionError):  # another user owns the folder and made it for this one
            path.chmod(0o700)


def read_or_make_secret(path: Path) -> str:
    """Return the secret in a file. If the file is missing, make a random secret, with file mode 0600.

    If several processes do this at the same time, all of them return the same secret. On a read-only file system, as in
    the container of a service that stores nothing, wait until another process has made it. Raise RuntimeError if it
    does not, or if the secret has fewer than LEAST_TOKEN_LENGTH characters.
    """
    try:
        return _read_secret(path)
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        temporary.touch(mode=0o600)
    except OSError as error:
        if error.errno != errno.EROFS:
            raise
        return _wait_for_secret(path)
    with temporary.open("w") as file:
        file.write(secrets.token_urlsafe(32) + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(temporary, path)  # fails if another process was first; then its secret is used
    except FileExistsError:
        pass
    finally:
        temporary.unlink()
    return _read_secret(path)


def problem_of_token(token: str) -> str | None:
    """Return what is wrong with a token that the user chose, or None. An empty one counts as not chosen."""
    if not token or len(token) >= LEAST_TOKEN_LENGTH:
        return None
    return (
        f"CONSORT_TOKEN has {len(token)} characters, so it could be guessed. Use at least {LEAST_TOKEN_LENGTH}, "
        "or leave it out: Consort then makes one."
    )


def _read_secret(path: Path) -> str:
    secret = path.read_text().strip()
    if len(secret) < LEAST_TOKEN_LENGTH:  # cut off, or chosen; with an empty secret anyone could sign links
        problem = f"has {len(secret)} characters, so it could be guessed" if secret else "is empty"
        raise RuntimeError(f"The secret in {path} {problem}. Delete the file: the next start makes a new one.")
    return secret


def _wait_for_secret(path: Path) -> str:
    deadline = time.monotonic() + _OTHERS_MAKE_IT_S
    while not path.exists():
        if time.monotonic() > deadline:
            raise RuntimeError(f"There is no {path}, and its folder is read-only. Start the service midi-store.")
        time.sleep(0.1)
    return _read_secret(path)
