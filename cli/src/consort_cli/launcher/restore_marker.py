"""DATA/restoring: a file that exists while a restore writes into the data folder. No studio starts beside it."""

from pathlib import Path

from consort_cli.launcher.errors import LauncherError


def restore_marker(data: Path) -> Path:
    return data / "restoring"


def check_restored(data: Path) -> None:
    """Raise LauncherError if a restore of this data folder was cut off."""
    if restore_marker(data).exists():
        raise LauncherError(
            f"A restore into {data} was cut off, so its content is not complete. Run `./consort restore FILE` again."
        )
