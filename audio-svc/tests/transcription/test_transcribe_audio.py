"""The tool transcribe_audio with real services: its file goes straight into the tools for music."""

import pytest

from consort_audio.signals.recording import RATE
from tests.support.audio_files import as_base64, wav_bytes
from tests.support.played_tones import melody, recording_of
from tests.support.servers.audio_service import AudioService

SCALE = [60, 62, 64, 65, 67, 69, 71, 72]


@pytest.fixture(scope="module")
def hummed(audio: AudioService) -> str:
    audio.start("midi-store")
    content = wav_bytes(recording_of(melody(SCALE, 0.5), 4.6).samples[:, None], RATE)
    return str(audio.call("store_audio", base64=as_base64(content), name="hum.wav")["audio_file_id"])


def test_a_melody_goes_into_the_tools_for_music(audio: AudioService, hummed: str) -> None:
    found = audio.call("transcribe_audio", audio_file_id=hummed, instrument="voice", quantize="1/8", bpm=120)
    assert found["note_count"] == 8
    assert found["first_notes"] == "C4 D4 E4 F4 | G4 A4 B4 C5"
    read = audio.call_part("midi-store", "read_midi_notes", midi_file_id=found["midi_file_id"])
    lines = read["text"].splitlines()
    assert lines[0] == "tempo 120"
    assert [line.split()[0] for line in lines if line[0] in "ABCDEFG"] == [
        "C4",
        "D4",
        "E4",
        "F4",
        "G4",
        "A4",
        "B4",
        "C5",
    ]


def test_equal_requests_name_the_same_file(audio: AudioService, hummed: str) -> None:
    first = audio.call("transcribe_audio", audio_file_id=hummed, bpm=120)
    assert audio.call("transcribe_audio", audio_file_id=hummed, bpm=120)["midi_file_id"] == first["midi_file_id"]
    assert first["heard_as"] == "mono"


def test_a_wrong_range_is_rejected(audio: AudioService, hummed: str) -> None:
    error = audio.failed_call("transcribe_audio", audio_file_id=hummed, start_time=100)
    assert error["code"] == "INVALID_TIME_RANGE"
