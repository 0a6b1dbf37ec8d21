"""Where things are kept on this machine, and the secrets there. Standard library only: the command line uses it."""

import os
import secrets
import sys
from pathlib import Path


def default_data_folder() -> Path:
    """The platform's folder for a user's application data."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "consort"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "consort"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "consort"


def data_folder(given: Path | None = None) -> Path:
    """The folder given, else `CONSORT_DATA`, else the platform's; always absolute."""
    return (given or Path(os.environ.get("CONSORT_DATA") or default_data_folder())).expanduser().absolute()


def read_or_make_secret(path: Path) -> str:
    """Read a secret file, or make it: mode 0600, and whole even if several processes make it at once."""
    try:
        return _read_secret(path)
    except FileNotFoundError:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    mine = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    mine.touch(mode=0o600)
    mine.write_text(secrets.token_urlsafe(32) + "\n")
    try:
        os.link(mine, path)  # fails if another process was first, and its secret counts
    except FileExistsError:
        pass
    finally:
        mine.unlink()
    return _read_secret(path)


def _read_secret(path: Path) -> str:
    secret = path.read_text().strip()
    if not secret:  # as after a crash of the machine; whoever knows that it is empty could sign links
        raise RuntimeError(f"the secret in {path} is empty; delete the file, and a new one is made")
    return secret
