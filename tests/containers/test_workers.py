"""Several audio containers share the queue of jobs, and none is lost if one of them is killed."""

import time

import pytest

from tests.support.midi_files import as_base64, tune
from tests.support.servers.docker_studio import DockerStudio

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

INSTRUMENTS = ["flute", "cello", "harp", "tuba", "violin", "oboe", "piano", "trumpet"]
NOTES = 800
"""Three minutes of music, so that the killed worker is in the middle of its jobs."""
TAKEN_OVER_S = 120
WORKING = "select id, worker_id from audio.procrastinate_jobs where status = 'doing'"


def test_a_killed_worker_loses_nothing(studio: DockerStudio) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(NOTES)), name="long.mid")
    studio.compose("up", "--wait", "--no-build", "--no-recreate", "--scale", "audio=2", "audio")
    try:
        first, second = sorted(studio.compose("ps", "--quiet", "audio").split())
        jobs = [
            studio.call("midi_to_audio", midi_file_id=stored["midi_file_id"], instrument=name, wait_s=0)
            for name in INSTRUMENTS
        ]
        working: list[tuple[int, int]] = []
        deadline = time.monotonic() + 60
        while len({worker for _, worker in working}) < 2:
            assert time.monotonic() < deadline, "both containers work on jobs"
            working = studio.query(WORKING)
        studio.docker("kill", second)
        taken_over: set[int] = set()
        while not taken_over:
            assert time.monotonic() < deadline + TAKEN_OVER_S, "the other container works on the jobs of the killed one"
            before = dict(working)
            taken_over = {job for job, worker in studio.query(WORKING) if before.get(job, worker) != worker}
        print(f"{len(working)} jobs were running when one of two containers was killed")
        results = [studio.finished(job, timeout_s=600) for job in jobs]
        assert len({each["audio_file_id"] for each in results}) == len(INSTRUMENTS)
        assert {round(each["duration"]) for each in results} == {round(results[0]["duration"])}
        assert studio.inspect("container", first)["State"]["Status"] == "running"
        for each in results:
            described = studio.call("get_audio_info", audio_file_id=each["audio_file_id"])
            assert described["duration"] == pytest.approx(each["duration"], abs=0.01)
    finally:
        studio.compose("up", "--wait", "--no-build", "--scale", "audio=1")
