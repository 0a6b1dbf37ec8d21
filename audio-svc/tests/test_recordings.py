"""Requests for recordings: their tools, and what the recording page can do with its link."""

import threading
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import mido
import psycopg
import pytest

from tests.support.errors_and_faults.error_shape import check_error_answer
from tests.support.midi_files import as_base64, midi_bytes
from tests.support.recorder_page import wav_file
from tests.support.servers.audio_service import AudioService
from tests.support.servers.storage_servers import ExternalPostgres

UNKNOWN = "0" * 26


def bar(time_signature: str, tempo: float) -> list[Any]:
    """Return the messages of a bar of three quarter notes with one note."""
    numerator, denominator = map(int, time_signature.split("/"))
    return [
        mido.MetaMessage("time_signature", numerator=numerator, denominator=denominator),
        mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(tempo)),
        mido.Message("note_on", note=60, velocity=80),
        mido.Message("note_off", note=60, time=3 * 480),
    ]


def ask(audio: AudioService, **options: Any) -> dict[str, Any]:
    requested: dict[str, Any] = audio.call("request_audio_recording", **{"prompt": "Play a scale", **options})
    return requested


def route(requested: dict[str, Any], part: str) -> str:
    """Return the path of a route that the page calls."""
    token = dict(parse_qsl(urlsplit(requested["record_url"]).query))["token"]
    return f"/recordings/{requested['recording_id']}/{part}?token={token}"


def send_take(audio: AudioService, requested: dict[str, Any], content: bytes, **details: Any) -> Any:
    """Do what the page does: get an upload link, and upload a take. Return the answer."""
    opened = audio.put(route(requested, "take"), json=details)
    assert opened.status_code == 200, opened.text
    return audio.put(opened.json()["upload_url"], content=content)


def error_code(answer: Any) -> str:
    return str(check_error_answer(answer)["code"])


def expire(postgres: ExternalPostgres, requested: dict[str, Any]) -> None:
    with psycopg.connect(postgres.url) as connection:
        statement = "update audio.recordings set expires_at = now() - interval '1 second' where id = %s"
        connection.execute(statement, (requested["recording_id"],))


def test_a_recording_is_requested_made_and_found(audio: AudioService) -> None:
    requested = ask(audio, prompt="Please play the C major scale", max_duration=3, name="scale")
    assert (requested["status"], requested["prompt"]) == ("recording_requested", "Please play the C major scale")
    assert requested["max_duration"] == 3 and requested["recording_id"].startswith("rec_")
    waiting = audio.call("get_recording", recording_id=requested["recording_id"])
    assert waiting["status"] == "recording_requested" and waiting["expires_at"] == requested["expires_at"]

    assert send_take(audio, requested, wav_file(2.0), device="USB", latency_ms=12.5, tempo=90).status_code == 201
    done = audio.call("get_recording", recording_id=requested["recording_id"])
    assert (done["status"], done["duration"]) == ("completed", 2.0)
    assert done["take"] == {"device": "USB", "latency_ms": 12.5, "tempo": 90}
    assert audio.get(done["download_url"]).content == wav_file(2.0)
    assert f"/player/{done['audio_file_id']}" in done["listen_url"]
    info = audio.call("get_audio_info", audio_file_id=done["audio_file_id"])
    assert info["name"] == "scale.wav"


def test_the_default_name_is_made_from_the_prompt(audio: AudioService) -> None:
    requested = ask(audio, prompt="Clap: 1/4 notes?")
    file_id = send_take(audio, requested, wav_file(1.0)).json()["audio_file_id"]
    assert audio.call("get_audio_info", audio_file_id=file_id)["name"] == "Clap- 1-4 notes-.wav"


def test_get_recording_waits_for_the_user(audio: AudioService) -> None:
    requested = ask(audio)
    sender = threading.Timer(0.5, send_take, (audio, requested, wav_file(1.0)))
    sender.start()
    assert audio.call("get_recording", recording_id=requested["recording_id"], wait_s=50)["status"] == "completed"
    sender.join()


def test_an_expired_request_says_so(audio: AudioService, postgres: ExternalPostgres) -> None:
    requested = ask(audio)
    expire(postgres, requested)
    assert audio.call("get_recording", recording_id=requested["recording_id"], wait_s=50)["status"] == "expired"
    assert error_code(audio.get(route(requested, "page"))) == "LINK_EXPIRED"
    assert error_code(audio.put(route(requested, "take"), json={})) == "LINK_EXPIRED"


def test_a_take_that_was_begun_in_time_may_arrive_late(audio: AudioService, postgres: ExternalPostgres) -> None:
    requested = ask(audio)
    upload_url = audio.put(route(requested, "take"), json={}).json()["upload_url"]
    expire(postgres, requested)
    assert audio.put(upload_url, content=wav_file(1.0)).status_code == 201
    assert audio.call("get_recording", recording_id=requested["recording_id"])["status"] == "completed"


def test_only_one_take_is_kept(audio: AudioService) -> None:
    requested = ask(audio)
    late = audio.put(route(requested, "take"), json={}).json()
    first = send_take(audio, requested, wav_file(1.0)).json()["audio_file_id"]
    assert error_code(audio.put(late["upload_url"], content=wav_file(2.0))) == "ALREADY_RECORDED"
    assert error_code(audio.get(route(requested, "page"))) == "ALREADY_RECORDED"
    assert audio.call("get_recording", recording_id=requested["recording_id"])["audio_file_id"] == first
    audio.failed_call("get_audio_info", audio_file_id=late["audio_file_id"])


def test_a_take_longer_than_the_limit_is_rejected_and_another_can_follow(audio: AudioService) -> None:
    requested = ask(audio, max_duration=1)
    assert error_code(send_take(audio, requested, wav_file(4.0))) == "TOO_LARGE"
    assert audio.call("get_recording", recording_id=requested["recording_id"])["status"] == "recording_requested"
    assert send_take(audio, requested, wav_file(1.0)).status_code == 201


def test_a_deleted_recording_is_reported(audio: AudioService) -> None:
    requested = ask(audio)
    file_id = send_take(audio, requested, wav_file(1.0)).json()["audio_file_id"]
    audio.call("delete_audio", audio_file_id=file_id)
    error = audio.failed_call("get_recording", recording_id=requested["recording_id"])
    assert error["code"] == "NOT_FOUND" and "was deleted" in error["message"]


def test_an_audio_reference_can_be_heard(audio: AudioService) -> None:
    heard = send_take(audio, ask(audio), wav_file(1.0)).json()["audio_file_id"]
    requested = ask(audio, reference_id=heard)
    state = audio.get(route(requested, "reference")).json()
    assert state["status"] == "ready" and audio.get(state["url"]).content == wav_file(1.0)
    assert error_code(audio.get(route(ask(audio), "reference"))) == "NOT_FOUND"


def test_the_clicks_have_the_tempo_and_metre_of_the_reference(audio: AudioService) -> None:
    audio.start("midi-store")
    content = as_base64(midi_bytes([*bar("3/4", 96), *bar("6/8", 150)]))
    midi = audio.call_part("midi-store", "store_midi", base64=content, name="changing.mid")["midi_file_id"]
    rendered = audio.call("midi_to_audio", midi_file_id=midi, first_bar=2, wait_s=50)["audio_file_id"]
    given = {"tempo": 60, "time_signature": "2/4"}
    timings = [ask(audio, reference_id=midi), ask(audio, reference_id=rendered), ask(audio, reference_id=midi, **given)]
    assert [(each["tempo"], each["time_signature"]) for each in timings] == [(96, "3/4"), (150, "6/8"), (60, "2/4")]
    assert "in 3/4" in audio.get(route(timings[0], "page")).text
    unknown = ask(audio)
    assert (unknown["tempo"], unknown["time_signature"]) == (100, "4/4")


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"reference_id": f"audio_{UNKNOWN}"}, "reference_id"),
        ({"reference_id": f"play_{UNKNOWN}"}, "reference_id"),
        ({"max_duration": 0.5}, "max_duration"),
        ({"max_duration": 1801}, "max_duration"),
        ({"tempo": 10}, "tempo"),
        ({"time_signature": "4/5"}, "time_signature"),
        ({"count_in": 9}, "count_in"),
        ({"name": "a/b.wav"}, "name"),
        ({"prompt": ""}, "prompt"),
        ({"prompt": " \n "}, "prompt"),
    ],
)
def test_wrong_requests_name_the_field(audio: AudioService, options: dict[str, Any], field: str) -> None:
    error = audio.failed_call("request_audio_recording", **{"prompt": "Play", **options})
    assert error["field"] == field


def test_an_unknown_recording_is_reported(audio: AudioService) -> None:
    error = audio.failed_call("get_recording", recording_id=f"rec_{UNKNOWN}")
    assert error["code"] == "NOT_FOUND" and "request_audio_recording" in error["message"]


def test_a_wrong_token_opens_nothing(audio: AudioService) -> None:
    requested, other = ask(audio), ask(audio)
    for part in ("page", "reference"):
        mixed = route(requested, part).replace(requested["recording_id"], other["recording_id"])
        assert error_code(audio.get(mixed)) == "FORBIDDEN"
        assert error_code(audio.get(f"/recordings/{requested['recording_id']}/{part}?token=x")) == "FORBIDDEN"
    assert error_code(audio.put(f"/recordings/{requested['recording_id']}/take?token=x", json={})) == "FORBIDDEN"


def test_the_token_is_not_stored(audio: AudioService, postgres: ExternalPostgres) -> None:
    requested = ask(audio)
    token = dict(parse_qsl(urlsplit(requested["record_url"]).query))["token"]
    with psycopg.connect(postgres.url) as connection:
        row = connection.execute("select r::text from audio.recordings r where id = %s", (requested["recording_id"],))
        assert token not in str(row.fetchone())
    assert len(token) >= 32
