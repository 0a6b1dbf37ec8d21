"""Every call in the guides of `skills/` works on a real studio, and gives what the guide says."""

import json
import re
from contextlib import closing
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest

from consort_audio.signals.recording import RATE
from consort_cli.mcp_client import McpConnection
from consort_cli.scripted_calls import ScriptAnswers
from consort_gateway.guides import load_skills, skills_folder
from consort_gateway.tools.catalogue import load_catalogue
from tests.support.audio_files import wav_bytes
from tests.support.played_tones import melody, recording_of
from tests.support.servers.studio import Studio
from tests.support.skill_calls import calls_in

SCALE = [60, 62, 64, 65, 67, 69, 71, 72, 71, 69, 67, 65, 64, 62, 60]
SAYS = {
    ("counterpoint-lesson", "analyze_harmony"): "Parallel fifths: A4 to C5 over D4 to F4.",
    ("live-coding", "validate_script"): "Did you mean 'lpf'?",
    ("live-coding", "create_project"): '"listen_url"',
    ("live-coding", "render_strudel"): '"event_count": 44',
    ("midi-clean-up", "midi_to_notation"): "F4:q D4:q C4:h",
    ("practice-coach", "get_recording"): '"status": "completed"',
    ("songwriting", "check_song"): '"ok": true',
    ("harmony-and-arranging", "check_song"): '"ok": true',
}
"""A part of the answer to the first call of a tool, which the guide tells the reader to expect."""


@pytest.mark.parametrize("name", load_skills())
def test_every_call_works_and_every_name_exists(studio: Studio, name: str) -> None:
    guide = skills_folder() / name / "SKILL.md"
    answers, texts = ScriptAnswers(), []
    expected = {tool: text for (its_guide, tool), text in SAYS.items() if its_guide == name}
    with closing(McpConnection(studio.url, studio.token, client=f"guide-{name}")) as connection:
        for call in calls_in(guide):
            if call.tool == "get_recording":
                play_the_scale(studio, answers.named["request"])
            ok, answer = connection.call_tool(call.tool, answers.fill(call.arguments))
            assert ok, (call.tool, answer)
            answer = without_picture(answer)
            answers.keep(call, answer)
            text = json.dumps(answer, ensure_ascii=False)
            assert expected.pop(call.tool, "") in text, (call.tool, text)
            texts.append(text)
    assert len(texts) >= 7 and not expected
    prose = re.sub(r"^```json.*?^```", "", guide.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    tools = " ".join(f"{tool.name} {json.dumps(tool.as_mcp())}" for tool in load_catalogue())
    known = set(re.findall(r"\w+", f"{tools} {' '.join(texts)}"))
    assert {word for word in re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", prose) if word not in known} == set()


def without_picture(answer: Any) -> Any:
    """Return the JSON beside a picture, or the answer itself if it has no picture."""
    blocks = answer.get("content", [])
    return json.loads(blocks[-1]["text"]) if blocks else answer


def play_the_scale(studio: Studio, request: dict[str, Any]) -> None:
    """Do what the recorder page does when a user has played the scale of the guide at 80 BPM."""
    token = dict(parse_qsl(urlsplit(request["record_url"]).query))["token"]
    route = f"{studio.url_of('audio')}/recordings/{request['recording_id']}/take?token={token}"
    opened = httpx2.put(route, json={"tempo": 80}, headers=studio.headers, trust_env=False)
    assert opened.status_code == 200, opened.text
    take = recording_of(melody(SCALE, step_s=0.75), seconds=12)
    content = wav_bytes(take.samples[:, None], RATE)
    sent = httpx2.put(opened.json()["upload_url"], content=content, trust_env=False, timeout=60)
    assert sent.status_code == 201, sent.text
