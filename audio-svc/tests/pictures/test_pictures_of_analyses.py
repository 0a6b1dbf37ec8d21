"""render_waveform draws in what the listening tools have found in a recording."""

import json
from typing import Any

import pytest

from consort_kit.tools.answer_headers import MEDIA_DETAILS_HEADER
from tests.support.audio_files import as_base64, sine, wav_bytes
from tests.support.audio_pictures import AudioPicture
from tests.support.played_takes import play, scale, tones
from tests.support.servers.audio_service import AudioService

SCALE = {"reference_type": "scale", "reference_params": {"scale": "D major", "tempo": 100}}


@pytest.fixture(scope="module")
def take(audio: AudioService) -> str:
    """Return a D major scale whose third note is wrong."""
    notes = play(scale("D major"))
    notes[2] = notes[2]._replace(pitch=notes[2].pitch - 1)
    content = as_base64(wav_bytes(tones(notes)[:, None], 22_050))
    return str(audio.call("store_audio", base64=content, name="Scale.wav")["audio_file_id"])


def draw(audio: AudioService, audio_file_id: str, **options: Any) -> tuple[AudioPicture, dict[str, Any]]:
    answer = audio.post("audio", "render_waveform", audio_file_id=audio_file_id, format="svg", **options)
    assert answer.status_code == 200, answer.text
    return AudioPicture(answer.content), json.loads(answer.headers[MEDIA_DETAILS_HEADER])


def test_layers_appear_as_they_become_known(audio: AudioService, take: str) -> None:
    _, details = draw(audio, take)
    assert details["layers"] == [] and "drawn_from" not in details

    audio.call("analyze_audio", audio_file_id=take)
    picture, details = draw(audio, take)
    assert details["drawn_from"]["notes"] == "analyze_audio"
    assert len(picture.notes()) == 8

    audio.call("compare_to_reference", audio_file_id=take, **SCALE)
    picture, details = draw(audio, take)
    assert details["drawn_from"]["faults"] == "compare_to_reference with D major"
    assert [group.get("data-kind") for group in picture.groups("fault")] == ["wrong_note"]
    assert {"F#4 played as F4", "1", "2"} <= set(picture.texts), "the bars are those of the scale"


def test_a_layer_that_is_asked_for_is_analyzed(audio: AudioService) -> None:
    file_id = audio.call("store_audio", base64=as_base64(wav_bytes(sine(440, 2.0, 22_050), 22_050)))["audio_file_id"]
    picture, details = draw(audio, file_id, layers=["notes"])
    assert details["drawn_from"] == {"notes": "analyze_audio"} and len(picture.notes()) == 1
    _, details = draw(audio, file_id, layers=["faults"])
    assert details["layers"] == [] and "compare_to_reference" in details["warnings"][0]


def test_audio_that_is_too_short_is_drawn_with_a_warning(audio: AudioService) -> None:
    file_id = audio.call("store_audio", base64=as_base64(wav_bytes(sine(440, 0.3, 22_050), 22_050)))["audio_file_id"]
    _, details = draw(audio, file_id, layers=["notes"])
    assert details["layers"] == [] and "too short" in details["warnings"][0]
