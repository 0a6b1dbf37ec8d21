"""The data folder and the secrets in it. Standard library only, so that the command line starts fast."""

import os
import secrets
import sys
from pathlib import Path


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


def read_or_make_secret(path: Path) -> str:
    """Return the secret in a file. If the file is missing, make a random secret, with file mode 0600.

    If several processes do this at the same time, all of them return the same secret. Raise RuntimeError if the file is
    empty.
    """
    try:
        return _read_secret(path)
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    temporary.touch(mode=0o600)
    temporary.write_text(secrets.token_urlsafe(32) + "\n")
    try:
        os.link(temporary, path)  # fails if another process was first; then its secret is used
    except FileExistsError:
        pass
    finally:
        temporary.unlink()
    return _read_secret(path)


def _read_secret(path: Path) -> str:
    secret = path.read_text().strip()
    if not secret:  # the machine may have crashed; with an empty secret anyone could sign links
        raise RuntimeError(f"The secret in {path} is empty. Delete the file: the next start makes a new one.")
    return secret
