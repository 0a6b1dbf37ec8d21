"""The scenario of document 003 through the front door: "Make it darker and add some swing", and it is heard."""

import re

import pytest

from consort_kit.ids import new_id
from tests.support.journey import TRANSPORTS, journey
from tests.support.servers.studio import Studio

SONG = """setcpm(120/4)
$: s("bd*4").gain(.6)
$: s("hh*8").gain(.4)
$: note("c4 eb4 g4 bb4 c5 bb4 g4 eb4").s("sawtooth").gain(.25)
"""


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_darker_and_with_swing(studio: Studio, transport: str) -> None:
    name = f"Night drive {new_id('p')[-6:]}"
    with journey(studio, transport) as assistant:
        call = assistant.call
        call("create_project", name=name, initial_script=SONG, metadata={"key": "C minor"})
        song = call("get_song", project_name=name)
        assert song["script"] == SONG and song["listen_url"].startswith("http")

        dark = call("search_clips", query={"feeling": "dark", "element": "melody|bass"}, limit=50)["clips"]
        assert all("dark" in clip["tags"]["feeling"] for clip in dark)
        bass = next(clip for clip in dark if clip["tags"]["element"] == "bass" and "setcpm" not in clip["code"])
        swing = call("query_vocab", concept="swing", limit=1)["matches"][0]
        darker = call("query_vocab", concept="darker", limit=1)["matches"][0]
        assert swing["concept"] == "swing" and swing["strudel_code"].startswith(".")
        assert darker["moves"] == {"measure": "brightness", "direction": "down"}

        voices = call("analyze_song_structure", project_name=name)["structure"]["voices"]
        hats = next(voice for voice in voices if "hi-hat" in voice["instrument"])
        lead = next(voice for voice in voices if voice["type"] == "melody")
        kick = next(voice for voice in voices if "kick" in voice["instrument"])
        patches = [
            {
                "action": "replace_line",
                "line_number": voice["lines"][0],
                "new_content": SONG.splitlines()[voice["lines"][0] - 1] + found["strudel_code"],
            }
            for voice, found in ((hats, swing), (lead, darker))
        ]
        patches.append(
            {
                "action": "insert_after_pattern",
                "pattern": re.escape(SONG.splitlines()[kick["lines"][0] - 1]),
                "new_content": f"$: {bass['code'].strip()}{swing['strudel_code']}",
            }
        )
        changed = call("update_song", project_name=name, patch_instructions=patches, reason="darker, with swing")
        assert changed["validation"]["valid"] and "swing" in changed["diff"]
        script = call("get_song", project_name=name)["script"]
        assert call("validate_script", script_content=script, project_name=name)["valid"]
        assert call("list_versions", project_name=name)["versions"][0]["reason"] == "darker, with swing"

        heard = call("compare_strudel", project_name=name, cycles=4)
        brightness, swing_heard = heard["measures"]["brightness"], heard["measures"]["swing"]
        assert brightness["after"] < 0.8 * brightness["before"] and "arker by" in heard["summary"]
        assert swing_heard["before"] == 0 and swing_heard["after"] > 0.1 and "swing" in heard["summary"]
        final = call("render_strudel", project_name=name, cycles=4)
        assert final["loudness"] > -40 and not final.get("silent_voices")
        assert call("get_audio_info", audio_file_id=final["audio_file_id"])["kind"] == "render"
        assert len(assistant.tools) == 13 and assistant.text_bytes < 31_000
