"""The studio of docker-compose.yml, used from the host. It has its own project name and ports."""

import json
import os
import secrets
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from mcp.client.stdio import StdioServerParameters

from consort_cli.bootstrap import ROOT
from consort_kit.services import SERVICES
from tests.support.servers.studio import Studio

_READY_S = 180
_IMAGES = {"CONSORT_PYTHON_IMAGE": "python:3.11-slim-bookworm", "CONSORT_POSTGRES_17_IMAGE": "pgvector/pgvector:pg17"}
"""Tags instead of the pinned digests: an engine without a registry has only these."""
_STDIO = ("python3", "-m", "consort_gateway.mcp")


def missing_engine() -> str | None:
    """Return why there can be no containers on this machine, or None."""
    if shutil.which("docker") is None:
        return "there is no `docker` command"
    for command in (["docker", "info"], ["docker", "compose", "version"]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return f"`{' '.join(command)}` failed: {done.stderr.strip()}"
    return None


class DockerStudio(Studio):
    """A studio in containers. `data` is a folder of the host, for the programs there."""

    same_machine = False

    def __init__(self, data: Path) -> None:
        own = {
            **{name: os.environ.get(name) or tag for name, tag in _IMAGES.items()},
            "COMPOSE_PROJECT_NAME": f"consort-test-{secrets.token_hex(4)}",
            "CONSORT_TOKEN": "",  # counts as not set
            "CONSORT_PUBLIC_URL": "",
        }
        super().__init__(data, own)
        self._token: str | None = None
        self.agent_port = self.port_base + SERVICES["playback"].port_offset

    @property
    def project(self) -> str:
        return self.environment["COMPOSE_PROJECT_NAME"]

    @property
    def token(self) -> str:
        if self._token is None:
            self._token = self.compose("exec", "-T", "gateway", "cat", "/data/token").strip()
        return self._token

    def build(self) -> None:
        self.compose("build", timeout_s=1500)

    def up(self) -> None:
        self.compose("up", "--wait", "--wait-timeout", str(_READY_S), "--no-build")

    def down(self) -> None:
        self._stop()

    def delete_data(self) -> None:
        """Stop the studio and delete its volumes."""
        self._stop("--volumes")

    def remove(self) -> None:
        self._stop("--volumes", "--rmi", "local", "--remove-orphans")

    def _stop(self, *options: str) -> None:
        self.compose("--profile", "backup", "down", *options)
        self._token = None

    def stdio_server(self, **more_settings: str) -> StdioServerParameters:
        settings = [part for name, value in more_settings.items() for part in ("-e", f"{name}={value}")]
        arguments = ["compose", "exec", "-T", *settings, "gateway", *_STDIO]
        return StdioServerParameters(command="docker", args=arguments, env=self.environment, cwd=ROOT)

    def exported(self, name: str) -> bytes:
        return self._docker("compose", "exec", "-T", "midi-store", "cat", f"/data/export/{name}")

    def finished(self, answer: dict[str, Any], timeout_s: float = 300) -> dict[str, Any]:
        """Return the answer of a tool, also if it became a job."""
        deadline = time.monotonic() + timeout_s
        while "job_id" in answer:
            job = self.call("get_job", job_id=answer["job_id"], wait_s=30)
            assert "error" not in job and time.monotonic() < deadline, job
            answer = job.get("result", job)
        return answer

    def containers(self) -> dict[str, dict[str, Any]]:
        """Return the engine's description of each container, by the name of its service."""
        ids = self.compose("ps", "--all", "--quiet").split()
        found: list[dict[str, Any]] = json.loads(self.docker("inspect", *ids))
        return {each["Config"]["Labels"]["com.docker.compose.service"]: each for each in found}

    def inspect(self, kind: str, name: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = json.loads(self.docker(kind, "inspect", name))
        return found[0]

    def run_python(self, service: str, code: str) -> str:
        """Run a Python program in the service's container and return its output."""
        return self.compose("exec", "-T", service, "python3", "-c", code).strip()

    def query(self, statement: str) -> list[Any]:
        """Run a statement in the database, as a service does, and return its rows."""
        connect = "import json, os, psycopg; database = psycopg.connect(os.environ['CONSORT_DATABASE_URL'])"
        rows = f"{connect}; print(json.dumps(database.execute({statement!r}).fetchall(), default=str))"
        found: list[Any] = json.loads(self.run_python("midi-store", rows))
        return found

    def compose(self, *arguments: str, timeout_s: float = 300) -> str:
        return self.docker("compose", *arguments, timeout_s=timeout_s)

    def docker(self, *arguments: str, timeout_s: float = 60) -> str:
        """Run a docker command, which must succeed, and return its output."""
        return self._docker(*arguments, timeout_s=timeout_s).decode(errors="replace")

    def _docker(self, *arguments: str, timeout_s: float = 60) -> bytes:
        done = subprocess.run(
            ["docker", *arguments], cwd=ROOT, env=self.environment, capture_output=True, timeout=timeout_s
        )
        output = (done.stdout[-4000:] + b"\n" + done.stderr[-8000:]).decode(errors="replace")
        assert done.returncode == 0, f"docker {' '.join(arguments)}\n{output}"
        return done.stdout

    @property
    def build_secret(self) -> str:
        """The option value for a build outside Compose behind a proxy that replaces certificates."""
        return f"id=ca,src={os.environ.get('CA_BUNDLE', '/dev/null')}"
