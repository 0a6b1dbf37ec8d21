"""Audio files through the gateway, with blobs in a folder and in a bucket: uploaded, heard in part, cut and deleted."""

from typing import Any

import httpx2
import numpy as np

from evaluation.processes.servers import wait_until
from tests.support.audio_files import decoded, melody, wav_bytes
from tests.support.servers.studio import Studio, on_every_storage

TAKE = wav_bytes(melody(3, 48_000), 48_000)


def blobs_of(studio: Studio, audio_file_id: str) -> set[str]:
    return {key for key in studio.blobs.all_keys() if key.startswith(f"audio/{audio_file_id}/")}


def request(method: str, url: str, **options: Any) -> httpx2.Response:
    return httpx2.request(method, url, timeout=120, trust_env=False, **options)


def upload(studio: Studio) -> dict[str, Any]:
    url = studio.call("store_audio", upload_link=True, name="take.wav")["upload_url"]
    for start in range(0, len(TAKE), 200_000):
        piece = TAKE[start : start + 200_000]
        place = {"Content-Range": f"bytes {start}-{start + len(piece) - 1}/{len(TAKE)}"}
        answer = request("PUT", url, content=piece, headers=place)
    assert answer.status_code == 201, answer.text
    stored: dict[str, Any] = answer.json()
    return stored


@on_every_storage
def test_an_upload_is_stored_served_cut_and_deleted(studio: Studio) -> None:
    stored = upload(studio)
    audio_file_id = stored["audio_file_id"]
    (key,) = blobs_of(studio, audio_file_id)
    assert studio.blobs.read(key) == TAKE

    part = request("GET", stored["download_url"], headers={"Range": "bytes=1000-1999"})
    assert (part.status_code, part.content) == (206, TAKE[1000:2000])
    head = request("HEAD", stored["download_url"])
    assert (head.status_code, head.headers["content-length"]) == (200, str(len(TAKE)))
    assert request("GET", stored["listen_url"]).status_code == 200

    info = studio.call("get_audio_info", audio_file_id=audio_file_id, download_format="flac")
    assert np.array_equal(decoded(request("GET", info["download_url"]).content), decoded(TAKE))
    segment = studio.call("segment_audio", audio_file_id=audio_file_id, start_time=1, end_time=2)
    cut = decoded(request("GET", segment["download_url"]).content)
    assert np.array_equal(cut, decoded(TAKE)[48_000:96_000])

    assert len(blobs_of(studio, audio_file_id)) == 2
    for each in (audio_file_id, segment["audio_file_id"]):
        studio.call("delete_audio", audio_file_id=each)
        assert blobs_of(studio, each) == set()
    uploads = studio.data / "uploads"  # in the cloud, the analysis of the new take keeps a copy there while it runs
    wait_until(lambda: not any(uploads.iterdir()), "the folder of uploads is empty")
