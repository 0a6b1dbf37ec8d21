"""The requests to Linux's power management. A file is used in place of its device."""

import os
import struct
from pathlib import Path

import pytest

from consort_playback.child_programs.realtime import LightSleep

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux")


@pytest.fixture
def device(tmp_path: Path) -> Path:
    path = tmp_path / "cpu_dma_latency"
    path.touch()
    return path


def requested(device: Path) -> int | None:
    """Return the requested latency in microseconds, or None if the device is not held open."""
    open_files = [os.path.realpath(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd")]
    if str(device) not in open_files:
        return None
    latency: int = struct.unpack("i", device.read_bytes())[0]
    return latency


def test_each_oversleep_requests_a_lighter_sleep(device: Path) -> None:
    sleep = LightSleep(str(device))
    sleep.begin()
    assert requested(device) is None, "the process has not overslept yet"
    sleep.report_oversleep()
    assert requested(device) == 20
    sleep.end()
    assert requested(device) is None
    sleep.begin()
    assert requested(device) == 20
    sleep.report_oversleep()
    assert requested(device) == 0
    sleep.report_oversleep()
    assert requested(device) == 0
    sleep.end()
    assert requested(device) is None


def test_a_device_that_cannot_be_opened_is_tried_again_when_music_starts(device: Path) -> None:
    device.unlink()
    sleep = LightSleep(str(device))
    sleep.report_oversleep()
    sleep.end()
    assert not device.exists()
    device.touch()
    sleep.begin()
    assert requested(device) == 20
    sleep.end()
