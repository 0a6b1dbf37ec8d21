"""list_versions and restore_version on a real database."""

from typing import Any

import pytest

from consort_kit.errors import AlreadyExists, Conflict, InvalidInput, NotFound
from consort_strudel.projects.models.projects import DeleteProject
from consort_strudel.projects.models.versions import ListVersions, RestoreVersion, VersionList, VersionRestored
from tests.support.strudel_projects import ProjectServices


def versions(services: ProjectServices, name: str, **fields: Any) -> VersionList:
    return services.run(services.versions.list_versions(ListVersions(project_name=name, **fields)))


def restore(services: ProjectServices, name: str, **fields: Any) -> VersionRestored:
    return services.run(services.versions.restore(RestoreVersion(project_name=name, **fields)))


def delete(services: ProjectServices, name: str) -> None:
    services.run(services.projects.delete(DeleteProject(project_name=name, confirm=True)))


def grow(services: ProjectServices, name: str, count: int) -> None:
    """Make a project whose version N has the lines 1 to N."""
    services.create(name, "line1()\n")
    for number in range(2, count + 1):
        services.update(name, {"action": "append", "new_content": f"line{number}()"}, reason=f"reason {number}")


def test_versions_have_diffs_and_reasons_in_pages(services: ProjectServices, name: str) -> None:
    grow(services, name, 5)
    first = versions(services, name, limit=3)
    assert [each.version for each in first.versions] == [5, 4, 3] and first.next_before == 3
    assert first.current_version == 5
    newest = first.versions[0]
    assert (newest.reason, newest.lines_changed, newest.line_count) == ("reason 5", 1, 5)
    assert newest.diff is not None and newest.diff.endswith("+line5()\n")
    last = versions(services, name, limit=3, before_version=first.next_before)
    assert [each.version for each in last.versions] == [2, 1] and last.next_before is None
    assert last.versions[1].diff == "--- version 0\n+++ version 1\n@@ -0,0 +1 @@\n+line1()\n"
    assert (last.versions[1].action, last.versions[0].action) == ("create_project", "update_song")
    assert versions(services, name, include_diffs=False).versions[0].diff is None


def test_every_version_stays_restorable(services: ProjectServices, name: str) -> None:
    grow(services, name, 4)
    wanted = [services.script(name, number) for number in (1, 2, 3, 4)]
    for number in (2, 4, 1, 3):
        restored = restore(services, name, version=number, reason="again")
        assert services.script(name) == wanted[number - 1]
        assert services.song(name).version == restored.version
    newest = versions(services, name).versions[0]
    assert (newest.version, newest.restored_from, newest.reason, newest.action) == (8, 3, "again", "restore_version")
    assert [services.script(name, number) for number in (1, 2, 3, 4)] == wanted


def test_restoring_the_current_script_changes_nothing(services: ProjectServices, name: str) -> None:
    grow(services, name, 2)
    restored = restore(services, name, version=2)
    assert restored.version == 2 and restored.message.startswith("Nothing changed")


def test_what_a_script_says_is_kept_with_its_version(services: ProjectServices, name: str) -> None:
    services.create(name, "setcpm(30)\n")
    services.update(name, {"action": "replace_line", "line_number": 1, "new_content": "setcpm(35)"})
    assert [each.detected_tempo for each in versions(services, name).versions] == [140, 120]
    restore(services, name, version=1)
    assert services.song(name).metadata.detected_tempo == 120


def test_versions_that_do_not_exist(services: ProjectServices, name: str) -> None:
    grow(services, name, 2)
    with pytest.raises(NotFound, match="versions are 1 to 2"):
        restore(services, name, version=9)
    with pytest.raises(NotFound, match="versions are 1 to 2"):
        services.song(name, 3)
    with pytest.raises(InvalidInput, match="'version' is missing"):
        restore(services, name)
    with pytest.raises(Conflict):
        restore(services, name, version=1, expected_version=1)


def test_a_deleted_project_comes_back_with_all_versions(services: ProjectServices, name: str) -> None:
    grow(services, name, 3)
    delete(services, name)
    with pytest.raises(NotFound, match="was deleted"):
        services.song(name)
    assert versions(services, name).deleted is not None
    restored = restore(services, name)
    assert (restored.version, services.script(name)) == (3, "line1()\nline2()\nline3()\n")
    delete(services, name)
    assert restore(services, name, version=1).version == 4
    assert services.script(name) == "line1()\n"
    assert len(versions(services, name).versions) == 4


def test_a_deleted_project_whose_name_was_taken(services: ProjectServices, name: str) -> None:
    grow(services, name, 2)
    delete(services, name)
    created = services.create(name, "other()\n")
    assert created.warnings is not None and "restore_version" in created.warnings[0]
    with pytest.raises(AlreadyExists):
        restore(services, name, new_name=name)
    restored = restore(services, name, new_name=f"{name}-old")
    assert services.script(f"{name}-old") == "line1()\nline2()\n" and restored.project_name == f"{name}-old"
    assert services.script(name) == "other()\n"
    with pytest.raises(NotFound, match="no deleted project"):
        restore(services, name, new_name="x")


def test_after_30_days_it_is_gone(services: ProjectServices, name: str) -> None:
    for project in (name, f"{name}-2"):
        grow(services, project, 1)
    delete(services, name)
    old = "update projects set deleted_at = now() - interval '31 days' where name = %s returning id"
    row = services.run(services.database.run(old, (name,)))[0]
    with pytest.raises(NotFound, match="There is no project"):
        restore(services, name)
    delete(services, f"{name}-2")
    kept = "select count(*) as kept from project_versions where project_id = %s"
    assert services.run(services.database.run(kept, (row["id"],)))[0]["kept"] == 0
    assert restore(services, f"{name}-2").version == 1


def test_a_long_history_stays_short(services: ProjectServices, name: str) -> None:
    services.create(name, "".join(f"line{number}()\n" for number in range(2000)))
    diff = versions(services, name).versions[0].diff
    assert diff is not None and len(diff) < 2100 and diff.endswith("more lines\n")


def test_a_conflict_of_a_restoration_does_not_speak_of_patches(services: ProjectServices, name: str) -> None:
    grow(services, name, 3)
    with pytest.raises(Conflict, match="and restore it again with expected_version 3"):
        restore(services, name, version=1, expected_version=2)
