"""Put Consort's guides (`skills/NAME/SKILL.md`) into an assistant's folder of skills, and take them out again.

The file `.consort-skills.json` beside them holds a checksum of each file that was put there. A skill that the user has
changed, or that was there before, is never overwritten or removed.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import NamedTuple

from consort_gateway.guides import skills_folder

FILE = "SKILL.md"
_RECORD = ".consort-skills.json"


class SkillChanges(NamedTuple):
    """Names of skills, by what was done with them."""

    written: list[str]
    unchanged: list[str]
    left_alone: list[str]
    """Those that are not as Consort wrote them."""
    removed: list[str]


def put_skills(folder: Path) -> SkillChanges:
    """Copy all skills to the folder. Remove those of an earlier version that no longer exist."""
    changes = SkillChanges([], [], [], [])
    record = _read_record(folder)
    sources = {path.parent.name: path.read_bytes() for path in sorted(skills_folder().glob(f"*/{FILE}"))}
    for name, content in sources.items():
        path = folder / name / FILE
        found = path.read_bytes() if path.exists() else None
        if found == content:
            changes.unchanged.append(name)
        elif found is not None and record.get(name) != _checksum(found):
            changes.left_alone.append(name)
            record.pop(name, None)
            continue
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, content)
            changes.written.append(name)
        record[name] = _checksum(content)
    _remove(folder, record, sorted(record.keys() - sources.keys()), changes)
    _write(folder / _RECORD, json.dumps(record, indent=1).encode())
    return changes


def remove_skills(folder: Path) -> SkillChanges:
    """Remove the skills that `put_skills` has written and nobody has changed."""
    changes = SkillChanges([], [], [], [])
    record = _read_record(folder)
    _remove(folder, record, sorted(record), changes)
    (folder / _RECORD).unlink(missing_ok=True)
    return changes


def _remove(folder: Path, record: dict[str, str], names: list[str], changes: SkillChanges) -> None:
    for name in names:
        checksum = record.pop(name)
        path = folder / name / FILE
        if not path.exists():
            continue
        if _checksum(path.read_bytes()) != checksum:
            changes.left_alone.append(name)
            continue
        path.unlink()
        changes.removed.append(name)
        if not any(path.parent.iterdir()):
            path.parent.rmdir()


def _read_record(folder: Path) -> dict[str, str]:
    try:
        record = json.loads((folder / _RECORD).read_bytes())
    except (FileNotFoundError, ValueError):  # without a record, nothing is known to be ours
        return {}
    return {str(name): str(checksum) for name, checksum in record.items()} if isinstance(record, dict) else {}


def _write(path: Path, content: bytes) -> None:
    """Write a file in one step, so that an assistant never reads half of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(path)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
