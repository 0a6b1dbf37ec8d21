"""The studio as containers, on whatever Docker engine answers: built from nothing, used from the host, restarted.

The stack has a project name and ports of its own, so that it disturbs no other, and is removed at the end.
"""

import asyncio
import json
import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from consort_cli.bootstrap import ROOT
from consort_kit.services import SERVICES
from tests.mcp_answers import answer_of
from tests.midi_files import as_base64, tune
from tests.studio import CONSORT, free_port_base

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

SERVICE_NAMES = {"compose", "midi-store", "audio", "strudel"}
OURS = SERVICE_NAMES | {"gateway"}
MAX_IMAGE_MB = 250


class ComposeStack:
    def __init__(self) -> None:
        self.port_base = free_port_base()
        self.url = f"http://127.0.0.1:{self.port_base}"
        self.agent_port = self.port_base + SERVICES["playback"].port_offset
        own = {
            "COMPOSE_PROJECT_NAME": f"consort-test-{secrets.token_hex(4)}",
            "CONSORT_PORT_BASE": str(self.port_base),
            "CONSORT_TOKEN": "",  # which counts as none
            "CONSORT_PUBLIC_URL": "",
        }
        self.environment = os.environ | own

    def compose(self, *arguments: str, timeout_s: float = 300) -> str:
        return self._docker("compose", *arguments, timeout_s=timeout_s)

    def up(self) -> None:
        self.compose("up", "--wait", "--wait-timeout", "120", "--no-build")

    def remove(self) -> None:
        self.compose("down", "--volumes", "--rmi", "local", "--remove-orphans")

    def containers(self) -> dict[str, dict[str, Any]]:
        """What the engine says of each container, by the name of its service."""
        ids = self.compose("ps", "--all", "--quiet").split()
        found: list[dict[str, Any]] = json.loads(self._docker("inspect", *ids))
        return {each["Config"]["Labels"]["com.docker.compose.service"]: each for each in found}

    def inspect(self, kind: str, name: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = json.loads(self._docker(kind, "inspect", name))
        return found[0]

    def run_python(self, service: str, code: str) -> str:
        """What a program prints that runs in the service's container."""
        return self.compose("exec", "-T", service, "python3", "-c", code).strip()

    @property
    def token(self) -> str:
        return self.compose("exec", "-T", "gateway", "cat", "/data/token").strip()

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a call that must go well, through the published gateway, with the official client."""

        async def main() -> dict[str, Any]:
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {self.token}"}) as http,
                Client(streamable_http_client(f"{self.url}/mcp", http_client=http)) as client,
            ):
                answer = await client.call_tool(tool, arguments)
                result: dict[str, Any] = answer_of(answer)
                return result

        return asyncio.run(main())

    def _docker(self, *arguments: str, timeout_s: float = 60) -> str:
        done = subprocess.run(
            ["docker", *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=timeout_s
        )
        assert done.returncode == 0, f"docker {' '.join(arguments)}\n{done.stdout[-4000:]}\n{done.stderr[-8000:]}"
        return done.stdout


def missing_engine() -> str | None:
    if shutil.which("docker") is None:
        return "there is no `docker` command"
    for command in (["docker", "info"], ["docker", "compose", "version"]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return f"`{' '.join(command)}` failed: {done.stderr.strip()}"
    return None


@pytest.fixture(scope="module")
def stack() -> Iterator[ComposeStack]:
    if reason := missing_engine():
        pytest.skip(f"containers need a Docker engine with Compose: {reason}")
    made = ComposeStack()
    try:
        began = time.monotonic()
        made.compose("build", "--no-cache", timeout_s=1500)
        built = time.monotonic()
        made.up()
        print(f"built in {built - began:.0f} s, healthy after {time.monotonic() - built:.0f} s")
        yield made
    finally:
        made.remove()


def test_all_is_healthy(stack: ComposeStack) -> None:
    states = {name: each["State"]["Health"]["Status"] for name, each in stack.containers().items()}
    assert states == dict.fromkeys(OURS | {"postgres"}, "healthy")


def test_only_the_gateway_is_published_and_only_here(stack: ComposeStack) -> None:
    published = {
        (name, place["HostIp"], place["HostPort"])
        for name, each in stack.containers().items()
        for places in each["NetworkSettings"]["Ports"].values()
        for place in places or []
    }
    assert published == {("gateway", "127.0.0.1", str(stack.port_base))}


def test_containers_have_few_rights(stack: ComposeStack) -> None:
    containers = stack.containers()
    for name, each in containers.items():
        host = each["HostConfig"]
        assert host["ReadonlyRootfs"] and not host["Privileged"], name
        assert host["CapDrop"] == ["ALL"] and "no-new-privileges:true" in host["SecurityOpt"], name
        assert host["RestartPolicy"]["Name"] == "unless-stopped", name
    for name in OURS:
        assert containers[name]["HostConfig"]["CapAdd"] is None
        assert stack.run_python(name, "import os; print(os.getuid(), os.getgid())") == "10001 10001"


def test_services_have_no_way_out(stack: ComposeStack) -> None:
    """Their only network is one that the engine lets nothing leave."""
    for name, each in stack.containers().items():
        networks = each["NetworkSettings"]["Networks"]
        internal = [stack.inspect("network", network)["Internal"] for network in networks]
        assert sorted(internal) == ([False, True] if name == "gateway" else [True]), name


def test_images_are_small_and_hold_no_more_than_needed(stack: ComposeStack) -> None:
    images = {name: stack.inspect("image", each["Image"]) for name, each in stack.containers().items() if name in OURS}
    sizes = {name: image["Size"] / 1e6 for name, image in images.items()}
    print(", ".join(f"{name} {size:.0f} MB" for name, size in sorted(sizes.items())))
    assert sizes["midi-store"] < MAX_IMAGE_MB, sizes
    for name in OURS:
        assert images[name]["Config"]["User"] == "10001:10001"
        modules = "import importlib.util as u; print(*[m for m in {} if u.find_spec(m)])"
        unneeded = ["pip", "setuptools", "pytest", "consort_cli", "consort_playback"]
        others = [SERVICES[other].module for other in SERVICE_NAMES - {name}]
        assert stack.run_python(name, modules.format(unneeded + others)) == "", name


def test_tools_through_the_published_gateway(stack: ComposeStack) -> None:
    content = tune(16, program=40)
    stored = stack.call("store_midi", base64=as_base64(content), name="container.mid")
    described = stack.call("get_midi", midi_file_id=stored["midi_file_id"])
    assert described["metadata"]["tracks"][0]["instruments"] == ["Violin"]
    listed = stack.call("list_midi", limit=100)
    assert stored["midi_file_id"] in [item["midi_file_id"] for item in listed["items"]]
    assert stored["download_url"].startswith(f"{stack.url}/links/")
    assert httpx2.get(stored["download_url"]).content == content


def test_what_one_service_makes_another_takes(stack: ComposeStack) -> None:
    melody = stack.call("generate_melody", key="D minor", length_measures=4, seed=1)
    song = stack.call("create_song", title="Contained", tracks={"Lead": "flute"})
    added = stack.call("add_notes", song_id=song["song_id"], track="Lead", score_id=melody["score_id"])
    exported = stack.call("song_export_midi", song_id=song["song_id"])
    assert stack.call("get_midi", midi_file_id=exported["midi_file_id"])["metadata"]["note_count"] == added["added"]


def test_a_file_put_into_the_data_folder(stack: ComposeStack, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("host") / "from-the-host.mid"
    file.write_bytes(tune(7))
    stack.compose("cp", str(file), "midi-store:/data/import/")
    assert stack.call("store_midi", path="import/from-the-host.mid")["note_count"] == 7


def test_without_the_token_nothing_is_done(stack: ComposeStack) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    for headers in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer consort"}):
        answer = httpx2.post(f"{stack.url}/mcp", json=message, headers=headers)
        assert answer.status_code == 401 and answer.json()["error"]["code"] == "UNAUTHORIZED"
    assert httpx2.get(f"{stack.url}/health", headers={"Host": "evil.example"}).status_code == 421


def test_the_gateway_reaches_the_agent_on_the_host(stack: ComposeStack) -> None:
    code = f"""
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from consort_gateway.settings import GatewaySettings
settings = GatewaySettings()
assert settings.url_of("playback") == "http://host.docker.internal:{stack.agent_port}"
for headers in {{}}, {{"Authorization": "Bearer " + settings.bearer_token}}:
    try:
        print(urlopen(Request(settings.url_of("playback") + "/metrics", headers=headers), timeout=5).status)
    except HTTPError as refused:
        print(refused.status)
"""
    agent = subprocess.Popen(
        [*CONSORT, "agent", "--docker"],
        env=stack.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not _answers(f"http://127.0.0.1:{stack.agent_port}/health"):
            assert agent.poll() is None and time.monotonic() < deadline, agent.communicate(timeout=5)
            time.sleep(0.1)
        assert stack.run_python("gateway", code).split() == ["401", "200"]
    finally:
        agent.terminate()
        agent.communicate(timeout=30)


def _answers(url: str) -> bool:
    try:
        return httpx2.get(url).status_code == 200
    except httpx2.RequestError:
        return False


def test_data_survives_down_and_up(stack: ComposeStack) -> None:
    content, token = tune(21), stack.token
    stored = stack.call("store_midi", base64=as_base64(content), name="kept.mid")
    stack.compose("down")
    assert not _answers(f"{stack.url}/health")
    stack.up()
    assert stack.token == token
    kept = stack.call("get_midi", path="kept.mid")
    assert kept["midi_file_id"] == stored["midi_file_id"]
    assert httpx2.get(kept["download_url"]).content == content
    assert httpx2.get(stored["download_url"]).content == content, "a link lives as long as it says"


def test_a_service_that_ends_comes_back(stack: ComposeStack) -> None:
    gateway = stack.containers()["gateway"]["State"]["Pid"]
    stack.run_python("midi-store", "import os; os.kill(1, 15)")
    deadline = time.monotonic() + 60
    while (now := stack.containers())["midi-store"]["RestartCount"] == 0 or not _is_healthy(now["midi-store"]):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert stack.call("list_midi")["items"]
    assert stack.containers()["gateway"]["State"]["Pid"] == gateway


def _is_healthy(container: dict[str, Any]) -> bool:
    return bool(container["State"]["Health"]["Status"] == "healthy")
