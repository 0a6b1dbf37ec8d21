"""Names of projects. Two names that differ only in case are the same name."""

import unicodedata
from difflib import get_close_matches

from consort_kit.errors import AlreadyExists, NotFound
from consort_kit.storage.file_names import check_name
from consort_strudel.projects.storage.rows import ProjectRow
from consort_strudel.projects.storage.store import ProjectStore

_EXAMPLE = "night-drive"
_MOST_SUGGESTED, _MOST_COMPARED = 5, 200


def checked_name(name: str, field: str) -> str:
    """Return a name without blanks around it. Raise INVALID_NAME if it could not also be the name of a file."""
    return check_name(name.strip(), field, _EXAMPLE)


def key_of_name(name: str) -> str:
    """Return the form of a name by which projects are found."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name.strip()).casefold())


async def find_project(store: ProjectStore, name: str, version: int | None = None) -> ProjectRow:
    """Return a project with its current script or that of a version. Raise NotFound."""
    row = await store.find(key_of_name(name), version)
    if row is None and version is not None and (current := await store.describe(key_of_name(name))):
        raise no_version(current.name, version, current.version)
    if row is None:
        raise await no_project(store, name)
    return row


async def no_project(store: ProjectStore, name: str) -> NotFound:
    """Return the error for an unknown project. It says so if the project was deleted and can be restored."""
    if await store.find_deleted(key_of_name(name)):
        return NotFound(
            f"The project {name[:80]!r} was deleted. restore_version brings it back.",
            field="project_name",
            suggestions=["restore_version", "list_projects"],
        )
    others = await store.names_like(key_of_name(name), _MOST_COMPARED)
    keys = {key_of_name(each): each for each in others}
    near = [keys[key] for key in get_close_matches(key_of_name(name)[:80], keys, _MOST_SUGGESTED)]
    similar = [*near, *(each for each in others if each not in near)][:_MOST_SUGGESTED]
    hint = "list_projects shows all projects." if similar else "There are no projects yet: use create_project."
    return NotFound(
        f"There is no project {name[:80]!r}. {hint}",
        field="project_name",
        suggestions=similar or ["create_project"],
    )


def no_version(name: str, version: int, current: int) -> NotFound:
    return NotFound(
        f"{name!r} has no version {version}. Its versions are 1 to {current}; list_versions shows them.",
        field="version",
        suggestions=["list_versions"],
    )


def name_taken(name: str, field: str) -> AlreadyExists:
    return AlreadyExists(
        f"There is already a project {name!r} (case does not matter). Choose another name for '{field}', or change that"
        " project with update_song.",
        field=field,
        suggestions=[f"{name} 2", "update_song"],
    )
