"""Creating, listing, describing, changing and deleting projects on a real database."""

from datetime import UTC, datetime, timedelta
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from consort_kit.errors import AlreadyExists, InvalidInput, NotFound
from consort_music.errors import MusicError
from consort_music.keys import parse_key
from consort_strudel.projects.models.projects import (
    DeleteProject,
    DescribedProject,
    GetProjectMetadata,
    ListProjects,
    MetadataUpdated,
    ProjectList,
    UpdateProjectMetadata,
)
from consort_strudel.projects.templates import TemplateName, template_script
from tests.support.strudel_projects import ProjectServices


def listed(services: ProjectServices, **fields: Any) -> ProjectList:
    return services.run(services.projects.list_projects(ListProjects(**fields)))


def names(services: ProjectServices, tag: str, filters: dict[str, Any] | None = None, **fields: Any) -> list[str]:
    """Return the names of the projects with this tag that meet the filters."""
    found = listed(services, filters={"tags": [tag], **(filters or {})}, **fields)
    assert found.filtered_count == len(found.projects)
    return [project.name.removesuffix(f"-{tag}") for project in found.projects]


def metadata(services: ProjectServices, name: str) -> DescribedProject:
    return services.run(services.projects.get_metadata(GetProjectMetadata(project_name=name)))


def change(
    services: ProjectServices, name: str, updates: dict[str, Any] | None = None, **fields: Any
) -> MetadataUpdated:
    request = UpdateProjectMetadata(project_name=name, metadata_updates=updates or {}, **fields)
    return services.run(services.projects.update_metadata(request))


@pytest.fixture
def three(services: ProjectServices, name: str) -> str:
    """Make three projects and return the tag that they have in common."""
    songs: list[tuple[str, str, dict[str, Any], str | None]] = [
        ("Ember", "setcpm(30)", {"genre": "House", "tags": ["warm"]}, "A slow one"),
        ("frost", "", {"tempo": 140, "genre": "techno", "tags": ["cold", "dark"]}, "Fast (and icy)"),
        ("Gale", "", {"tags": ["DARK"]}, None),
    ]
    for title, script, values, description in songs:
        values = {**values, "tags": [*values["tags"], name]}
        services.create(f"{title}-{name}", script, metadata=values, description=description)
    return name


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {"Ember", "frost", "Gale"}),
        ({"genre": "house"}, {"Ember"}),
        ({"name_pattern": "^(ember|FROST)"}, {"Ember", "frost"}),
        ({"description_pattern": r"slow|\(and"}, {"Ember", "frost"}),
        ({"tempo_min": 100}, {"Ember", "frost"}),
        ({"tempo_min": 120, "tempo_max": 120}, {"Ember"}),
        ({"tempo_max": 130, "genre": "techno"}, set()),
        ({"created_after": datetime.now(UTC) - timedelta(hours=1)}, {"Ember", "frost", "Gale"}),
        ({"created_before": "2020-01-01"}, set()),
        ({"modified_after": "2999-01-01T00:00:00"}, set()),
        ({"modified_before": "2999-01-01T00:00:00Z"}, {"Ember", "frost", "Gale"}),
    ],
)
def test_filters(services: ProjectServices, three: str, filters: dict[str, Any], expected: set[str]) -> None:
    assert set(names(services, three, filters)) == expected


def test_any_of_several_tags_in_any_case(services: ProjectServices, three: str) -> None:
    found = listed(services, filters={"tags": ["Dark", "warm"], "name_pattern": f"{three}$"})
    assert found.filtered_count == 3 <= found.total_count
    only = listed(services, filters={"tags": "dark", "name_pattern": f"{three}$"})
    assert {project.name[:5] for project in only.projects} == {"frost", "Gale-"}


@pytest.mark.parametrize(
    ("sorting", "expected"),
    [
        ({}, ["Gale", "frost", "Ember"]),
        ({"sort_by": "created", "sort_order": "asc"}, ["Ember", "frost", "Gale"]),
        ({"sort_by": "name", "sort_order": "asc"}, ["Ember", "frost", "Gale"]),
        ({"sort_by": "name"}, ["Gale", "frost", "Ember"]),
        ({"sort_by": "tempo"}, ["frost", "Ember", "Gale"]),
        ({"sort_by": "tempo", "sort_order": "asc"}, ["Ember", "frost", "Gale"]),
    ],
)
def test_sorting(services: ProjectServices, three: str, sorting: dict[str, Any], expected: list[str]) -> None:
    assert names(services, three, **sorting) == expected


def test_pages(services: ProjectServices, three: str) -> None:
    page = listed(services, filters={"tags": [three]}, sort_by="name", sort_order="asc", limit=2, offset=1)
    assert [project.name[:4] for project in page.projects] == ["fros", "Gale"]
    beyond = listed(services, filters={"tags": [three]}, offset=50)
    assert (beyond.projects, beyond.filtered_count) == ([], 3)


def test_a_list_has_what_the_user_set_and_what_the_script_says(services: ProjectServices, three: str) -> None:
    ember = listed(services, filters={"name_pattern": f"ember-{three}"}).projects[0]
    assert (ember.tempo, ember.detected_tempo, ember.line_count, ember.version) == (None, 120, 1, 1)
    assert (ember.genre, ember.description, ember.data) == ("House", "A slow one", {})


@pytest.mark.parametrize("field", ["name_pattern", "description_pattern"])
def test_a_wrong_pattern_names_its_field(services: ProjectServices, field: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        listed(services, filters={field: "a(b"})
    assert (raised.value.body.code, raised.value.body.field) == ("INVALID_PATTERN", f"filters.{field}")


def test_a_slow_pattern_is_stopped(services: ProjectServices, name: str) -> None:
    services.create(name, description=f"{3**1200:b}")
    with pytest.raises(InvalidInput) as raised:
        listed(services, filters={"description_pattern": r"^(.+)(.+)(.+)(.+)\1\3\2\4\2\1$"})
    assert raised.value.body.code == "PATTERN_TOO_SLOW"
    assert listed(services).total_count > 0, "the connection is usable"


def test_metadata_without_the_script(services: ProjectServices, name: str) -> None:
    services.create(name, "setcpm(31)", metadata={"tempo": 120})
    described = metadata(services, name)
    assert (described.name, described.tempo, described.detected_tempo) == (name, 120, 124)
    assert described.warnings is not None and "script" not in described.model_dump()


def test_only_what_is_given_changes(services: ProjectServices, name: str) -> None:
    services.create(name, "a()", description="One.", metadata={"tempo": 120, "key": "Am", "tags": ["x"]})
    before = services.script(name)
    changed = change(services, name, {"tempo": 124, "tags": ["x"]})
    assert changed.success and changed.previous == {"tempo": 120} and "tempo" in changed.message
    described = metadata(services, name)
    assert (described.tempo, described.key, described.tags, described.description) == (124, "Am", ["x"], "One.")
    change(services, name, {"tempo": 0, "key": "", "tags": []}, description="")
    described = metadata(services, name)
    assert (described.tempo, described.key, described.tags, described.description) == (None, None, [], None)
    assert services.script(name) == before and services.song(name).version == 1


def test_data_is_merged_or_replaced(services: ProjectServices, name: str) -> None:
    services.create(name, metadata={"data": {"a": 1, "b": {"c": 2}, "d": None}})
    changed = change(services, name, {"data": {"b": 3, "a": None, "e": [1]}})
    assert changed.previous == {"data": {"a": 1, "b": {"c": 2}, "d": None}}
    assert metadata(services, name).data == {"b": 3, "d": None, "e": [1]}
    change(services, name, {"data": {"f": 1}}, merge_data=False)
    assert metadata(services, name).data == {"f": 1}


@pytest.mark.parametrize("beats", [0, 1e-300, -1, "4", True, 65, [4]])
def test_beats_per_cycle_must_be_a_number(services: ProjectServices, name: str, beats: Any) -> None:
    services.create(name)
    with pytest.raises(InvalidInput) as raised:
        change(services, name, {"data": {"beats_per_cycle": beats}})
    assert raised.value.body.field == "metadata_updates.data.beats_per_cycle"


def test_a_number_that_json_cannot_hold_is_refused(services: ProjectServices, name: str) -> None:
    with pytest.raises(InvalidInput, match="too large"):
        services.create(name, metadata={"data": {"x": [float("inf")]}})


def test_large_data_is_refused(services: ProjectServices, name: str) -> None:
    services.create(name)
    with pytest.raises(InvalidInput, match="64 KB"):
        change(services, name, {"data": {"x": "y" * 70_000}})


def test_a_project_can_be_renamed(services: ProjectServices, name: str) -> None:
    services.create(name, "a()")
    services.create(f"{name}-taken")
    with pytest.raises(AlreadyExists):
        change(services, name, new_name=f"{name}-TAKEN")
    change(services, name, new_name=name.upper())
    assert services.song(name).project_name == name.upper(), "only the case changed"
    change(services, name, new_name=f"{name}-new")
    assert services.script(f"{name}-new") == "a()"
    with pytest.raises(NotFound):
        services.song(name)


def test_an_update_that_says_nothing(services: ProjectServices, name: str) -> None:
    services.create(name, metadata={"tempo": 100})
    with pytest.raises(InvalidInput, match="Nothing is given"):
        change(services, name)
    assert change(services, name, {"tempo": 100}).message.startswith("Nothing changed")


def test_names_are_unique_and_safe(services: ProjectServices, name: str) -> None:
    services.create(name)
    with pytest.raises(AlreadyExists):
        services.create(f" {name.upper()} ")
    for wrong in ("", "a/b", "x\ny", "..", "a" * 201, "CON"):
        with pytest.raises((InvalidInput, ValueError)):
            services.create(wrong)


def test_a_script_with_errors_is_not_created(services: ProjectServices, name: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        services.create(name, "broken()")
    assert (raised.value.body.code, raised.value.body.field) == ("VALIDATION_FAILED", "initial_script")
    assert services.create(name, "broken()", auto_validate=False).warnings is not None


def test_deleting_needs_a_confirmation(services: ProjectServices, name: str) -> None:
    services.create(name, "a()")
    with pytest.raises(InvalidInput) as raised:
        services.run(services.projects.delete(DeleteProject(project_name=name)))
    assert raised.value.body.code == "CONFIRMATION_NEEDED"
    assert services.script(name) == "a()"
    deleted = services.run(services.projects.delete(DeleteProject(project_name=name, confirm=True)))
    assert deleted.success and "restore_version" in deleted.message
    assert listed(services, filters={"name_pattern": name}).projects == []
    gone = listed(services, filters={"name_pattern": name, "deleted": True}).projects
    assert [project.name for project in gone] == [name] and gone[0].deleted is not None


def test_a_template_takes_the_tempo_and_key_of_the_project(services: ProjectServices, name: str) -> None:
    metadata = {"tempo": 128, "key": "F# harmonic minor"}
    created = services.create(name, template="techno", metadata=metadata)
    script = services.script(name)
    assert created.script == script and "setcpm(128/4)" in script and "F#1:harmonic:minor" in script
    assert services.song(name).metadata.detected_tempo == 128
    with pytest.raises(InvalidInput, match="not both"):
        services.create(f"{name}-2", "a()", template="techno")


def test_a_template_refuses_an_unknown_key(services: ProjectServices, name: str) -> None:
    with pytest.raises(MusicError, match="'H minor' is not a key") as raised:
        services.create(name, template="house", metadata={"key": "H minor"})
    assert raised.value.field == "metadata.key" and raised.value.suggestions[0] == "B minor"


def test_a_template_says_that_its_patterns_have_four_beats(services: ProjectServices, name: str) -> None:
    created = services.create(name, template="house", metadata={"tempo": 180, "data": {"beats_per_cycle": 3}})
    assert created.warnings is not None and "4 beats in a cycle, but beats_per_cycle is 3" in created.warnings[0]
    assert services.create(f"{name}-2", template="house").warnings is None


def test_a_time_that_cannot_be_read() -> None:
    with pytest.raises(ValidationError, match=r"'yesterday' is not a time\. Write a date or a time as ISO 8601"):
        ListProjects.model_validate({"filters": {"created_after": "yesterday"}})


@pytest.mark.parametrize("template", get_args(TemplateName))
def test_templates_have_no_words_to_fill_in(template: TemplateName) -> None:
    script = template_script(template, None, parse_key("Bb minor"), 3)
    assert not {"TEMPO", "BEATS", "TONIC", "MODE"} & set(script.replace("/", " ").replace('"', " ").split())
    assert ":minor" in script and "/3)" in script
