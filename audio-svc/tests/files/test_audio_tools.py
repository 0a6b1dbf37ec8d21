"""The tools for audio files, called in a running service."""

import io
import json
from typing import Any

import numpy as np
import pytest
import soundfile

from tests.support.audio_files import as_base64, decoded, file_bytes, melody, sine, wav_bytes, wav_header, write_audio
from tests.support.errors_and_faults.error_shape import check_error_answer
from tests.support.servers.audio_service import AudioService

TAKE = wav_bytes(melody(2, 44_100))


def store(audio: AudioService, content: bytes = TAKE, **more: Any) -> Any:
    return audio.call("store_audio", base64=as_base64(content), **more)


def stored_bytes(audio: AudioService, audio_file_id: str) -> list[str]:
    """Return the names of all blobs of a file."""
    folder = audio.data / "audio" / audio_file_id
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def assert_nothing_is_left(audio: AudioService) -> None:
    assert list((audio.data / "uploads").iterdir()) == []


def test_a_file_is_stored_and_described(audio: AudioService) -> None:
    stored = store(audio, name="Take 1.wav")
    expected = {
        "audio_file_id": stored["audio_file_id"],
        "name": "Take 1.wav",
        "duration": 2.0,
        "sample_rate": 44_100,
        "channels": 2,
        "format": "wav",
        "file_size_bytes": len(TAKE),
    }
    assert expected.items() <= stored.items()
    info = audio.call("get_audio_info", audio_id=stored["audio_file_id"])
    assert {**expected, "kind": "upload"}.items() <= info.items()
    assert info["peak"] == pytest.approx(-8.9, abs=0.1) and -20 < info["loudness"] < -10
    assert "analyses" not in info and "origin" not in info
    assert audio.get(info["download_url"]).content == TAKE
    assert f"/player/{stored['audio_file_id']}" in info["listen_url"]
    assert_nothing_is_left(audio)


def test_a_path_in_the_data_folder(audio: AudioService) -> None:
    folder = audio.data / "import" / "band"
    folder.mkdir(parents=True, exist_ok=True)
    write_audio(folder / "riff.mp3", melody(1, 44_100), 44_100)
    stored = audio.call("store_audio", path="import/band/riff.mp3")
    assert (stored["name"], stored["format"]) == ("riff.mp3", "mp3")
    assert (folder / "riff.mp3").exists()
    outside = dict.fromkeys(("../token", "/etc/passwd"), "PATH_OUTSIDE_SANDBOX")
    # a path without import/ or export/ is searched in these two, never in the data folder itself
    nowhere = dict.fromkeys(("token", "uploads/x", "import/nothing.wav"), "FILE_NOT_FOUND")
    for path, code in (outside | nowhere).items():
        error = audio.failed_call("store_audio", path=path)
        assert (error["field"], error["code"]) == ("path", code), path
    assert_nothing_is_left(audio)


@pytest.mark.parametrize(
    ("name", "becomes"),
    [("song.wav", "song.flac"), ("song", "song.flac"), ("v1.2", "v1.2.flac"), (None, "untitled.flac")],
)
def test_a_name_gets_the_extension_of_the_format(audio: AudioService, name: str | None, becomes: str) -> None:
    content = file_bytes(sine(440, 0.5), 44_100, "FLAC", "PCM_16")
    assert store(audio, content, name=name)["name"] == becomes


def test_every_download_format(audio: AudioService) -> None:
    stored = store(audio, name="song.wav")
    for download_format in ("wav", "flac", "ogg", "mp3"):
        info = audio.call("get_audio_info", file_id=stored["audio_file_id"], download_format=download_format)
        for _ in range(2):  # the second time it is cached
            answer = audio.get(info["download_url"])
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-disposition"].endswith(f"song.{download_format}")
            assert soundfile.info(io.BytesIO(answer.content)).format.lower() == download_format
            assert len(decoded(answer.content)) == 88_200
    assert len(stored_bytes(audio, stored["audio_file_id"])) == 4
    wrong = audio.get(f"/files/{stored['audio_file_id']}.xyz")
    assert wrong.status_code == 422 and "wav" in wrong.json()["error"]["message"]


@pytest.mark.parametrize(
    ("wanted", "status", "start", "end"),
    [
        ("bytes=0-9", 206, 0, 10),
        ("bytes=100-", 206, 100, None),
        ("bytes=-10", 206, -10, None),
        ("bytes=5-99999999", 206, 5, None),
        ("bytes=0-", 206, 0, None),
        ("bytes=0-1,4-5", 200, 0, None),
        ("lines=1-2", 200, 0, None),
        ("bytes=9-5", 200, 0, None),
        pytest.param(f"bytes=0-{'9' * 5000}", 200, 0, None, id="many digits"),
    ],
)
def test_a_browser_can_ask_for_a_part(
    audio: AudioService, take_id: str, wanted: str, status: int, start: int, end: int | None
) -> None:
    answer = audio.get(f"/files/{take_id}", headers={"Range": wanted})
    assert (answer.status_code, answer.content) == (status, TAKE[start:end])
    assert answer.headers["accept-ranges"] == "bytes" and answer.headers["content-type"] == "audio/wav"
    first = start % len(TAKE)
    if status == 206:
        assert answer.headers["content-range"] == f"bytes {first}-{first + len(answer.content) - 1}/{len(TAKE)}"


def test_a_part_beyond_the_end_and_a_known_version(audio: AudioService, take_id: str) -> None:
    beyond = audio.get(f"/files/{take_id}", headers={"Range": f"bytes={len(TAKE)}-"})
    assert (beyond.status_code, beyond.headers["content-range"]) == (416, f"bytes */{len(TAKE)}")
    etag = audio.get(f"/files/{take_id}").headers["etag"]
    assert audio.get(f"/files/{take_id}", headers={"If-None-Match": etag}).status_code == 304
    other = {"Range": "bytes=0-9", "If-Range": '"other"'}
    assert audio.get(f"/files/{take_id}", headers=other).content == TAKE


@pytest.fixture(scope="module")
def take_id(audio: AudioService) -> str:
    stored_id: str = store(audio, name="take.wav")["audio_file_id"]
    return stored_id


def test_the_outline_of_the_waveform(audio: AudioService, take_id: str) -> None:
    found = audio.get(f"/files/{take_id}/peaks").json()
    pairs = np.array(found["peaks"])
    assert found["duration"] == 2.0 and pairs.shape == (1000, 2)
    signal = melody(2, 44_100)
    assert pairs[:, 1].max() == pytest.approx(signal.max(), abs=1e-3)
    assert pairs[250, 0] == pytest.approx(signal[22_050:22_138].min(), abs=1e-3)


def test_a_segment_is_exact_to_the_sample(audio: AudioService, take_id: str) -> None:
    answer = audio.call("segment_audio", audio_file_id=take_id, start_time=0.5, end_time=1.25, name="part")
    assert answer["audio_file_id"] == answer["new_audio_file_id"] != take_id == answer["original_audio_file_id"]
    assert (answer["start_time"], answer["end_time"], answer["duration"]) == (0.5, 1.25, 0.75)
    assert (answer["name"], answer["format"]) == ("part.wav", "wav")
    cut = decoded(audio.get(answer["download_url"]).content)
    assert np.array_equal(cut, decoded(TAKE)[22_050:55_125])
    info = audio.call("get_audio_info", audio_file_id=answer["audio_file_id"])
    assert info["kind"] == "segment"
    assert info["origin"] == {"audio_file_id": take_id, "start_time": 0.5, "end_time": 1.25}


def test_a_segment_with_fades_and_defaults(audio: AudioService, take_id: str) -> None:
    answer = audio.call("segment_audio", audio_file_id=take_id, start=1, fade_in=0.1, fade_out=0.5)
    assert (answer["start_time"], answer["end_time"], answer["name"]) == (1.0, 2.0, "take 1-2 s.wav")
    cut, source = decoded(audio.get(answer["download_url"]).content), decoded(TAKE)[44_100:]
    assert cut[0].tolist() == cut[-1].tolist() == [0, 0]
    assert np.abs(cut[4_410:22_050] - source[4_410:22_050]).max() == 0
    assert np.abs(cut[2_205] - source[2_205] / 2).max() < 1e-4


@pytest.mark.parametrize(
    ("times", "field"),
    [
        ({"start_time": 1, "end_time": 3}, "end_time"),
        ({"start_time": 2}, "start_time"),
        ({"start_time": 1.5, "end_time": 1}, "start_time"),
        ({"start_time": 1, "end_time": 1.000001}, "end_time"),
        ({"start_time": -1}, "start_time"),
        ({"end_time": 0}, "end_time"),
        ({"fade_in": 1.5, "fade_out": 1}, "fade_out"),
        ({"fade_in": 1e308}, "fade_in"),
        ({"start_time": 1e308}, "start_time"),
    ],
)
def test_a_segment_outside_the_file(audio: AudioService, take_id: str, times: dict[str, float], field: str) -> None:
    error = audio.failed_call("segment_audio", audio_file_id=take_id, **times)
    assert error["field"] == field
    if error["code"] == "INVALID_TIME_RANGE":
        assert "lasts 2 s" in error["message"]
    assert_nothing_is_left(audio)


def test_a_rounded_duration_is_a_valid_end(audio: AudioService) -> None:
    stored = store(audio, wav_bytes(sine(440, 0.3333)))
    rounded = round(stored["duration"] + 0.0004, 3)
    answer = audio.call("segment_audio", audio_file_id=stored["audio_file_id"], end_time=rounded)
    assert answer["duration"] == stored["duration"]


def test_a_long_file_is_stored_and_cut_as_a_job(audio: AudioService) -> None:
    (audio.data / "import" / "long.wav").write_bytes(wav_bytes(sine(100, 1201, 4_000), 4_000))

    def result_of_job(tool: str, **arguments: Any) -> Any:
        ticket = audio.call(tool, **arguments, wait_s=0)
        assert ticket.keys() == {"job_id", "status", "progress"}
        report = audio.call("get_job", job_id=ticket["job_id"], wait_s=50)
        assert report["status"] == "succeeded", report
        return report["result"]

    stored = result_of_job("store_audio", path="long.wav")
    assert (stored["name"], stored["duration"]) == ("long.wav", 1201)
    times = {"audio_file_id": stored["audio_file_id"], "start_time": 1000, "end_time": 1001.5}
    segment, waited = result_of_job("segment_audio", **times), audio.call("segment_audio", **times)
    assert segment.keys() == waited.keys() and segment["duration"] == waited["duration"] == 1.5
    cut = decoded(audio.get(segment["download_url"]).content)
    assert np.array_equal(cut, decoded(wav_bytes(sine(100, 1201, 4_000), 4_000))[4_000_000:4_006_000])
    assert audio.failed_call("store_audio", path="long.txt")["code"] == "FILE_NOT_FOUND"
    assert_nothing_is_left(audio)


def test_files_are_listed_by_name_and_kind_in_pages(audio: AudioService) -> None:
    made = [store(audio, wav_bytes(sine(440, 0.1)), name=f"Étude {number}.wav") for number in range(5)]
    ids = [each["audio_file_id"] for each in made][::-1]
    audio.call("segment_audio", audio_file_id=ids[0], end_time=0.05, name="étude part")
    found, cursor = [], None
    while True:
        page = audio.call("list_audio", name_contains="éTUDE", kind="upload", limit=2, cursor=cursor)
        found += [item["audio_file_id"] for item in page["items"]]
        cursor = page.get("next_cursor")
        if cursor is None:
            break
    assert found == ids
    assert [item["name"] for item in audio.call("list_audio", kind="segment", limit=1)["items"]] == ["étude part.wav"]
    assert audio.failed_call("list_audio", cursor="nonsense")["code"] == "INVALID_CURSOR"


def test_missing_bytes_are_reported(audio: AudioService) -> None:
    stored = store(audio, wav_bytes(sine(440, 0.1)))
    for path in (audio.data / "audio" / stored["audio_file_id"]).iterdir():
        path.unlink()
    answer = audio.get(f"/files/{stored['audio_file_id']}")
    assert answer.status_code == 404 and "missing" in check_error_answer(answer)["message"]


def test_a_deleted_file_leaves_nothing(audio: AudioService) -> None:
    audio_file_id = store(audio)["audio_file_id"]
    assert audio.get(f"/files/{audio_file_id}.ogg").status_code == 200
    assert audio.get(f"/files/{audio_file_id}/peaks").status_code == 200
    assert len(stored_bytes(audio, audio_file_id)) == 3
    assert audio.call("delete_audio", audio_file_id=audio_file_id)["audio_file_id"] == audio_file_id
    assert stored_bytes(audio, audio_file_id) == []
    for tool in ("get_audio_info", "delete_audio", "segment_audio"):
        error = audio.failed_call(tool, audio_file_id=audio_file_id)
        assert (error["code"], error["field"]) == ("NOT_FOUND", "audio_file_id")
    for path in ("", ".mp3", "/peaks"):
        assert audio.get(f"/files/{audio_file_id}{path}").status_code == 404


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "TOO_SHORT"),
        (wav_header(0), "TOO_SHORT"),
        (b"no audio at all", "INVALID_AUDIO"),
        (TAKE[: len(TAKE) // 2], "INVALID_AUDIO"),
        (wav_bytes(np.full((1000, 1), np.nan, np.float32), subtype="FLOAT"), "INVALID_AUDIO"),
        (b"RIFF\xff\xff\xff\x7fWAVEfmt " + b"\xab" * 500, "INVALID_AUDIO"),
    ],
)
def test_a_bad_file_is_not_stored(audio: AudioService, content: bytes, code: str) -> None:
    before = audio.call("list_audio", limit=1)
    error = audio.failed_call("store_audio", base64=as_base64(content))
    assert (error["code"], error["field"]) == (code, "base64")
    assert audio.call("list_audio", limit=1) == before
    assert_nothing_is_left(audio)


def test_a_midi_file_is_not_audio(audio: AudioService) -> None:
    error = audio.failed_call("store_audio", base64=as_base64(b"MThd" + bytes(100)))
    assert error["code"] == "INVALID_AUDIO" and "store_midi" in error["message"]


@pytest.mark.parametrize("tool", ["get_audio_info", "segment_audio", "render_waveform"])
def test_a_file_that_is_not_uploaded_yet(audio: AudioService, tool: str) -> None:
    file_id = audio.call("store_audio", upload_link=True)["audio_file_id"]
    error = audio.failed_call(tool, audio_file_id=file_id)
    assert error["code"] == "NOT_FOUND" and "Ask the user to open the upload_url" in error["message"]


def test_an_error_about_a_name_says_all_that_is_wrong(audio: AudioService) -> None:
    message = audio.failed_call("store_audio", upload_link=True, name="../x")["message"]
    assert "a dot" in message and "* \\ /" in message


def test_base64_is_limited(audio: AudioService) -> None:
    error = audio.failed_call("store_audio", base64="A" * (8 * 1024 * 1024 * 4 // 3 + 100))
    assert error["code"] == "TOO_LARGE" and "upload_link" in error["suggestions"][0]


def test_silence_has_no_loudness_and_no_nan_is_sent(audio: AudioService) -> None:
    stored = store(audio, wav_header(88_200) + bytes(88_200))
    for path in (f"/files/{stored['audio_file_id']}/peaks",):
        json.loads(audio.get(path).text, parse_constant=pytest.fail)
    info = audio.call("get_audio_info", audio_file_id=stored["audio_file_id"])
    assert "loudness" not in info and "peak" not in info and info["duration"] == 1.0


def test_large_and_wide_files(audio: AudioService) -> None:
    """192 kHz and 8 channels are stored, cut, converted and outlined."""
    stored = store(audio, wav_bytes(melody(0.5, 192_000, 8), 192_000))
    assert (stored["sample_rate"], stored["channels"]) == (192_000, 8)
    audio_file_id = stored["audio_file_id"]
    assert audio.call("segment_audio", audio_file_id=audio_file_id, end_time=0.25)["duration"] == 0.25
    mp3 = decoded(audio.get(f"/files/{audio_file_id}.mp3").content)
    assert mp3.shape[1] == 2 and len(mp3) == pytest.approx(24_000, abs=100)
