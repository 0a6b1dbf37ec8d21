"""New takes are analyzed once, in a worker that is replaced if it dies; the baseline tools share one analysis."""

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import psutil
import pytest

from tests.support.audio_files import as_base64, file_bytes, sine, wav_bytes
from tests.support.servers.audio_service import AudioService
from tests.support.servers.storage_servers import ExternalPostgres

WAIT_S = 120.0
BASELINE = {"analyze_tempo", "detect_pitch", "analyze_rhythm"}


@pytest.fixture(scope="module")
def listening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AudioService]:
    """Run an audio service that analyzes every new take. Its jobs are in its own Postgres."""
    more = {"CONSORT_AUDIO_ANALYZE_TAKES": "true"}
    with (
        ExternalPostgres(tmp_path_factory.mktemp("listening_postgres")) as database,
        AudioService(tmp_path_factory.mktemp("listening"), database.url, more) as running,
    ):
        yield running


def take(hz: float, seconds: float = 2.0) -> bytes:
    return wav_bytes(sine(hz, seconds, 22_050), 22_050)


def store(service: AudioService, content: bytes) -> str:
    return str(service.call("store_audio", base64=as_base64(content))["audio_file_id"])


def analyses_of(service: AudioService, file_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + WAIT_S
    while not (found := service.call("get_audio_info", audio_file_id=file_id).get("analyses")):
        assert time.monotonic() < deadline, "no analyses"
        time.sleep(0.05)
    return dict(found)


def workers(service: AudioService) -> list[psutil.Process]:
    children = psutil.Process(service.pid()).children()
    return [each for each in children if "consort_audio.analysis.listening_program" in each.cmdline()]


def test_a_new_take_is_analyzed_and_the_tools_share_the_result(listening: AudioService) -> None:
    file_id = store(listening, take(440))
    found = analyses_of(listening, file_id)
    assert found.keys() == BASELINE
    for tool in BASELINE:
        assert listening.call(tool, audio_file_id=file_id, wait_s=0) == found[tool]
    summary = listening.call("analyze_audio", audio_file_id=file_id, wait_s=0)
    assert "A4" in summary["summary"] and "analyses" not in summary
    assert listening.call("analyze_audio", audio_file_id=file_id, include_details=True)["analyses"] == found


def test_equal_bytes_are_analyzed_once(listening: AudioService) -> None:
    found = analyses_of(listening, store(listening, take(330)))
    again = store(listening, take(330))
    assert listening.call("get_audio_info", audio_file_id=again)["analyses"] == found


def test_a_killed_worker_is_replaced(listening: AudioService) -> None:
    analyses_of(listening, store(listening, take(550)))
    for worker in workers(listening):
        os.kill(worker.pid, signal.SIGKILL)
    assert analyses_of(listening, store(listening, take(560))).keys() == BASELINE


def test_a_file_that_is_too_short_or_too_long_is_refused(audio: AudioService) -> None:
    short = store(audio, take(440, 0.3))
    error = audio.failed_call("analyze_tempo", audio_file_id=short)
    assert error["code"] == "TOO_SHORT" and "0.3" in error["message"] and "0.5" in error["message"]
    silence = np.zeros((31 * 60 * 4000, 1), np.float32)
    long = store(audio, file_bytes(silence, 4000, "FLAC", "PCM_16"))
    error = audio.failed_call("analyze_audio", audio_file_id=long)
    assert error["code"] == "TOO_LARGE" and "segment_audio" in error["message"]


def test_an_answer_that_takes_long_is_a_job(audio: AudioService) -> None:
    file_id = store(audio, take(660, 10))
    ticket = audio.call("analyze_audio", audio_file_id=file_id, wait_s=0)
    report = audio.call("get_job", job_id=ticket["job_id"], wait_s=50)
    assert report["status"] == "succeeded", report
    assert report["result"]["duration"] == 10


def test_takes_are_not_analyzed_if_the_setting_says_so(audio: AudioService) -> None:
    file_id = store(audio, take(770))
    time.sleep(0.5)
    assert "analyses" not in audio.call("get_audio_info", audio_file_id=file_id)
