"""Use a studio in containers from the host, and restart it."""

import socket
import time
from typing import Any

import httpx2
import pytest

from tests.support.midi_files import as_base64, tune
from tests.support.servers.docker_studio import DockerStudio

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

SERVICE_NAMES = {"compose", "midi-store", "audio", "strudel"}
ALL = SERVICE_NAMES | {"gateway", "postgres"}
ISOLATING_ENGINE = 28
"""The first version of Docker that can keep the host out of an internal network."""
SCALE_WITH_A_WRONG_NOTE = ["D4", "E4", "F4", "G4", "A4", "B4", "C#5", "D5"]


def test_all_is_healthy(studio: DockerStudio) -> None:
    states = {name: each["State"]["Health"]["Status"] for name, each in studio.containers().items()}
    assert states == dict.fromkeys(ALL, "healthy")


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
    assert containers.keys() == ALL
    for name, each in containers.items():
        host = each["HostConfig"]
        assert host["ReadonlyRootfs"] and not host["Privileged"], name
        assert host["CapDrop"] == ["ALL"] and "no-new-privileges:true" in host["SecurityOpt"], name
        assert host["RestartPolicy"]["Name"] == "unless-stopped", name
        assert host["CapAdd"] is None, name
        assert 2**30 <= host["Memory"] <= 4 * 2**30 and 0 < host["PidsLimit"] <= 1024, name
        assert studio.run_python(name, "import os; print(os.getuid(), os.getgid())") == "10001 10001"


def test_only_services_that_store_something_can_write_to_the_data_folder(studio: DockerStudio) -> None:
    code = "import os; print(os.access('/data', os.R_OK), os.access('/data', os.W_OK))"
    found = {name: studio.run_python(name, code) for name in ALL - {"postgres"}}
    assert found == dict.fromkeys(SERVICE_NAMES, "True True") | {"gateway": "True False"}
    assert studio.run_python("postgres", "import os; print(os.listdir('/data'))") == "[]", "not mounted"


def test_the_database_has_a_random_password(studio: DockerStudio) -> None:
    """Only the services that use the database can read it."""
    line = studio.run_python("postgres", "print(open('/credentials/pgpass').read())")
    password = line.rpartition(":")[2]
    assert len(password) >= 40
    settings = {name: str(each["Config"]["Env"]) for name, each in studio.containers().items()}
    assert [name for name, text in settings.items() if password in text] == []
    look = "import os; print(os.path.exists('/credentials/pgpass'))"
    can_read = {name for name in ALL if studio.run_python(name, look) == "True"}
    assert can_read == ALL - {"gateway"}
    connect = """
import psycopg
for password in "consort", "", "postgres":
    for user in "consort", "postgres":
        try:
            psycopg.connect(host="postgres", dbname="consort", user=user, password=password, passfile="/none")
        except psycopg.OperationalError:
            continue
        print("open to", user, password)
"""
    assert studio.run_python("midi-store", connect) == ""


def test_the_host_does_not_reach_the_internal_network(studio: DockerStudio) -> None:
    """An engine that cannot keep the host out ignores the option."""
    containers = studio.containers()
    [network] = containers["postgres"]["NetworkSettings"]["Networks"]
    options = studio.inspect("network", network)["Options"]
    assert options == {"com.docker.network.bridge.gateway_mode_ipv4": "isolated"}
    version = studio.docker("version", "--format", "{{.Server.Version}}")
    if int(version.partition(".")[0]) >= ISOLATING_ENGINE:
        address = containers["postgres"]["NetworkSettings"]["Networks"][network]["IPAddress"]
        with pytest.raises(OSError):
            socket.create_connection((address, 5432), timeout=3).close()


def test_services_cannot_reach_the_internet(studio: DockerStudio) -> None:
    """The only network of every service is internal."""
    for name, each in studio.containers().items():
        networks = each["NetworkSettings"]["Networks"]
        internal = [studio.inspect("network", network)["Internal"] for network in networks]
        assert sorted(internal) == ([False, True] if name == "gateway" else [True]), name


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
    heard = studio.finished(studio.call("analyze_audio", audio_file_id=take))
    assert heard["note_count"] == pytest.approx(len(SCALE_WITH_A_WRONG_NOTE), abs=1)
    assert "swift-f0" in studio.finished(studio.call("detect_pitch", audio_file_id=take))["method"]
    scale = {"reference_type": "scale", "reference_params": {"scale": "D major"}}
    [error] = studio.finished(studio.call("compare_to_reference", audio_file_id=take, **scale))["errors"]
    assert (error["type"], error["expected"], error["played"]) == ("wrong_note", "F#4", "F4")


def test_a_file_copied_into_the_data_folder_can_be_stored(
    studio: DockerStudio, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("host") / "from-the-host.mid"
    file.write_bytes(tune(7))
    studio.compose("cp", str(file), "midi-store:/data/import/")
    assert studio.call("store_midi", path="import/from-the-host.mid")["note_count"] == 7


def test_without_an_agent_the_answer_says_how_to_start_it(studio: DockerStudio) -> None:
    error = studio.failed_call("list_devices")
    assert error["code"] == "SERVICE_DOWN" and "./consort agent --docker" in error["message"]


def test_calls_without_the_token_are_rejected(studio: DockerStudio) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    for headers in ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer consort"}):
        answer = httpx2.post(f"{studio.url}/mcp", json=message, headers=headers)
        assert answer.status_code == 401 and answer.json()["error"]["code"] == "UNAUTHORIZED"
    assert httpx2.get(f"{studio.url}/health", headers={"Host": "evil.example"}).status_code == 421


def _answers(url: str) -> bool:
    try:
        return httpx2.get(url).status_code == 200
    except httpx2.RequestError:
        return False


def test_data_survives_down_and_up(studio: DockerStudio) -> None:
    content, token = tune(21), studio.token
    stored = studio.call("store_midi", base64=as_base64(content), name="kept.mid")
    studio.down()
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
