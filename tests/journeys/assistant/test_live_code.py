"""Live code: write a project with clips and words, preview, render and measure it. What is heard is what is written."""

import pytest

from consort_kit.ids import new_id
from tests.support.journey import TRANSPORTS, journey
from tests.support.servers.studio import Studio

TEMPO, KEY = 108, "D minor"
SCRIPT = f"""setcpm({TEMPO}/4)
$: s("bd*4").gain(.6)
$: note("<d2 g2 a2 d2>*2").s("triangle").gain(.6)
$: note("<[d4,f4,a4] [d4,g4,bb4] [c#4,e4,a4] [d4,f4,a4]>").s("gm_piano").gain(.6)
$: note("<[a4 d5 f5 e5] [d5 bb4 g4 bb4] [a4 c#5 e5 g5] [f5 e5 d5 ~]>").s("gm_flute").gain(.5)
"""
CYCLES = 8


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_what_is_heard_is_what_the_code_says(studio: Studio, transport: str) -> None:
    name = f"code {new_id('c')[-6:]}"
    with journey(studio, transport) as assistant:
        made = assistant.call("create_project", name=name, initial_script=SCRIPT, metadata={"key": KEY})
        assert made["validation"] == {"valid": True, "errors": [], "warnings": []}
        clips = assistant.call("search_clips", query={"text": "closed hi-hats", "element": "rhythm"}, limit=3)["clips"]
        assert all("hi-hat" in clip["tags"]["instrument"] for clip in clips[:2])
        softer = assistant.call("query_vocab", concept="softer", limit=1)["matches"][0]
        patch = {"action": "append", "new_content": f'$: s("hh*8").gain(.25){softer["strudel_code"]}'}
        draft = f"{SCRIPT}{patch['new_content']}\n"
        assert assistant.call("validate_script", script_content=draft)["valid"]
        changed = assistant.call("update_song", project_name=name, patch_instructions=patch, reason="hi-hats")
        assert changed["version"] == 2

        events = assistant.call("preview_events", project_name=name, cycles=1)
        assert events["event_count"] == 4 + 2 + 3 + 4 + 8, "kick, bass, chord, melody, hi-hats"
        rendered = assistant.call("render_strudel", project_name=name, cycles=CYCLES)
        assert len(rendered["voices"]) == 5 and not rendered.get("silent_voices")
        loudness = assistant.call("analyze_dynamics", audio_file_id=rendered["audio_file_id"])
        assert -40 < loudness["average_loudness"] < -8
        tempo = assistant.call("analyze_tempo", audio_file_id=rendered["audio_file_id"])
        key = assistant.call("detect_key", audio_file_id=rendered["audio_file_id"])
        said = assistant.call("get_project_metadata", project_name=name)
        assert round(tempo["bpm"]) == said["detected_tempo"] == TEMPO
        assert key["key"] == said["key"] == KEY
        exported = assistant.call("strudel_export_midi", project_name=name, cycles=CYCLES)
        assert exported["tempo"] == TEMPO and exported["note_count"] == rendered["event_count"]
        assert assistant.download(rendered["download_url"]).startswith(b"fLaC")
        assert len(assistant.tools) == 12 and assistant.text_bytes < 14_000
