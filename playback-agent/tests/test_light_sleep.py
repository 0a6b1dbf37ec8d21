"""What is asked of Linux's power management, in a file that stands for its device."""

import os
import struct
from pathlib import Path

import pytest

from consort_playback.player import realtime
from consort_playback.player.realtime import LightSleep


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "cpu_dma_latency"
    path.touch()
    monkeypatch.setattr(realtime, "_WAKING_TIME_FILE", path)
    return path


def is_held(path: Path) -> bool:
    held = [os.path.realpath(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd")]
    return str(path) in held


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux")
def test_it_is_asked_for_when_sleeps_were_too_long_and_as_little_as_helps(device: Path) -> None:
    sleep = LightSleep()
    sleep.begin()
    assert not is_held(device), "nobody overslept yet"
    sleep.overslept()
    assert is_held(device) and struct.unpack("i", device.read_bytes()) == (20,)
    sleep.end()
    assert not is_held(device)
    sleep.begin()
    sleep.overslept()
    assert is_held(device) and struct.unpack("i", device.read_bytes()) == (0,)
    sleep.overslept()
    assert is_held(device) and struct.unpack("i", device.read_bytes()) == (0,)
    sleep.end()
    assert not is_held(device)


def test_who_may_not_ask_does_without(device: Path) -> None:
    device.unlink()
    sleep = LightSleep()
    sleep.overslept()
    sleep.end()
