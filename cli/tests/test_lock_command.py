import re
import tomllib

import pytest

from consort_cli import bootstrap
from consort_cli.commands.lock import DEV_LOCK, machine_specific_line

LOCKS = [DEV_LOCK, bootstrap.BOOTSTRAP_LOCK]
LOCKS += [f"{folder}/requirements.lock" for folder in bootstrap.packages() if folder != "libs/music"]


@pytest.mark.parametrize("name", LOCKS)
def test_lock_pins_by_hash_and_names_neither_registry_nor_machine(name: str) -> None:
    text = (bootstrap.ROOT / name).read_text()
    assert machine_specific_line(text) is None
    pins = re.split(r"\n(?=\S)", text.strip())
    assert all(
        re.match(r"[a-z0-9.-]+(\[[a-z,-]+\])?==\S+ (; .* )?\\\n", pin) and "--hash=sha256:" in pin for pin in pins
    )


@pytest.mark.parametrize("folder", [folder for folder in bootstrap.packages() if folder != "libs/music"])
def test_every_requirement_is_locked(folder: str) -> None:
    project = tomllib.loads((bootstrap.ROOT / folder / "pyproject.toml").read_text())["project"]
    names = {re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower() for requirement in project["dependencies"]}
    lock = (bootstrap.ROOT / folder / "requirements.lock").read_text()
    locked = set(re.findall(r"^([a-z0-9._-]+)", lock, re.MULTILINE))
    assert {name for name in names if not name.startswith("consort-")} <= locked


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://registry.example/simple",
        "-e file:///home/someone/consort/libs/kit",
        "./libs/kit",
        "six @ https://registry.example/six.whl",
        "/home/someone/six.whl",
        "C:\\wheels\\six.whl",
    ],
)
def test_machine_specific_lines_are_found(line: str) -> None:
    assert machine_specific_line(f"six==1.17.0 \\\n    --hash=sha256:00\n{line}\n") == line
