"""The guides follow the Agent Skills format, and their calls have the arguments that the tools take."""

import re
from pathlib import Path

import pytest

from consort_gateway.guides import load_skills, read_skill, skills_folder
from consort_gateway.tools.catalogue import load_catalogue
from tests.support.skill_calls import calls_in

NAMES = {
    "counterpoint-lesson",
    "harmony-and-arranging",
    "live-coding",
    "midi-clean-up",
    "practice-coach",
    "songwriting",
}


def test_there_are_six_guides() -> None:
    assert set(load_skills()) == NAMES


@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_format(name: str) -> None:
    skill = read_skill(skills_folder() / name / "SKILL.md")
    assert skill.name == name and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) and len(name) <= 64
    assert 100 < len(skill.description) <= 1024 and "Use it when" in skill.description
    assert skill.body.startswith("# ") and skill.body.count("\n") < 500 and len(skill.body) < 10_000
    for heading in ("## Good looks like this", "## Common mistakes"):
        assert f"\n{heading}\n" in skill.body


@pytest.mark.parametrize("name", sorted(NAMES))
def test_calls_name_tools_and_their_arguments(name: str) -> None:
    tools = {tool.name: tool.input_schema for tool in load_catalogue()}
    calls = list(calls_in(skills_folder() / name / "SKILL.md"))
    assert len(calls) >= 7
    for call in calls:
        schema = tools[call.tool]
        assert call.arguments.keys() <= schema["properties"].keys(), call
        assert set(schema.get("required", [])) <= call.arguments.keys(), call


@pytest.mark.parametrize("text", ["no front matter", "---\nname: x\n---\ntext", "text\n---\nname: x\n---\n"])
def test_a_guide_without_name_and_description_is_rejected(text: str, tmp_path: Path) -> None:
    path = tmp_path / "SKILL.md"
    path.write_text(text)
    with pytest.raises(RuntimeError, match="must start with ---"):
        read_skill(path)
