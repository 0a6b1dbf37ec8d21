"""get_song and update_song on a real database."""

from typing import Any

import pytest

from consort_kit.errors import Conflict, ConsortError, InvalidInput, NotFound, TooLarge
from consort_strudel.projects.models.canvas import UpdateSong
from tests.support.strudel_projects import ProjectServices, SimpleReading

SONG = 'setcpm(120/4)\nkick: s("bd*4")\nhats: s("hh*8")\n'
APPEND = {"action": "append", "new_content": 'bass: note("c2")'}


def test_a_song_with_its_metadata(services: ProjectServices, name: str) -> None:
    script = SONG + 'samples(\'github:tidalcycles/dirt-samples\')\nlead: n("0").scale("A:minor")\n'
    metadata = {"tempo": 120, "key": "A minor", "tags": ["dark", "Dark ", ""], "genre": "techno", "data": {"a": [1]}}
    services.create(name, script, description="At night.", metadata=metadata)
    song = services.song(name)
    assert (song.project_name, song.script, song.version) == (name, script, 1)
    assert (song.description, song.data, song.warnings) == ("At night.", {"a": [1]}, None)
    found = song.metadata
    assert (found.tempo, found.key, found.tags, found.genre) == (120, "A minor", ["dark"], "techno")
    assert found.packs_used == ["github:tidalcycles/dirt-samples"]
    assert (found.detected_tempo, found.detected_key, found.line_count) == (120, "A minor", 5)
    assert found.created <= found.modified
    assert song.listen_url is not None and "/listen/project_" in song.listen_url


def test_what_the_user_set_stays_and_a_difference_is_a_warning(services: ProjectServices, name: str) -> None:
    services.create(name, SONG, metadata={"tempo": 120, "key": "C minor"})
    patch = {"action": "replace_line", "line_number": 1, "new_content": 'setcpm(126/4)\nx: n("0").scale("D:major")'}
    updated = services.update(name, patch)
    song = services.song(name)
    assert (song.metadata.tempo, song.metadata.detected_tempo) == (120, 126)
    assert (song.metadata.key, song.metadata.detected_key) == ("C minor", "D major")
    assert updated.warnings == song.warnings and song.warnings is not None
    assert ["126 BPM" in song.warnings[0], "D major" in song.warnings[1]] == [True, True]


def test_beats_per_cycle_sets_how_the_tempo_is_read(services: ProjectServices, name: str) -> None:
    services.create(name, "setcpm(30)\n", metadata={"data": {"beats_per_cycle": 3}})
    assert services.song(name).metadata.detected_tempo == 90


def test_the_divisor_in_the_script_counts_beats_unless_the_project_does(services: ProjectServices, name: str) -> None:
    services.create(name, "setcpm(120/3)\n")
    assert services.song(name).metadata.detected_tempo == 120
    services.create(f"{name} in four", "setcpm(120/3)\n", metadata={"data": {"beats_per_cycle": 4}})
    assert services.song(f"{name} in four").metadata.detected_tempo == 160


def test_an_update_reports_what_changed(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    updated = services.update(name, [APPEND, {"action": "delete_line", "line_number": 3}], reason="less hats")
    assert (updated.success, updated.version, updated.lines_changed) == (True, 2, 1)
    assert updated.diff == (
        "--- version 1\n+++ version 2\n@@ -1,3 +1,3 @@\n"
        ' setcpm(120/4)\n kick: s("bd*4")\n-hats: s("hh*8")\n+bass: note("c2")\n'
    )
    assert "Added 1 line at the end" in updated.preview and "Deleted line 3" in updated.preview
    assert updated.validation is not None and updated.validation.valid
    assert services.script(name) == 'setcpm(120/4)\nkick: s("bd*4")\nbass: note("c2")\n'


def test_a_script_with_errors_is_refused_and_nothing_changes(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    with pytest.raises(InvalidInput) as raised:
        services.update(name, [APPEND, {"action": "append", "new_content": "x: broken()"}])
    error = raised.value.body
    assert error.code == "VALIDATION_FAILED" and "Line 5, column 4" in error.message
    assert error.details["valid"] is False and error.details["errors"][0]["suggestion"] == "bracken"
    assert "+x: broken()" in error.details["diff"]
    assert services.song(name).version == 1 and services.script(name) == SONG


def test_errors_that_were_there_before_do_not_block(services: ProjectServices, name: str) -> None:
    services.create(name, "x: broken()\n", auto_validate=False)
    updated = services.update(name, {"action": "prepend", "new_content": "a()"})
    assert updated.version == 2 and updated.validation is not None and not updated.validation.valid
    assert updated.warnings is not None
    assert "1 error in the script that was there before this patch: Line 2, column 4" in updated.warnings[0]
    with pytest.raises(InvalidInput, match=r"2 errors, .* 1 of them was there before this patch. Line 3, column 4"):
        services.update(name, {"action": "append", "new_content": "y: broken()"})
    assert services.update(name, {"action": "replace_pattern", "pattern": "broken", "new_content": "s"}).version == 3


def test_a_preview_shows_the_change_and_stores_nothing(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    patches = [APPEND, {"action": "delete_line", "line_number": 3}]
    seen = services.update(name, patches, preview=True)
    assert (seen.success, seen.version, seen.lines_changed) == (True, 1, 1)
    assert '+bass: note("c2")' in seen.diff and "Deleted line 3" in seen.preview
    assert seen.validation is not None and seen.validation.valid
    assert seen.warnings == ["This is a preview: nothing was stored."]
    assert (services.script(name), services.song(name).version) == (SONG, 1)
    assert services.update(name, patches, dry_run=False).diff == seen.diff


def test_a_preview_of_a_patch_with_errors_shows_them(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    seen = services.update(name, {"action": "append", "new_content": "z: broken()"}, dry_run=True)
    assert not seen.success and seen.validation is not None and len(seen.validation.errors) == 1
    assert seen.warnings is not None and "would be rejected: Line 4, column 4" in seen.warnings[1]
    assert services.script(name) == SONG


def test_without_validation_it_is_applied_and_says_so(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    updated = services.update(name, {"action": "append", "new_content": "x: broken()"}, auto_validate=False)
    assert updated.version == 2 and updated.validation is None
    assert updated.warnings == ["The script was not validated, because auto_validate is false."]
    assert isinstance(services.reading, SimpleReading)
    assert services.script(name) not in services.reading.validated


def test_warnings_do_not_block(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    updated = services.update(name, {"action": "append", "new_content": "odd()"})
    assert updated.validation is not None and updated.validation.warnings[0].line == 4


@pytest.mark.parametrize(
    "patches",
    [
        [APPEND, {"action": "replace_line", "line_number": 99, "new_content": "x"}],
        [APPEND, {"action": "replace_pattern", "pattern": "no such text", "new_content": "x"}],
        [APPEND, {"action": "replace_section", "section": "no such", "new_content": "x"}],
        [APPEND, {"action": "append", "new_content": "x" * 300_000}],
    ],
)
def test_a_failed_patch_changes_nothing(services: ProjectServices, name: str, patches: Any) -> None:
    services.create(name, SONG)
    before = services.song(name)
    with pytest.raises((InvalidInput, TooLarge)):
        services.update(name, patches)
    assert services.song(name) == before


def test_a_patch_without_effect_makes_no_version(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    updated = services.update(name, {"action": "replace_pattern", "pattern": "hh", "new_content": "hh"})
    assert (updated.version, updated.diff, updated.lines_changed) == (1, "", 0)
    assert updated.warnings is not None and updated.warnings[0].startswith("Nothing changed")


def test_a_stale_version_is_a_conflict_with_the_diff_since(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    services.update(name, {"action": "prepend", "new_content": "// top"}, reason="a title")
    with pytest.raises(Conflict) as raised:
        services.update(name, {"action": "delete_line", "line_number": 3}, expected_version=1)
    error = raised.value.body
    assert error.code == "VERSION_CONFLICT" and error.details["current_version"] == 2
    assert "+// top" in error.details["diff"] and "--- version 1" in error.details["diff"]
    assert error.details["changes"][0]["reason"] == "a title"
    assert services.song(name).version == 2
    assert services.update(name, {"action": "delete_line", "line_number": 4}, expected_version=2).version == 3


def test_a_version_that_never_was_is_a_conflict_too(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    with pytest.raises(Conflict, match="is at version 1"):
        services.update(name, APPEND, expected_version=7)


def test_names_are_found_in_any_case(services: ProjectServices, name: str) -> None:
    services.create(f"Über {name}", SONG)
    assert services.update(f"üBER {name.upper()} ", APPEND).project_name == f"Über {name}"


def test_an_unknown_project_suggests_others(services: ProjectServices, name: str) -> None:
    services.create(name, SONG)
    with pytest.raises(NotFound) as raised:
        services.song(f"{name} 2")
    assert raised.value.body.suggestions[0] == name and raised.value.body.field == "project_name"


def test_a_name_with_a_spelling_mistake_suggests_the_right_one(services: ProjectServices, name: str) -> None:
    for first in ("harbour", "lighthouse", "tide"):
        services.create(f"{first} {name}", SONG)
    with pytest.raises(NotFound) as raised:
        services.song(f"harbor {name}")
    assert raised.value.body.suggestions[0] == f"harbour {name}"


def test_the_user_can_save_a_script_with_errors(services: ProjectServices, name: str) -> None:
    """The listen page stores what the user wrote, and reports the errors in it."""
    services.create(name, SONG)
    row = services.run(services.store.find(name))
    assert row is not None
    saving = services.canvas.save_script(row.id, "broken()\r\n", action="listen_page", expected_version=1)
    saved = services.run(saving)
    assert saved.version == 2 and saved.validation is not None and not saved.validation.valid
    assert services.script(name) == "broken()\n"
    with pytest.raises(ConsortError, match="was changed since version 1"):
        services.run(services.canvas.save_script(row.id, "a()", action="listen_page", expected_version=1))


def test_one_instruction_or_a_list() -> None:
    one = UpdateSong(project_name="x", patch_instructions=APPEND)
    assert one.patch_instructions == UpdateSong.model_validate({"project": "x", "patches": [APPEND]}).patch_instructions
