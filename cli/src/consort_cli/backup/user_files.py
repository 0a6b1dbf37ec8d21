"""The files of the user in a data folder: what is not in the database, not a blob, and cannot be made again."""

import os
from collections.abc import Iterator
from pathlib import Path

from consort_cli.backup.archive import USER_FILES, USER_FOLDERS, is_safe_member

_LINKS = "midi"
"""In this folder are hard links to the bytes of stored files. Other files in it are the user's."""


def user_files(data: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name in the archive and the path of each file. Links and names that are not UTF-8 are left out."""
    paths = [data / name for name in USER_FILES]
    for folder in USER_FOLDERS:
        if folder == _LINKS:
            continue
        for place, folders, files in os.walk(data / folder):
            folders.sort()
            paths += [Path(place) / name for name in sorted(files)]
    if (data / _LINKS).is_dir():
        paths += [path for path in sorted((data / _LINKS).iterdir()) if path.is_file() and path.stat().st_nlink == 1]
    for path in paths:
        name = f"files/{path.relative_to(data).as_posix()}"
        if path.is_file() and not path.is_symlink() and is_safe_member(name):
            yield name, path


def path_of(data: Path, member: str) -> Path:
    """Return where a member `files/…` belongs."""
    return data.joinpath(*member.split("/")[1:])
