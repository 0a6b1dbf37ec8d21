"""What the user says about a song, beside what its script says. A difference is a warning, never a correction."""

import json
from typing import Any

from consort_kit.errors import InvalidInput
from consort_music.errors import MusicError
from consort_music.keys import Key, parse_key
from consort_strudel.projects.models.canvas import SongMetadata
from consort_strudel.projects.models.projects import ProjectDescription, ProjectMetadata
from consort_strudel.projects.storage.rows import ProjectRow
from consort_strudel.structure import MAX_BEATS_PER_CYCLE

MAX_DATA_BYTES = 64 * 1024
MIN_BEATS_PER_CYCLE = 0.25
_SAME_TEMPO = 0.5
"""Tempos that differ by less, in BPM, count as equal: one of them may be rounded."""


def columns_of(given: ProjectMetadata) -> dict[str, Any]:
    """Return the columns that the caller sets, except `data`. An empty text or 0 is stored as no value."""
    values: dict[str, Any] = {}
    if given.tempo is not None:
        values["tempo"] = given.tempo or None
    for name in ("key", "genre"):
        text = getattr(given, name)
        if text is not None:
            values[name] = text.strip() or None
    if given.tags is not None:
        values["tags"] = given.tags
    return values


def merged_data(old: dict[str, Any], given: dict[str, Any], merge: bool) -> dict[str, Any]:
    """Return the data of a project after an update. When merging, None removes a key; inner objects are replaced."""
    if not merge:
        return given
    merged = {**old, **given}
    return {name: value for name, value in merged.items() if value is not None or name not in given}


def check_data(data: dict[str, Any], field: str) -> dict[str, Any]:
    """Return the data of a project. Raise if it is too large or not JSON, or if `beats_per_cycle` is not usable."""
    try:
        size = len(json.dumps(data, allow_nan=False).encode())
    except ValueError as error:
        raise InvalidInput(f"'{field}' has a number that is too large. Use smaller numbers.", field=field) from error
    if size > MAX_DATA_BYTES:
        raise InvalidInput(f"'{field}' must be at most {MAX_DATA_BYTES // 1024} KB as JSON. Store less.", field=field)
    beats = data.get("beats_per_cycle")
    is_number = isinstance(beats, int | float) and not isinstance(beats, bool)
    if beats is not None and not (is_number and MIN_BEATS_PER_CYCLE <= beats <= MAX_BEATS_PER_CYCLE):
        raise InvalidInput(
            f"'{field}.beats_per_cycle' must be a number from {MIN_BEATS_PER_CYCLE} to {MAX_BEATS_PER_CYCLE}, such as"
            " 4 or 3. It says how many beats one cycle of the script has.",
            field=f"{field}.beats_per_cycle",
            suggestions=["4", "3"],
        )
    return data


def describe(row: ProjectRow) -> ProjectDescription:
    return ProjectDescription(
        name=row.name,
        description=row.description,
        tags=row.tags,
        genre=row.genre,
        tempo=row.tempo,
        key=row.key,
        created=row.created_at,
        modified=row.modified_at,
        line_count=row.line_count,
        data=row.data,
        version=row.version,
        detected_tempo=row.detected_tempo,
        detected_key=row.detected_key,
        packs_used=row.packs_used or None,
        deleted=row.deleted_at,
    )


def song_metadata(row: ProjectRow) -> SongMetadata:
    return SongMetadata(
        tempo=row.tempo,
        key=row.key,
        tags=row.tags,
        genre=row.genre,
        packs_used=row.packs_used,
        created=row.created_at,
        modified=row.modified_at,
        line_count=row.line_count,
        detected_tempo=row.detected_tempo,
        detected_key=row.detected_key,
    )


def differences(row: ProjectRow) -> list[str]:
    """Return a warning for each thing that the user and the script say differently."""
    found = []
    tempo = row.detected_tempo
    if row.tempo is not None and tempo is not None and abs(row.tempo - tempo) >= _SAME_TEMPO:
        found.append(
            f"The tempo of the project is {row.tempo:g} BPM, but its script plays at {tempo:g} BPM. Correct one of"
            f" them: update_project_metadata, or setcpm({row.tempo:g}/{row.beats_per_cycle:g}) in the script."
        )
    if row.key is not None and row.detected_key is not None and not _is_same_key(row.key, row.detected_key):
        found.append(
            f"The key of the project is {row.key}, but its script uses the scale {row.detected_key}. Correct one of"
            " them: update_project_metadata, or scale in the script."
        )
    return found


def readable_key(text: str | None) -> Key | None:
    """Return a key that the user named, or None if there is none or it cannot be read."""
    try:
        return parse_key(text) if text else None
    except MusicError:
        return None


def _is_same_key(first: str, second: str) -> bool:
    """Return whether two names mean the same key. A scale that is part of the other one, on the same tonic, counts."""
    keys = readable_key(first), readable_key(second)
    if keys[0] is None or keys[1] is None:
        return first.strip().casefold() == second.strip().casefold()
    tones = set(keys[0].pitch_classes), set(keys[1].pitch_classes)
    return keys[0].tonic == keys[1].tonic and (tones[0] <= tones[1] or tones[1] <= tones[0])
