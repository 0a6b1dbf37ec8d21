"""Scripts become sound that the audio tools can use, through the front door."""

from typing import Any

import numpy as np
import pytest
import soundfile

from tests.support.servers.studio import Studio

SCRIPT = """setcps(1)
bass: note("a2*2").s("sawtooth").lpf(800)
lead: note("a4*4").s("sine").gain(.5)
off: s("sbd*2").gain(0)
"""


@pytest.fixture(scope="module")
def rendered(local_studio: Studio) -> dict[str, Any]:
    answer: dict[str, Any] = local_studio.call(
        "render_strudel", script_content=SCRIPT, cycles=2, tail=0.5, format="wav"
    )
    return answer


def test_a_script_becomes_an_audio_file(local_studio: Studio, rendered: dict[str, Any]) -> None:
    assert rendered["duration"] == pytest.approx(2.5, abs=0.02)
    assert rendered["event_count"] == 16
    assert rendered["silent_voices"] == ["off"]
    assert [voice["voice"] for voice in rendered["voices"]] == ["bass", "lead", "off"]
    assert rendered["peak"] < 0 and rendered["loudness"] < -5
    info = local_studio.call("get_audio_info", audio_file_id=rendered["audio_file_id"])
    assert info["kind"] == "render" and info["sample_rate"] == 44_100 and info["channels"] == 2
    assert info["origin"]["cycles"] == 2
    files = list((local_studio.data / "audio" / rendered["audio_file_id"]).glob("*.wav"))
    samples, rate = soundfile.read(files[0])
    spectrum = np.abs(np.fft.rfft(samples[: 2 * rate, 0]))
    for frequency in (110, 440):
        at = round(frequency * 2)
        assert spectrum[at - 3 : at + 4].max() > 20 * np.median(spectrum)


def test_the_same_request_gives_the_same_file(local_studio: Studio, rendered: dict[str, Any]) -> None:
    again = local_studio.call("render_strudel", script_content=SCRIPT, cycles=2, tail=0.5, format="wav")
    assert again["audio_file_id"] == rendered["audio_file_id"]
    other = local_studio.call("render_strudel", script_content=SCRIPT, cycles=2, tail=0.5, format="wav", voice="lead")
    assert other["audio_file_id"] != rendered["audio_file_id"]
    assert [voice["voice"] for voice in other["voices"]] == ["lead"]


def test_a_deleted_file_is_rendered_again(local_studio: Studio) -> None:
    first = local_studio.call("render_strudel", script_content='s("sbd*4")', cycles=1)
    local_studio.call("delete_audio", audio_file_id=first["audio_file_id"])
    again = local_studio.call("render_strudel", script_content='s("sbd*4")', cycles=1)
    assert again["audio_file_id"] != first["audio_file_id"]
    assert local_studio.call("get_audio_info", audio_file_id=again["audio_file_id"])["format"] == "flac"


def test_a_project_is_rendered_and_long_work_is_a_job(local_studio: Studio) -> None:
    local_studio.call("create_project", name="Tide", initial_script=SCRIPT)
    ticket = local_studio.call("render_strudel", project_name="tide", cycles=30, format="ogg", wait_s=0)
    assert ticket["job_id"].startswith("soundjob_")
    report = local_studio.call("get_job", job_id=ticket["job_id"], wait_s=50)
    while report["status"] in ("queued", "running"):
        report = local_studio.call("get_job", job_id=ticket["job_id"], wait_s=50)
    assert report["status"] == "succeeded", report
    assert report["result"]["project_name"] == "Tide" and report["result"]["version"] == 1
    assert report["result"]["duration"] == pytest.approx(32, abs=0.1)
    assert report["result"]["name"].endswith(".ogg")


def test_a_render_is_cancelled_as_any_other_job(local_studio: Studio) -> None:
    ticket = local_studio.call("render_strudel", script_content=SCRIPT, cycles=500, wait_s=0)
    assert ticket["status"] in ("queued", "running") and 0 <= ticket["progress"] < 1
    report = local_studio.call("get_job", job_id=ticket["job_id"], cancel=True, wait_s=20)
    assert (report["status"], report["kind"]) == ("cancelled", "render_strudel")
    assert local_studio.call("render_strudel", script_content='s("sbd*2")', cycles=1)["event_count"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ({"script_content": 'nosuch("bd")'}, "INVALID_SCRIPT", "nosuch"),
        ({"script_content": "while (true) {}\ns('bd')"}, "INVALID_SCRIPT", "endless loop"),
        ({"script_content": SCRIPT, "voice": "flute"}, "NOT_FOUND", "bass, lead, off"),
        ({"script_content": 'setcps(.001)\ns("bd")', "cycles": 8}, "INVALID_SCRIPT", "600 s"),
        ({"project_name": "nowhere"}, "NOT_FOUND", "nowhere"),
    ],
)
def test_what_cannot_be_rendered_is_explained(
    local_studio: Studio, arguments: dict[str, Any], code: str, says: str
) -> None:
    error = local_studio.failed_call("render_strudel", **arguments)
    assert error["code"] == code and says in error["message"]
