import json
import sys
from pathlib import Path

import pytest

from benchmarks.support.report import Report, Requirement
from consort_cli import bootstrap
from consort_cli.main import main

BENCHMARK = """
from benchmarks.support.report import Requirement, Report
def run():
    rows = [{{"way": "plain", "ms a call": 12.0}}, {{"way": "ours", "ms a call": 3456.7, "note": "new"}}]
    return Report("Calls", rows, "ours is quicker", [Requirement("ratio", {ratio}, 1.2)])
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a repository with two benchmarks: one meets its requirement, one does not."""
    (tmp_path / "benchmarks").mkdir()
    for name, ratio in (("good_one", 1.2), ("slow_one", 1.3)):
        (tmp_path / "benchmarks" / f"{name}.py").write_text(BENCHMARK.format(ratio=ratio))
    import benchmarks

    monkeypatch.setattr(benchmarks, "__path__", [str(tmp_path / "benchmarks"), *benchmarks.__path__])
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr("consort_cli.commands.bench.install_development_packages", lambda: None)
    return tmp_path


def test_packages_for_benchmarks_are_installed_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh clone has only the packages that the studio itself needs."""
    (root / "benchmarks" / "beside_another.py").write_text("import baseline_of_the_bench\n" + BENCHMARK.format(ratio=1))

    def install() -> None:
        (root / "baseline_of_the_bench.py").touch()

    monkeypatch.setattr("consort_cli.commands.bench.install_development_packages", install)
    assert main(["bench", "beside_another"]) == 0


def test_table_requirements_and_summary_last(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "good_one"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Calls",
        "",
        "way    ms a call  note",
        "─────  ─────────  ────",
        "plain         12",
        "ours        3457  new",
        "",
        "ok     ratio: 1.2 (at most 1.2)",
        "ours is quicker",
    ]


def test_a_missed_requirement_sets_the_exit_code(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "slow_one"]) == 1
    assert "MISSED ratio: 1.3 (at most 1.2)" in capsys.readouterr().out
    assert main(["bench"]) == 1


def test_json_is_one_object(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "slow_one", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["summary"] == "ours is quicker"
    assert answer["floors"] == [
        {"name": "ratio", "measured": 1.3, "required": 1.2, "more_is_better": False, "ok": False}
    ]
    assert main(["bench", "--json"]) == 1
    assert set(json.loads(capsys.readouterr().out)) == {"good_one", "slow_one"}


def test_requirements_of_both_kinds() -> None:
    assert Requirement("share", 0.9, 0.8, more_is_better=True).ok
    assert not Requirement("share", 0.7, 0.8, more_is_better=True).ok
    assert Report("t", [], "s").ok
