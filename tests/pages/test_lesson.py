"""A lesson, as an assistant gives it: two takes on the recording page, heard, compared, reported and improved."""

import time
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Playwright

from tests.support.browser import Chromium
from tests.support.journey import TRANSPORTS, Journey, journey
from tests.support.recorder_page import RATE, RecorderPage, Sound, write_microphone_file
from tests.support.servers.studio import Studio

C_MAJOR = [60, 62, 64, 65, 67, 69, 71, 72]
WITH_A_WRONG_NOTE = [60, 62, 63, 65, 67, 69, 71, 72]
NOTE_S = 0.5
LEAD_IN_S = 1.5
"""Silence before the first note, in which the page is made ready and recording begins."""
REFERENCE = {"reference_type": "scale", "reference_params": {"scale": "C major", "octaves": 1, "pattern": "up"}}


def play(pitches: list[int]) -> Sound:
    """Return the sound of notes like those of a plucked string, with silence before and after."""
    t = np.arange(round(NOTE_S * RATE)) / RATE
    silence = np.zeros(round(LEAD_IN_S * RATE))
    notes = []
    for pitch in pitches:
        frequency = 440 * 2 ** ((pitch - 69) / 12)
        tone = sum(np.sin(2 * np.pi * n * frequency * t) / n for n in range(1, 6))
        notes.append(0.2 * tone * np.minimum(1, t / 0.005) * np.exp(-3 * t) * np.minimum(1, (NOTE_S - t) / 0.01))
    return np.concatenate([silence, *notes, silence])


def record(assistant: Journey, playwright: Playwright, path: Path, pitches: list[int]) -> str:
    """Record a take on the page and return its audio_file_id."""
    sound = play(pitches)
    requested = assistant.call(
        "request_audio_recording", prompt="Play the C major scale", max_duration=len(sound) / RATE
    )
    with (
        Chromium(playwright, microphone=write_microphone_file(path, sound)) as microphone,
        microphone.open_page(requested["record_url"]) as page,
    ):
        recorder = RecorderPage(page)
        recorder.turn_on()
        recorder.record()
        recorder.send()
    recording = assistant.call("get_recording", recording_id=requested["recording_id"])
    assert recording["status"] == "completed"
    return str(recording["audio_file_id"])


def wait_for_analyses(studio: Studio, audio_file_id: str) -> None:
    """Wait until the recording has the analyses that every recording gets."""
    deadline = time.monotonic() + 60
    while not studio.call("get_audio_info", audio_file_id=audio_file_id).get("analyses"):
        assert time.monotonic() < deadline, "no analyses"
        time.sleep(0.2)


@pytest.mark.timeout(400)
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_lesson(studio: Studio, playwright: Playwright, tmp_path: Path, transport: str) -> None:
    with journey(studio, transport) as assistant:
        first = record(assistant, playwright, tmp_path / "first.wav", WITH_A_WRONG_NOTE)
        wait_for_analyses(studio, first)
        analyses = assistant.call("get_audio_info", audio_file_id=first)["analyses"]
        assert set(analyses) == {"analyze_tempo", "detect_pitch", "analyze_rhythm"}
        heard = assistant.call("analyze_audio", audio_file_id=first)
        assert heard["note_count"] >= 7 and heard["summary"]

        graded = assistant.call("compare_to_reference", audio_file_id=first, **REFERENCE)
        [wrong] = [error for error in graded["errors"] if error["type"] == "wrong_note"]
        assert (wrong["expected"], wrong["played"]) == ("E4", "D#4")
        kind, report = assistant.picture("practice_report", audio_file_id=first, **REFERENCE)
        assert kind == "image/png" and assistant.download(report["download_url"]).startswith(b"\x89PNG")

        second = record(assistant, playwright, tmp_path / "second.wav", C_MAJOR)
        again = assistant.call("compare_to_reference", audio_file_id=second, **REFERENCE)
        assert not [error for error in again["errors"] if error["type"] == "wrong_note"]
        assert again["comparison"]["pitch_accuracy"] > graded["comparison"]["pitch_accuracy"]
        takes = {"audio_file_id_1": first, "audio_file_id_2": second, "comparison_type": "overall"}
        progress = assistant.call("compare_audio", **takes, **REFERENCE)
        assert "pitch_accuracy" in progress["improvements"]
        assert len(assistant.tools) == 10 and assistant.text_bytes < 20_000
