"""What a change does for the ear, through the front door: versions, patches and snippets."""

from typing import Any

import pytest

from tests.support.servers.studio import Studio

BRIGHT = 'setcps(1)\n$: note("a2 e3 a3 e3").s("sawtooth").gain(.4)\n'
MEASURES = {
    *("loudness", "brightness", "low_balance", "mid_balance", "high_balance"),
    *("width", "onset_density", "swing", "dynamic_range"),
}
DARKER = {"action": "replace_pattern", "pattern": r"\.gain\(\.4\)", "new_content": ".gain(.4).lpf(400)"}


@pytest.fixture(scope="module")
def patched(local_studio: Studio) -> dict[str, Any]:
    local_studio.call("create_project", name="Dusk", initial_script=BRIGHT)
    answer: dict[str, Any] = local_studio.call(
        "compare_strudel", project_name="dusk", patch_instructions=DARKER, cycles=2
    )
    assert local_studio.call("get_song", project_name="dusk")["version"] == 1, "the patch is not saved"
    return answer


def test_a_patch_that_should_make_it_darker_does(local_studio: Studio, patched: dict[str, Any]) -> None:
    assert patched["measures"].keys() == MEASURES
    brightness = patched["measures"]["brightness"]
    assert brightness["after"] < 0.8 * brightness["before"] and brightness["change"].endswith("%")
    assert "arker by" in patched["summary"] and patched["measures"]["swing"]["change"] == "unchanged"
    assert (patched["before"]["what"], patched["after"]["what"]) == ("Dusk v1", "Dusk v1 + patch")
    for side in ("before", "after"):
        info = local_studio.call("get_audio_info", audio_file_id=patched[side]["audio_file_id"])
        assert info["kind"] == "render" and "http" in patched[side]["listen_url"]


def test_two_versions_are_compared_and_renders_are_shared(local_studio: Studio, patched: dict[str, Any]) -> None:
    local_studio.call("update_song", project_name="dusk", patch_instructions=DARKER)
    found = local_studio.call("compare_strudel", project_name="dusk", cycles=2)
    assert (found["before"]["what"], found["after"]["what"]) == ("Dusk v1", "Dusk v2")
    assert found["before"]["audio_file_id"] == patched["before"]["audio_file_id"]
    assert found["measures"] == patched["measures"]


def test_snippets_swing_and_silence_are_told(local_studio: Studio) -> None:
    hats = 'setcps(.5)\ns("sbd*4, [~ white]*8").decay(.03)'
    swung = local_studio.call(
        "compare_strudel", script_content=hats, new_script_content=f"{hats}.swingBy(1/3, 8)", cycles=2
    )
    assert float(swung["measures"]["swing"]["change"]) == pytest.approx(1 / 3, abs=0.06)
    assert "swing" in swung["summary"]
    silent = local_studio.call("compare_strudel", script_content=hats, new_script_content=f"{hats}.gain(0)", cycles=2)
    assert silent["measures"] == {} and "silent after" in silent["summary"]
    assert any(line.startswith("after: ") and "silent" in line for line in silent["warnings"])


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ({"project_name": "nowhere"}, "NOT_FOUND", "nowhere"),
        ({"script_content": 's("bd")'}, "INVALID_INPUT", "new_script_content"),
        ({"script_content": 's("bd")', "new_script_content": 'nosuch("bd")'}, "INVALID_SCRIPT", "nosuch"),
        ({"project_name": "dusk", "after_version": 1}, "INVALID_INPUT", "before version 1"),
        ({"project_name": "dusk", "patch_instructions": {"action": "append"}}, "INVALID_PATCH", "new_content"),
    ],
)
def test_what_cannot_be_compared(
    local_studio: Studio, patched: dict[str, Any], arguments: dict[str, Any], code: str, says: str
) -> None:
    error = local_studio.failed_call("compare_strudel", **arguments)
    assert error["code"] == code and says in error["message"]
