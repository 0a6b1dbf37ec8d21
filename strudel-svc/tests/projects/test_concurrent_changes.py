"""Many clients change one project at once: nothing is lost, and every version can be restored."""

import asyncio
from typing import Any

from consort_kit.errors import AlreadyExists, Conflict
from consort_strudel.projects.models.canvas import GetSong, UpdateSong
from consort_strudel.projects.models.projects import CreateProject, UpdateProjectMetadata
from consort_strudel.projects.models.versions import ListVersions, RestoreVersion
from tests.support.strudel_projects import ProjectServices

CLIENTS = 50


def append(name: str, line: str, **fields: Any) -> UpdateSong:
    return UpdateSong(project_name=name, patch_instructions={"action": "append", "new_content": line}, **fields)


def test_no_update_is_lost(services: ProjectServices, name: str) -> None:
    """Half of the clients are served by another process, which shares only the database."""
    services.create(name, "first()\n")
    processes = (services, services.another_process())

    async def all_at_once() -> list[int]:
        calls = [processes[n % 2].canvas.update_song(append(name, f"line{n}()")) for n in range(CLIENTS)]
        return [updated.version for updated in await asyncio.gather(*calls)]

    assert sorted(services.run(all_at_once())) == list(range(2, CLIENTS + 2))
    lines = services.script(name).splitlines()
    assert sorted(lines) == sorted(["first()", *(f"line{n}()" for n in range(CLIENTS))])
    for version in range(1, CLIENTS + 2):
        assert services.script(name, version).splitlines() == lines[:version]


def test_clients_that_name_the_version_they_saw(services: ProjectServices, name: str) -> None:
    """A patch of an older version is rejected, so it never changes the wrong line; the client reads and tries again."""
    services.create(name, "".join(f"voice{n}()\n" for n in range(12)))
    conflicts = 0

    async def insert_above(own: int) -> None:
        nonlocal conflicts
        while True:
            song = await services.canvas.get_song(GetSong(project_name=name))
            line = song.script.splitlines().index(f"voice{own}()") + 1
            patch = {"action": "insert_before_line", "line_number": line, "new_content": f"above{own}()"}
            request = UpdateSong(project_name=name, patch_instructions=patch, expected_version=song.version)
            try:
                await services.canvas.update_song(request)
                return
            except Conflict as error:
                assert error.body.code == "VERSION_CONFLICT"
                conflicts += 1

    async def all_at_once() -> None:
        await asyncio.gather(*(insert_above(n) for n in range(12)))

    services.run(all_at_once())
    expected = [line for n in range(12) for line in (f"above{n}()", f"voice{n}()")]
    assert services.script(name).splitlines() == expected
    assert conflicts > 0 and services.song(name).version == 13


def test_failing_clients_do_not_disturb_others(services: ProjectServices, name: str) -> None:
    services.create(name, "first()\n")

    async def all_at_once() -> list[Any]:
        wrong = [services.canvas.update_song(append(name, "broken()")) for _ in range(10)]
        right = [services.canvas.update_song(append(name, f"line{n}()")) for n in range(10)]
        pairs = [call for pair in zip(wrong, right, strict=True) for call in pair]
        return await asyncio.gather(*pairs, return_exceptions=True)

    results = services.run(all_at_once())
    assert [isinstance(result, Exception) for result in results] == [True, False] * 10
    assert "broken" not in services.script(name) and services.song(name).version == 11


def test_patches_metadata_and_restores_together(services: ProjectServices, name: str) -> None:
    services.create(name, "first()\n")
    other = services.another_process()

    async def all_at_once() -> None:
        patches = [other.canvas.update_song(append(name, f"line{n}()")) for n in range(8)]
        metadata = [
            services.projects.update_metadata(
                UpdateProjectMetadata(project_name=name, metadata_updates={"data": {f"key{n}": n}})
            )
            for n in range(8)
        ]
        restores = [services.versions.restore(RestoreVersion(project_name=name, version=1)) for _ in range(2)]
        await asyncio.gather(*patches, *metadata, *restores)

    services.run(all_at_once())
    song = services.song(name)
    assert song.data == {f"key{n}": n for n in range(8)}
    listed = services.run(services.versions.list_versions(ListVersions(project_name=name, limit=50)))
    assert [each.version for each in listed.versions] == list(range(song.version, 0, -1))
    appended = [each for each in listed.versions if each.action == "update_song"]
    assert len(appended) == 8 and all(each.lines_changed == 1 for each in appended)


def test_a_name_is_given_once(services: ProjectServices, name: str) -> None:
    async def all_at_once() -> list[Any]:
        names = [name, name.upper()] * 5
        calls = [services.projects.create(CreateProject(name=each)) for each in names]
        return await asyncio.gather(*calls, return_exceptions=True)

    results = services.run(all_at_once())
    assert sum(isinstance(result, AlreadyExists) for result in results) == 9
    assert services.script(name) == ""
