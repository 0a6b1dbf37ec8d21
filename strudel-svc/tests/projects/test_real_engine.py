"""Projects with the real engine: templates, patches beside statements, sections, and the tools over HTTP."""

from collections.abc import Iterator
from functools import partial
from typing import Any, get_args
from unittest.mock import patch

import pytest
from fastapi.testclient import TestClient

from consort_kit.settings import Settings
from consort_music.keys import parse_key
from consort_strudel.app import make_app
from consort_strudel.engine import Engine
from consort_strudel.projects.engine_reading import EngineReading
from consort_strudel.projects.models.patches import PatchInstruction
from consort_strudel.projects.patches.apply import apply_patches
from consort_strudel.projects.patches.outline import ScriptOutline
from consort_strudel.projects.script_reading import JudgedScript
from consort_strudel.projects.storage.rows import DetectedFacts
from consort_strudel.projects.templates import TemplateName, template_script
from consort_strudel.validation import Validator
from tests.support.servers.storage_servers import ExternalPostgres
from tests.support.strudel_engine import RunningEngine, running_engine
from tests.support.strudel_rendering import build_engine

PATIENCE_S = 60.0
"""Tests are not timed, and the machine may be busy."""

SONG = """// 🎹 a song
setcpm(120/4)

// Drums
kick: s("bd*4") // 🥁
  .gain(.9)
hats: s("hh*8"); clap: s("~ cp")

// Bass
bass: note("c2 eb2").s("sawtooth")
"""


class EngineProjects:
    """The questions of projects, answered by the real engine."""

    def __init__(self, engine: RunningEngine) -> None:
        self._engine = engine
        self.reading = EngineReading(engine.engine, Validator(engine.engine))

    def validate(self, script: str) -> JudgedScript:
        return self._engine.run(lambda _: self.reading.validate(script, 4))

    def outline(self, script: str) -> ScriptOutline:
        return self._engine.run(lambda _: self.reading.outline(script))

    def detect(self, script: str) -> DetectedFacts:
        return self._engine.run(lambda _: self.reading.detect(script))

    def patched(self, script: str, **instruction: Any) -> str:
        patches = [PatchInstruction(**instruction)]
        return self._engine.run(lambda _: apply_patches(script, patches, self.reading.outline)).script


@pytest.fixture(scope="module")
def real() -> Iterator[EngineProjects]:
    with running_engine(PATIENCE_S) as engine:
        yield EngineProjects(engine)


@pytest.mark.parametrize("template", get_args(TemplateName))
def test_templates_are_valid_in_any_key(real: EngineProjects, template: TemplateName) -> None:
    for key in (None, parse_key("F# harmonic minor"), parse_key("Bb major pentatonic")):
        script = template_script(template, 90, key, 4)
        judged = real.validate(script)
        verdict, detected = judged.verdict, judged.detected
        assert (verdict.errors, verdict.warnings) == ([], []), script
        assert detected.tempo(4) == 90 and (key is None or detected.key == key.name)
        outline = real.outline(script)
        assert {"setup", "voices", "voice_1", "voice_4"} - set(outline.sections) <= {"voice_4"}


@pytest.mark.parametrize(
    ("pattern", "before", "after"),
    [
        (r'"bd\*4"', "kick:", "  .gain(.9)\n"),
        ("gain", "kick:", "  .gain(.9)\n"),
        ("note", "bass:", '.s("sawtooth")\n'),
        ("🥁", "kick:", "  .gain(.9)\n"),
        ("a song", "// 🎹", "a song\n"),
    ],
)
def test_code_beside_a_statement(real: EngineProjects, pattern: str, before: str, after: str) -> None:
    inserted = real.patched(SONG, action="insert_before_pattern", pattern=pattern, new_content="x: s('cp')")
    assert inserted == SONG.replace(before, f"x: s('cp')\n{before}", 1)
    inserted = real.patched(SONG, action="insert_after_pattern", pattern=pattern, new_content="x: s('cp')")
    assert inserted == SONG.replace(after, f"{after}x: s('cp')\n", 1)


def test_a_line_with_two_statements_is_split(real: EngineProjects) -> None:
    inserted = real.patched(SONG, action="insert_after_pattern", pattern="hh", new_content="x: s('cp')")
    assert inserted == SONG.replace("; clap", ";\nx: s('cp')\nclap")


@pytest.mark.parametrize(
    ("action", "section", "old", "new"),
    [
        ("insert_after_section", "drums", '"~ cp")\n', '"~ cp")\nX\n'),
        ("insert_after_section", "setup", "setcpm(120/4)\n", "setcpm(120/4)\nX\n"),
        ("insert_after_section", "voices", '.s("sawtooth")\n', '.s("sawtooth")\nX\n'),
        ("replace_section", "bass", 'bass: note("c2 eb2").s("sawtooth")', "X"),
        ("replace_section", "kick", 'kick: s("bd*4") // 🥁\n  .gain(.9)', "X"),
    ],
)
def test_sections_of_the_real_structure(real: EngineProjects, action: str, section: str, old: str, new: str) -> None:
    assert real.patched(SONG, action=action, section=section, new_content="X") == SONG.replace(old, new)


STACK = """$: stack(
  s("bd*4"),
  // Bass
  note("c2"), note("g2"),
).room(.2)
"""
PICK = """song: "<intro verse>".pick({
  intro: s("bd*4"),
  verse: stack(s("bd*4"), note("c3 e3").s("piano")),
})
"""


@pytest.mark.parametrize(
    ("script", "action", "section", "expected"),
    [
        (STACK, "insert_after_section", "setup", f"X\n{STACK}"),
        (STACK, "replace_section", "setup", f"X\n{STACK}"),
        (STACK, "insert_after_section", "voices", f"{STACK}X\n"),
        (STACK, "insert_after_section", "voice_1", f"{STACK}X\n"),
        (STACK, "insert_after_section", "bass", f"{STACK}X\n"),
        (STACK, "replace_section", "voices", "X\n"),
        (STACK, "replace_section", "voice_1", STACK.replace('s("bd*4")', "X")),
        (STACK, "replace_section", "voice_2", STACK.replace('note("c2")', "X")),
        (STACK, "replace_section", "bass", STACK.replace('note("c2"), note("g2")', "X")),
        (PICK, "replace_section", "song", "X\n"),
        (PICK, "replace_section", "intro", PICK.replace('intro: s("bd*4")', "intro: X")),
        (PICK, "replace_section", "voice_3", PICK.replace('note("c3 e3").s("piano")', "X")),
        (PICK, "insert_after_section", "verse", f"{PICK}X\n"),
        (SONG, "replace_section", "clap", SONG.replace('clap: s("~ cp")', "X")),
        (SONG, "insert_after_section", "hats", SONG.replace("; clap", ";\nX\nclap")),
        ("setcpm(30); $: s('bd')", "replace_section", "setup", "X\n$: s('bd')"),
        ("setcpm(30)\n\n// Drums\n$: s('bd')", "replace_section", "setup", "X\n\n// Drums\n$: s('bd')"),
    ],
)
def test_sections_are_whole_statements(
    real: EngineProjects, script: str, action: str, section: str, expected: str
) -> None:
    assert real.patched(script, action=action, section=section, new_content="X") == expected


def test_a_comma_behind_a_replaced_argument_is_not_doubled(real: EngineProjects) -> None:
    patched = real.patched(STACK, action="replace_section", section="voice_1", new_content='s("cp"),\n')
    assert patched == STACK.replace("bd*4", "cp")


def test_a_script_that_cannot_be_parsed(real: EngineProjects) -> None:
    outline = real.outline('s("bd"\nx(')
    assert outline.error is not None and outline.error.startswith("line ")
    for script in ("setcpm(30)\ns((", "setcpm(1e300)", "setcpm(0)", ""):
        detected = real.detect(script)
        assert (detected.cpm, detected.key, detected.packs) == (None, None, ())


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    build_engine("realm")
    patient = patch("consort_strudel.app.Engine", partial(Engine, time_limit_s=PATIENCE_S))
    with ExternalPostgres(tmp_path_factory.mktemp("postgres")) as postgres:
        settings = Settings(data=tmp_path_factory.mktemp("data"), token="t", database_url=postgres.url)
        headers = {"Authorization": "Bearer t"}
        app = make_app(settings)
        with patient, TestClient(app, headers=headers, base_url="http://127.0.0.1") as found:
            yield found


def test_a_session_over_http(client: TestClient) -> None:
    """The data flow of the specification: read, patch the hats, insert a bass after the kick."""

    def call(tool: str, **arguments: Any) -> Any:
        answer = client.post(f"/tools/{tool}", json=arguments)
        return answer.status_code, answer.json()

    script = 'setcpm(30)\n$: sound("bd*4")\n  .gain(.8)\n$: sound("hh*8")\n'
    status, created = call("create_project", name="night", initial_script=script, metadata={"tempo": 120})
    assert (status, created["success"], created["project_name"]) == (200, True, "night")
    hats = {
        "action": "replace_pattern",
        "pattern": r"sound\(\"hh\*8\"\)",
        "new_content": 'sound("hh*8").late("[0 .01]*4")',
    }
    bass = {
        "action": "insert_after_pattern",
        "pattern": r"sound\(\"bd\*4\"\)",
        "new_content": '\n$: note("c2 eb2 f2 g2").s("sawtooth").lpf(600)\n',
    }
    assert call("update_song", project_name="night", patch_instructions=hats)[1]["validation"]["valid"] is True
    status, updated = call("update_song", project_name="night", patch_instructions=bass, expected_version=2)
    assert (status, updated["version"], updated["lines_changed"]) == (200, 3, 1)
    status, song = call("get_song", project_name="night")
    assert song["script"] == (
        'setcpm(30)\n$: sound("bd*4")\n  .gain(.8)\n$: note("c2 eb2 f2 g2").s("sawtooth").lpf(600)\n'
        '$: sound("hh*8").late("[0 .01]*4")\n'
    )
    assert song["metadata"]["detected_tempo"] == 120 and "warnings" not in song
    typo = {"action": "replace_pattern", "pattern": "gain", "new_content": "gian"}
    status, refused = call("update_song", project_name="night", patch_instructions=typo)
    assert (status, refused["error"]["code"]) == (422, "VALIDATION_FAILED")
    first = refused["error"]["details"]["errors"][0]
    assert (first["line"], first["column"]) == (3, 4) and "gain" in first["suggestion"]
    status, stale = call("update_song", project_name="night", patch_instructions=hats, expected_version=1)
    assert (status, stale["error"]["code"]) == (409, "VERSION_CONFLICT")
    assert call("restore_version", project_name="night", version=1)[1]["version"] == 4
    assert [each["version"] for each in call("list_versions", project_name="night")[1]["versions"]] == [4, 3, 2, 1]
    assert call("list_projects", filters={"tempo_min": 119})[1]["filtered_count"] == 1
    assert call("delete_project", project_name="night")[0] == 422
    assert call("delete_project", project_name="night", confirm=True)[0] == 200
    assert call("get_song", project_name="night")[0] == 404


@pytest.mark.parametrize(
    ("patch", "field"),
    [
        ({"action": "explode"}, "patch_instructions.action"),
        ({"action": "append", "new_contents": "x"}, "patch_instructions.new_contents"),
        ([{"action": "append", "new_content": "x"}, {"action": "replace_line"}], "patch_instructions.1"),
        ([], "patch_instructions"),
        ("append x", "patch_instructions"),
    ],
)
def test_wrong_instructions_name_the_field(client: TestClient, patch: Any, field: str) -> None:
    answer = client.post("/tools/update_song", json={"project_name": "any", "patch_instructions": patch})
    error = answer.json()["error"]
    assert answer.status_code == 422 and error["field"] == field, error
