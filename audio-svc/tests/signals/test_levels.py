"""Levels are measured on all channels of the file, at its own rate."""

from pathlib import Path

import numpy as np
import pytest

from consort_audio.codecs.loudness import gated_loudness
from consort_audio.signals.levels import LevelMeter
from consort_audio.signals.recording import RATE, read_recording, recording_from_samples
from tests.support.audio_files import melody, sine, write_audio
from tests.support.bs1770 import integrated_loudness


def test_the_loudness_of_a_stereo_file_is_that_of_both_channels(tmp_path: Path) -> None:
    signal = melody(3.0, 44_100)
    recording = read_recording(write_audio(tmp_path / "a.wav", signal, 44_100))
    found = gated_loudness(recording.levels.powers)
    assert found == pytest.approx(integrated_loudness(signal.astype(np.float64), 44_100), abs=0.1)


def test_peaks_are_those_of_the_loudest_channel() -> None:
    meter = LevelMeter(44_100, 2)
    signal = np.zeros((44_100, 2), np.float32)
    signal[22_000, 1] = -0.7
    for start in range(0, len(signal), 1000):
        meter.add(signal[start : start + 1000])
    peaks = meter.levels().peaks
    assert len(peaks) == 10
    assert np.flatnonzero(peaks).tolist() == [4]
    assert peaks[4] == pytest.approx(0.7)


@pytest.mark.parametrize(("gain", "is_clipped"), [(0.99, False), (1.6, True)])
def test_only_flat_tops_are_clipped(gain: float, is_clipped: bool) -> None:
    signal = np.clip(sine(220, 2.0, RATE, level_db=0.0)[:, 0] * gain, -1, 1)
    signal[RATE:] *= 0.7
    clipped = recording_from_samples(signal, RATE).levels.clipped
    assert clipped[:10].any() == is_clipped
    assert clipped[11:].any() == is_clipped  # also if it was made quieter afterwards


def test_a_quiet_recording_is_not_clipped() -> None:
    assert not recording_from_samples(np.full(RATE, 0.2, np.float32), RATE).levels.clipped.any()
