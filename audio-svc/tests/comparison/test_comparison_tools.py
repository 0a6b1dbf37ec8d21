"""The tools compare_to_reference, compare_audio and practice_report, with real services."""

import base64
import json
from typing import Any

import pytest

from consort_kit.ids import new_id
from consort_kit.tools.answer_headers import MEDIA_DETAILS_HEADER
from tests.support.audio_files import wav_bytes
from tests.support.listening_models import require_models
from tests.support.played_takes import play, scale, tones
from tests.support.rendering import scale_file
from tests.support.servers.audio_service import AudioService

SCALE = {"reference_type": "scale", "reference_params": {"scale": "C major", "start_note": "C4", "tempo": 100}}


@pytest.fixture(scope="module")
def studio(audio: AudioService) -> AudioService:
    audio.start("midi-store")
    return audio


def store(studio: AudioService, wrong: int | None = None) -> str:
    """Store a take of a C major scale, with one wrong note if asked for."""
    notes = play(scale("C major"))
    if wrong is not None:
        notes[wrong] = notes[wrong]._replace(pitch=notes[wrong].pitch + 1)
    content = base64.b64encode(wav_bytes(tones(notes)[:, None], 22_050)).decode()
    return str(studio.call("store_audio", base64=content, name="Take.wav")["audio_file_id"])


@pytest.fixture(scope="module")
def wrong_take(studio: AudioService) -> str:
    return store(studio, 2)


@pytest.fixture(scope="module")
def midi_scale(studio: AudioService) -> str:
    content = base64.b64encode(scale_file()).decode()
    answer = studio.call_part("midi-store", "store_midi", base64=content, name=f"{new_id('scale')}.mid")
    return str(answer["midi_file_id"])


def test_a_wrong_note_of_a_scale_is_found(studio: AudioService, wrong_take: str) -> None:
    answer = studio.call("compare_to_reference", audio_file_id=wrong_take, **SCALE)
    assert answer["scale"] == "C major"
    (error,) = answer["errors"]
    assert (error["type"], error["expected"], error["played"]) == ("wrong_note", "E4", "F4")
    assert (error["bar"], error["beat"], error["severity"]) == (1, 3, "major")
    assert answer["comparison"]["pitch_accuracy"] == pytest.approx(7 / 8, abs=0.001)
    assert answer["comparison"]["tempo_match"] == pytest.approx(1, abs=0.02)
    assert answer["worst_spots"][0]["bars"] == "1"


def test_a_midi_take_is_compared_with_a_midi_file(studio: AudioService, midi_scale: str) -> None:
    answer = studio.call(
        "compare_to_reference",
        midi_file_id=midi_scale,
        reference_type="midi_file",
        reference_params={"midi_file_id": midi_scale},
    )
    assert answer["errors"] == []
    assert answer["comparison"]["overall"] == 1
    assert answer["method"].startswith("MIDI")


def test_a_second_take_is_better(studio: AudioService, wrong_take: str) -> None:
    answer = studio.call(
        "compare_audio", audio_file_id_1=wrong_take, audio_file_id_2=store(studio), comparison_type="overall", **SCALE
    )
    assert answer["improvements"] == ["pitch_accuracy"]
    assert answer["regressions"] == []
    assert [error["expected"] for error in answer["fixed_errors"]] == ["E4"]


def test_a_change_of_tempo_match_has_its_figures(studio: AudioService) -> None:
    def take_at(stretch: float) -> str:
        content = wav_bytes(tones(play(scale("C major", tempo=100), stretch=stretch))[:, None], 22_050)
        return str(studio.call("store_audio", base64=base64.b64encode(content).decode())["audio_file_id"])

    slow, right = take_at(1.5), take_at(1.0)
    answer = studio.call("compare_audio", audio_file_id_1=slow, audio_file_id_2=right, **SCALE)
    assert answer["improvements"] == ["tempo_match"], "another tempo is no wrong rhythm"
    assert answer["differences"]["tempo_match"]["audio1"] == pytest.approx(2 / 3, abs=0.02)
    assert answer["differences"]["tempo_match"]["improvement"] == pytest.approx(1 / 3, abs=0.02)
    assert answer["differences"]["tempo"]["difference"] == pytest.approx(100 / 3, abs=1)


def test_a_report_is_a_picture_with_a_link_and_text(studio: AudioService, wrong_take: str) -> None:
    answer = studio.post("audio", "practice_report", audio_file_id=wrong_take, width=400, **SCALE)
    assert answer.status_code == 200, answer.text
    assert answer.content.startswith(b"\x89PNG")
    details = json.loads(answer.headers[MEDIA_DETAILS_HEADER])
    assert details["error_types"] == {"wrong_note": 1}
    assert studio.get(details["download_url"]).content == answer.content


def test_a_report_that_takes_long_is_a_job_with_a_link_and_text(studio: AudioService) -> None:
    take = store(studio, 5)
    ticket = studio.call("practice_report", audio_file_id=take, wait_s=0, title="Late", **SCALE)
    assert ticket.keys() == {"job_id", "status", "progress"}
    job = studio.call("get_job", job_id=ticket["job_id"], wait_s=50)
    report = job["result"]
    assert report["error_types"] == {"wrong_note": 1} and report["method"] and report["reference"]
    assert report["marks"][0].startswith("1. bar 2, beat 2 (") and "A4 played as A#4" in report["marks"][0]
    assert studio.get(report["download_url"]).content.startswith(b"\x89PNG")


def test_takes_without_known_bars_are_compared_by_seconds(studio: AudioService, wrong_take: str) -> None:
    answer = studio.call("compare_audio", audio_file_id_1=wrong_take, audio_file_id_2=store(studio, 4))
    assert {error["played"] for error in answer["note_differences"]} == {"E4", "G#4"}
    assert all(error["time"] > 0 and error.get("bar") != 0 for error in answer["note_differences"])


def test_chords_without_a_reference_are_compared_with_a_warning(studio: AudioService, wrong_take: str) -> None:
    require_models()
    notes = play(scale("C major"))
    chords = [note._replace(pitch=note.pitch + step) for note in notes for step in (-8, 0)]
    content = base64.b64encode(wav_bytes(tones(chords)[:, None], 22_050)).decode()
    take = studio.call("store_audio", base64=content, name="Chords.wav")["audio_file_id"]
    (warning,) = studio.call("compare_audio", audio_file_id_1=take, audio_file_id_2=take)["warnings"]
    assert "clearest voice" in warning and "reference_type" in warning
    assert "warnings" not in studio.call("compare_audio", audio_file_id_1=wrong_take, audio_file_id_2=wrong_take)


@pytest.mark.parametrize(
    ("given", "field", "text"),
    [
        ({"reference_type": "scale", "reference_params": {"scal": "C major"}}, "reference_params", "'scale'"),
        ({"reference_type": "scale", "reference_params": {"scale": "H major"}}, "reference_params.scale", "B major"),
        ({"reference_type": "scale", "reference_params": {}}, "reference_params.scale", "D major"),
        (
            {"reference_type": "scale", "reference_params": {"scale": "D major", "start_note": "F4"}},
            "reference_params.start_note",
            "F#",
        ),
        ({"reference_type": "exercise", "reference_params": {"kind": "notes"}}, "reference_params", "C4:q D4:q"),
        ({"reference_type": "exercise", "reference_params": {"notes": "C4 Q9"}}, "reference_params.notes", "column 4"),
        (
            {"reference_type": "midi_file", "reference_params": {"midi_file_id": new_id("midi")}},
            "reference_params.midi_file_id",
            "list_midi",
        ),
    ],
)
def test_errors_name_the_parameter(
    studio: AudioService, wrong_take: str, given: dict[str, Any], field: str, text: str
) -> None:
    error = studio.failed_call("compare_to_reference", audio_file_id=wrong_take, **given)
    assert error["field"].startswith(field) and "reference_params.reference_params" not in error["field"]
    assert text in json.dumps(error)
