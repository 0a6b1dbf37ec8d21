"""Test that the guides are put into Claude Code's folder of skills and taken out, and that nothing else is touched."""

from pathlib import Path

import pytest

from consort_cli import assistant_skills
from consort_cli.main import main
from consort_gateway.guides import load_skills, skills_folder

NAMES = sorted(load_skills())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of skills of a user who has never run Claude Code."""
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for variable in ("CLAUDE_CONFIG_DIR", "CONSORT_DATA", "CONSORT_DATABASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path / ".claude" / "skills"


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def install(*options: str) -> None:
    assert main(["install", "claude-code", "--skills", *options]) == 0


def test_all_guides_are_put_in_place_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install()
    assert files_in(folder) == sorted([".consort-skills.json", *(f"{name}/SKILL.md" for name in NAMES)])
    for name in NAMES:
        assert (folder / name / "SKILL.md").read_bytes() == (skills_folder() / name / "SKILL.md").read_bytes()
    assert "songwriting" in capsys.readouterr().out
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("SKILL.md")}
    install()
    assert times == {path: path.stat().st_mtime_ns for path in folder.rglob("SKILL.md")}
    assert "has all skills already" in capsys.readouterr().out


def test_skills_are_removed_and_others_stay(folder: Path, tmp_path: Path) -> None:
    (folder / "mine").mkdir(parents=True)
    (folder / "mine" / "SKILL.md").write_text("my own")
    install()
    (folder / "songwriting" / "notes.txt").write_text("a file of the user")
    install("--remove")
    assert files_in(folder) == ["mine/SKILL.md", "songwriting/notes.txt"]
    assert "consort" in (tmp_path / ".claude.json").read_text(), "the server stays registered"


def test_the_plain_remove_takes_out_both(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install()
    assert main(["install", "claude-code", "--remove"]) == 0
    assert files_in(folder) == [] and "command" not in (tmp_path / ".claude.json").read_text()
    install("--remove")
    assert "has no skills of Consort" in capsys.readouterr().out


def test_changed_skills_are_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "songwriting").mkdir(parents=True)
    (folder / "songwriting" / "SKILL.md").write_text("of somebody else")
    install()
    assert "Left alone, because they are not as Consort wrote them: songwriting" in capsys.readouterr().out
    changed = folder / "practice-coach" / "SKILL.md"
    changed.write_text(changed.read_text() + "Always praise first.\n")
    install()
    install("--remove")
    assert files_in(folder) == ["practice-coach/SKILL.md", "songwriting/SKILL.md"]
    assert (folder / "songwriting" / "SKILL.md").read_text() == "of somebody else"
    assert changed.read_text().endswith("Always praise first.\n")


def test_a_skill_of_an_earlier_version_is_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier = folder.parent / "earlier"
    for name in ("songwriting", "no-longer-there"):
        (earlier / name).mkdir(parents=True)
        (earlier / name / "SKILL.md").write_text("as in the earlier version")
    monkeypatch.setattr(assistant_skills, "skills_folder", lambda: earlier)
    install()
    monkeypatch.undo()
    assistant_skills.put_skills(folder)
    assert files_in(folder) == sorted([".consort-skills.json", *(f"{name}/SKILL.md" for name in NAMES)])
    assert (folder / "songwriting" / "SKILL.md").read_text().startswith("---\nname: songwriting")


@pytest.mark.parametrize("name", ["cursor", "claude-desktop"])
def test_only_claude_code_has_skills(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["install", name, "--skills"])
    assert "has no folder of skills" in capsys.readouterr().err and not folder.exists()
