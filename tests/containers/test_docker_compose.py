"""Build the studio as containers with the Docker engine of this machine, use it from the host, and restart it.

The studio has its own project name and ports, so that it does not disturb other studios. It is removed at the end.
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
from evaluation.mcp_answers import answer_of
from evaluation.processes.servers import free_port_base
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import CONSORT

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

SERVICE_NAMES = {"compose", "midi-store", "audio", "strudel"}
OURS = SERVICE_NAMES | {"gateway"}
MAX_IMAGE_MB = 250
SCALE_WITH_A_WRONG_NOTE = ["D4", "E4", "F4", "G4", "A4", "B4", "C#5", "D5"]
HEAR_A_TONE = """
import numpy as np
from consort_audio.analysis.pitch.answer import answer
from consort_audio.signals.recording import RATE, Recording
tone = 0.3 * np.sin(2 * np.pi * 440 * np.arange(2 * RATE) / RATE)
heard = answer(Recording(tone.astype(np.float32)), {})
assert "swift-f0" not in heard["method"]
print(heard["notes"][0]["pitch"], heard["method"])
"""


class DockerStudio:
    def __init__(self) -> None:
        self.port_base = free_port_base()
        self.url = f"http://127.0.0.1:{self.port_base}"
        self.agent_port = self.port_base + SERVICES["playback"].port_offset
        own = {
            "COMPOSE_PROJECT_NAME": f"consort-test-{secrets.token_hex(4)}",
            "CONSORT_PORT_BASE": str(self.port_base),
            "CONSORT_TOKEN": "",  # counts as not set
            "CONSORT_PUBLIC_URL": "",
        }
        self.environment = os.environ | own

    def compose(self, *arguments: str, timeout_s: float = 300) -> str:
        return self.docker("compose", *arguments, timeout_s=timeout_s)

    def up(self) -> None:
        self.compose("up", "--wait", "--wait-timeout", "120", "--no-build")

    def remove(self) -> None:
        self.compose("down", "--volumes", "--rmi", "local", "--remove-orphans")

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

    @property
    def token(self) -> str:
        return self.compose("exec", "-T", "gateway", "cat", "/data/token").strip()

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool through the published gateway with the official client. The call must succeed."""

        async def main() -> dict[str, Any]:
            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {self.token}"}, timeout=120) as http,
                Client(streamable_http_client(f"{self.url}/mcp", http_client=http)) as client,
            ):
                answer = await client.call_tool(tool, arguments)
                result: dict[str, Any] = answer_of(answer)
                return result

        return asyncio.run(main())

    def finished(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of a tool, also if it became a job."""
        deadline = time.monotonic() + 300
        while "job_id" in answer:
            job = self.call("get_job", job_id=answer["job_id"], wait_s=30)
            assert "error" not in job and time.monotonic() < deadline, job
            answer = job.get("result", job)
        return answer

    def docker(self, *arguments: str, timeout_s: float = 60) -> str:
        """Run a docker command, which must succeed, and return its output."""
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
def studio() -> Iterator[DockerStudio]:
    if reason := missing_engine():
        pytest.skip(f"containers need a Docker engine with Compose: {reason}")
    made = DockerStudio()
    try:
        began = time.monotonic()
        made.compose("build", "--no-cache", timeout_s=1500)
        built = time.monotonic()
        made.up()
        print(f"built in {built - began:.0f} s, healthy after {time.monotonic() - built:.0f} s")
        yield made
    finally:
        made.remove()


def test_all_is_healthy(studio: DockerStudio) -> None:
    states = {name: each["State"]["Health"]["Status"] for name, each in studio.containers().items()}
    assert states == dict.fromkeys(OURS | {"postgres"}, "healthy")


def test_only_the_gateway_is_published_and_only_on_loopback(studio: DockerStudio) -> None:
    published = {
        (name, place["HostIp"], place["HostPort"])
        for name, each in studio.containers().items()
        for places in each["NetworkSettings"]["Ports"].values()
        for place in places or []
    }
    assert published == {("gateway", "127.0.0.1", str(studio.port_base))}


def test_containers_have_few_privileges(studio: DockerStudio) -> None:
    containers = studio.containers()
    for name, each in containers.items():
        host = each["HostConfig"]
        assert host["ReadonlyRootfs"] and not host["Privileged"], name
        assert host["CapDrop"] == ["ALL"] and "no-new-privileges:true" in host["SecurityOpt"], name
        assert host["RestartPolicy"]["Name"] == "unless-stopped", name
    for name in OURS:
        assert containers[name]["HostConfig"]["CapAdd"] is None
        assert studio.run_python(name, "import os; print(os.getuid(), os.getgid())") == "10001 10001"


def test_services_cannot_reach_the_internet(studio: DockerStudio) -> None:
    """The only network of every service is internal."""
    for name, each in studio.containers().items():
        networks = each["NetworkSettings"]["Networks"]
        internal = [studio.inspect("network", network)["Internal"] for network in networks]
        assert sorted(internal) == ([False, True] if name == "gateway" else [True]), name


def test_images_are_small_and_hold_only_needed_packages(studio: DockerStudio) -> None:
    images = {
        name: studio.inspect("image", each["Image"]) for name, each in studio.containers().items() if name in OURS
    }
    sizes = {name: image["Size"] / 1e6 for name, image in images.items()}
    print(", ".join(f"{name} {size:.0f} MB" for name, size in sorted(sizes.items())))
    assert sizes["midi-store"] < MAX_IMAGE_MB, sizes
    for name in OURS:
        assert images[name]["Config"]["User"] == "10001:10001"
        modules = "import importlib.util as u; print(*[m for m in {} if u.find_spec(m)])"
        unneeded = ["pip", "setuptools", "pytest", "consort_cli", "consort_playback"]
        others = [SERVICES[other].module for other in SERVICE_NAMES - {name}]
        assert studio.run_python(name, modules.format(unneeded + others)) == "", name


def test_tools_through_the_published_gateway(studio: DockerStudio) -> None:
    content = tune(16, program=40)
    stored = studio.call("store_midi", base64=as_base64(content), name="container.mid")
    described = studio.call("get_midi", midi_file_id=stored["midi_file_id"])
    assert described["metadata"]["tracks"][0]["instruments"] == ["Violin"]
    listed = studio.call("list_midi", limit=100)
    assert stored["midi_file_id"] in [item["midi_file_id"] for item in listed["items"]]
    assert stored["download_url"].startswith(f"{studio.url}/links/")
    assert httpx2.get(stored["download_url"]).content == content


def test_services_use_the_results_of_other_services(studio: DockerStudio) -> None:
    melody = studio.call("generate_melody", key="D minor", length_measures=4, seed=1)
    song = studio.call("create_song", title="Contained", tracks={"Lead": "flute"})
    added = studio.call("add_notes", song_id=song["song_id"], track="Lead", score_id=melody["score_id"])
    exported = studio.call("song_export_midi", song_id=song["song_id"])
    assert studio.call("get_midi", midi_file_id=exported["midi_file_id"])["metadata"]["note_count"] == added["added"]


def test_music_is_rendered_and_audio_is_uploaded(studio: DockerStudio) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(8)), name="to-render.mid")
    rendered = studio.call("midi_to_audio", midi_file_id=stored["midi_file_id"], instrument="violin", format="wav")
    sound = httpx2.get(rendered["download_url"]).content
    assert sound[:4] == b"RIFF" and len(set(sound[44:100_044])) > 100, "it is a sound, not silence"
    assert "<audio" in httpx2.get(rendered["listen_url"]).text
    link = studio.call("store_audio", upload_link=True, name="take.wav")
    uploaded = httpx2.put(link["upload_url"], content=sound, timeout=60)
    assert uploaded.status_code == 201
    info = studio.call("get_audio_info", audio_file_id=uploaded.json()["audio_file_id"])
    assert info["duration"] == pytest.approx(rendered["duration"], abs=0.01)


def test_a_take_is_heard_and_compared_by_the_models_of_the_image(studio: DockerStudio) -> None:
    notes = "tempo 100\ntime 4/4\ntrack Lead flute\n" + "\n".join(f"{name} 90" for name in SCALE_WITH_A_WRONG_NOTE)
    stored = studio.call("validate_midi", midi_text=notes, name="wrong-scale.mid")
    rendered = studio.call("midi_to_audio", midi_file_id=stored["midi_file_id"], instrument="flute", format="wav")
    sound = httpx2.get(rendered["download_url"]).content
    link = studio.call("store_audio", upload_link=True, name="scale.wav")
    take = httpx2.put(link["upload_url"], content=sound, timeout=60).json()["audio_file_id"]
    assert studio.finished(studio.call("analyze_audio", audio_file_id=take))["note_count"] == len(
        SCALE_WITH_A_WRONG_NOTE
    )
    assert "swift-f0" in studio.finished(studio.call("detect_pitch", audio_file_id=take))["method"]
    scale = {"reference_type": "scale", "reference_params": {"scale": "D major"}}
    [error] = studio.finished(studio.call("compare_to_reference", audio_file_id=take, **scale))["errors"]
    assert (error["type"], error["expected"], error["played"]) == ("wrong_note", "F#4", "F4")


def test_an_image_without_models_listens_by_the_plain_methods(studio: DockerStudio) -> None:
    image = f"{studio.environment['COMPOSE_PROJECT_NAME']}-plain"
    with_models = studio.inspect("image", studio.containers()["audio"]["Image"])["Size"] / 1e6
    secret = f"id=ca,src={os.environ.get('CA_BUNDLE', '/dev/null')}"
    build = ("build", "--build-arg", "MODELS=no", "--secret", secret, "--file", "audio-svc/Dockerfile", "--tag", image)
    studio.docker(*build, ".", timeout_s=900)
    try:
        size = studio.inspect("image", image)["Size"] / 1e6
        print(f"audio {with_models:.0f} MB with models, {size:.0f} MB without")
        assert size < with_models - 50
        assert studio.docker("run", "--rm", "--read-only", image, "python3", "-c", HEAR_A_TONE).split(" ", 1)[0] == "A4"
    finally:
        studio.docker("image", "rm", "--force", image)


def test_more_audio_containers_are_more_workers(studio: DockerStudio) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(40)), name="many.mid")
    studio.compose("up", "--wait", "--no-build", "--no-recreate", "--scale", "audio=2", "audio")
    renders = [
        studio.call("midi_to_audio", midi_file_id=stored["midi_file_id"], instrument=name)
        for name in ("flute", "cello", "harp", "tuba")
    ]
    assert len({each["audio_file_id"] for each in renders}) == 4
    count = "select count(*) from audio.procrastinate_workers"
    connect = "import os, psycopg; database = psycopg.connect(os.environ['CONSORT_DATABASE_URL'])"
    workers = studio.run_python("audio", f"{connect}; print(database.execute({count!r}).fetchone()[0])")
    assert int(workers) == 2
    studio.compose("up", "--wait", "--no-build", "--no-recreate", "--scale", "audio=1", "audio")


def test_a_file_copied_into_the_data_folder_can_be_stored(
    studio: DockerStudio, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("host") / "from-the-host.mid"
    file.write_bytes(tune(7))
    studio.compose("cp", str(file), "midi-store:/data/import/")
    assert studio.call("store_midi", path="import/from-the-host.mid")["note_count"] == 7


def test_calls_without_the_token_are_rejected(studio: DockerStudio) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    for headers in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer consort"}):
        answer = httpx2.post(f"{studio.url}/mcp", json=message, headers=headers)
        assert answer.status_code == 401 and answer.json()["error"]["code"] == "UNAUTHORIZED"
    assert httpx2.get(f"{studio.url}/health", headers={"Host": "evil.example"}).status_code == 421


def test_the_gateway_reaches_the_agent_on_the_host(studio: DockerStudio) -> None:
    code = f"""
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from consort_gateway.settings import GatewaySettings
settings = GatewaySettings()
assert settings.url_of("playback") == "http://host.docker.internal:{studio.agent_port}"
for headers in {{}}, {{"Authorization": "Bearer " + settings.bearer_token}}:
    try:
        print(urlopen(Request(settings.url_of("playback") + "/metrics", headers=headers), timeout=5).status)
    except HTTPError as rejected:
        print(rejected.status)
"""
    agent = subprocess.Popen(
        [*CONSORT, "agent", "--docker"],
        env=studio.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not _answers(f"http://127.0.0.1:{studio.agent_port}/health"):
            assert agent.poll() is None and time.monotonic() < deadline, agent.communicate(timeout=5)
            time.sleep(0.1)
        assert studio.run_python("gateway", code).split() == ["401", "200"]
    finally:
        agent.terminate()
        agent.communicate(timeout=30)


def _answers(url: str) -> bool:
    try:
        return httpx2.get(url).status_code == 200
    except httpx2.RequestError:
        return False


def test_data_survives_down_and_up(studio: DockerStudio) -> None:
    content, token = tune(21), studio.token
    stored = studio.call("store_midi", base64=as_base64(content), name="kept.mid")
    studio.compose("down")
    assert not _answers(f"{studio.url}/health")
    studio.up()
    assert studio.token == token
    kept = studio.call("get_midi", path="kept.mid")
    assert kept["midi_file_id"] == stored["midi_file_id"]
    assert httpx2.get(kept["download_url"]).content == content
    assert httpx2.get(stored["download_url"]).content == content, "the link is still valid"


def test_a_service_that_ends_is_restarted(studio: DockerStudio) -> None:
    gateway = studio.containers()["gateway"]["State"]["Pid"]
    studio.run_python("midi-store", "import os; os.kill(1, 15)")
    deadline = time.monotonic() + 60
    while (now := studio.containers())["midi-store"]["RestartCount"] == 0 or not _is_healthy(now["midi-store"]):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert studio.call("list_midi")["items"]
    assert studio.containers()["gateway"]["State"]["Pid"] == gateway


def _is_healthy(container: dict[str, Any]) -> bool:
    return bool(container["State"]["Health"]["Status"] == "healthy")
