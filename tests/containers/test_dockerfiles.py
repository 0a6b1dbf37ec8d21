"""Check that the Dockerfiles agree with the rest of the repository. No Docker engine is needed."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from consort_cli import bootstrap
from consort_cli.bootstrap import ROOT, packages
from consort_cli.launcher.embedded_postgres import SETTINGS, server_version
from consort_kit.services import DEFAULT_PORT_BASE, GATEWAY, SERVICES

FOLDERS = {
    name: "gateway" if name == "gateway" else f"{name}-svc" for name in [*SERVICES, "gateway"] if name != "playback"
}
PARTS = {**SERVICES, "gateway": GATEWAY}
DATABASE = ROOT / "containers" / "postgres"
TOOLS = {"postgres": DATABASE, "backup": ROOT / "containers" / "backup"}
IMAGES = {name: ROOT / folder for name, folder in FOLDERS.items()} | TOOLS


def dockerfile(name: str) -> str:
    return (IMAGES[name] / "Dockerfile").read_text()


def compose_file() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    return found


def stage(text: str, name: str) -> str:
    found = re.search(rf"^FROM \S+ AS {name}\n.*?(?=^FROM )", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[0]


def needed_packages(folder: str) -> set[str]:
    """Return the folders of one of our packages and of all our packages that it depends on."""
    projects = {each: tomllib.loads((ROOT / each / "pyproject.toml").read_text())["project"] for each in packages()}
    folders = {project["name"]: each for each, project in projects.items()}
    names = {re.split(r"[^\w-]", dependency)[0] for dependency in projects[folder]["dependencies"]}
    return {folder}.union(*(needed_packages(folders[name]) for name in names & folders.keys()))


@pytest.mark.parametrize("name", IMAGES)
def test_shared_stages_are_the_same(name: str) -> None:
    """The images share layers only if these stages are the same."""
    for shared in ("base", "uv"):
        assert stage(dockerfile(name), shared) == stage(dockerfile("gateway"), shared)


@pytest.mark.parametrize("name", IMAGES)
def test_one_setting_chooses_the_base_image_of_all(name: str) -> None:
    """It is pinned by a digest, so that everybody builds on the same system."""
    text = dockerfile(name)
    given = compose_file()["services"][name]["build"]["args"]["PYTHON_IMAGE"]
    [default] = re.findall(r"^ARG PYTHON_IMAGE=(\S+)$", text, re.MULTILINE)
    assert given == f"${{CONSORT_PYTHON_IMAGE:-{default}}}"
    assert re.fullmatch(r"python:3\.11-slim-bookworm@sha256:[0-9a-f]{64}", default)
    stages = set(re.findall(r"^FROM \S+ AS (\S+)$", text, re.MULTILINE))
    from_others = set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) - stages
    assert {each for each in from_others if "BROWSER" not in each} == {"${PYTHON_IMAGE}", "scratch"}


def test_images_that_are_not_built_are_pinned_too() -> None:
    for file in (ROOT / "docker-compose.yml", *(ROOT / "containers").glob("*.yml")):
        for service in yaml.safe_load(file.read_text())["services"].values():
            assert "image" not in service or re.fullmatch(r"\$\{\w+:-\S+@sha256:[0-9a-f]{64}\}", service["image"])


def test_the_database_is_the_embedded_one() -> None:
    """Both run the same program with the same settings, except for where they listen."""
    major = server_version().partition(".")[0]
    assert set(re.findall(r"pginstall(\d+)", dockerfile("postgres"))) == {major}
    program = ast.parse((DATABASE / "start.py").read_text())
    [settings] = [
        ast.literal_eval(each.value)
        for each in program.body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "SETTINGS"
    ]
    own = {"listen_addresses", "unix_socket_directories", "unix_socket_permissions"}
    assert {name: value for name, value in settings.items() if name not in own} == {
        name: value for name, value in SETTINGS.items() if name not in own
    }


def test_the_password_of_an_old_database_is_not_sent_in_clear() -> None:
    [address] = re.findall(r"host=\{os.*", (DATABASE / "start.py").read_text())
    assert address.endswith('require_auth=scram-sha-256"')
    assert compose_file()["x-database"]["CONSORT_DATABASE_URL"].endswith("require_auth=scram-sha-256")


@pytest.mark.parametrize("name", FOLDERS)
def test_the_image_has_the_packages_that_the_service_needs(name: str) -> None:
    text = stage(dockerfile(name), "venv")
    copied = set(re.findall(r"^COPY (\S+) \1$", text, re.MULTILINE))
    installed = re.findall(r"\./(\S+)", text)
    assert copied == set(installed) == needed_packages(FOLDERS[name])
    assert f"COPY {FOLDERS[name]}/requirements.lock " in text


def test_the_gateway_finds_the_guides_in_its_package(tmp_path: Path) -> None:
    """Install the package as the image does, and let it load its guides from outside the repository."""
    assert "COPY skills gateway/src/consort_gateway/skills\n" in stage(dockerfile("gateway"), "venv")
    assert "!skills" in (ROOT / ".dockerignore").read_text().splitlines()
    without = shutil.ignore_patterns("tests", "__pycache__")
    shutil.copytree(ROOT / "gateway", tmp_path / "gateway", ignore=without)
    shutil.copytree(ROOT / "skills", tmp_path / "gateway" / "src" / "consort_gateway" / "skills")
    target = tmp_path / "installed"
    install = ["install", "--no-deps", "--no-sources", "--offline", "--target", str(target), "./gateway"]
    command = [str(bootstrap.UV), "pip", *install, "--python", sys.executable]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, env=bootstrap.uv_environment())
    script = "from consort_gateway.guides import load_skills, skills_folder; print(skills_folder(), len(load_skills()))"
    shown = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": str(target)}, check=True, capture_output=True, text=True
    )
    assert shown.stdout.split() == [str(target / "consort_gateway" / "skills"), "6"]


@pytest.mark.parametrize("name", FOLDERS)
def test_port_and_module(name: str) -> None:
    port, text = DEFAULT_PORT_BASE + PARTS[name].port_offset, dockerfile(name)
    assert set(re.findall(r"(?:CONSORT_PORT=|EXPOSE |127\.0\.0\.1:)(\d+)", text)) == {str(port)}
    assert text.endswith(f'CMD ["python3", "-m", "{PARTS[name].module}"]\n')


@pytest.mark.parametrize("name", [name for name in FOLDERS if name != "gateway"])
def test_the_gateway_knows_the_address_of_each_service(name: str) -> None:
    port = DEFAULT_PORT_BASE + PARTS[name].port_offset
    assert f'"{name}": "http://{name}:{port}"' in (ROOT / "docker-compose.yml").read_text()


def test_services_with_migrations_get_the_database() -> None:
    services = compose_file()["services"]
    migrated = {name for name, folder in FOLDERS.items() if list((ROOT / folder / "src").glob("*/migrations"))}
    users = migrated | {"backup"}
    assert users == {name for name, its in services.items() if "CONSORT_DATABASE_URL" in its.get("environment", {})}
    assert users == {name for name, its in services.items() if "postgres" in its.get("depends_on", [])}
