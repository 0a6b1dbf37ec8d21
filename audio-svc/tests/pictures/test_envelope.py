"""The envelope of a waveform: range, RMS value and clipping of each column."""

import numpy as np
import pytest

from consort_audio.pictures.measuring.columns import Columns
from consort_audio.pictures.measuring.envelope import Envelope
from tests.support.audio_files import Signal, sine

RATE = 1_000


def envelope_of(signal: Signal, count: int = 10, block: int = 100_000) -> Envelope:
    envelope = Envelope(Columns(0, len(signal), count, RATE), signal.shape[1])
    for at in range(0, len(signal), block):
        envelope.add(at, signal[at : at + block].T)
    return envelope


def test_range_and_rms_of_a_tone() -> None:
    envelope = envelope_of(sine(50, 10.0, RATE, level_db=-6.0206))
    assert envelope.high == pytest.approx(np.full((1, 10), 0.5), abs=0.01)
    assert envelope.low == pytest.approx(np.full((1, 10), -0.5), abs=0.01)
    assert envelope.rms == pytest.approx(np.full((1, 10), 0.5 / np.sqrt(2)), abs=0.001)
    assert not envelope.clipped.any()


def test_each_column_has_its_own_samples() -> None:
    steps = np.repeat(np.arange(10) / 10, 100)[:, None].astype(np.float32)
    envelope = envelope_of(steps, block=37)
    expected = np.arange(10)[None] / 10
    assert envelope.low == pytest.approx(expected)
    assert envelope.high == pytest.approx(expected)
    assert envelope.rms == pytest.approx(expected)


def test_stereo_has_two_lanes_and_more_channels_are_mixed() -> None:
    left, silence = sine(50, 1.0, RATE, level_db=0), np.zeros((RATE, 1), dtype=np.float32)
    stereo = envelope_of(np.concatenate([left, silence], axis=1))
    assert stereo.high[0].min() > 0.9 and not stereo.high[1].any()
    mixed = envelope_of(np.concatenate([left, *[silence] * 7], axis=1))
    assert mixed.high.shape == (1, 10) and mixed.high.max() == pytest.approx(1 / 8, abs=0.01)
    assert mixed.peak == pytest.approx(1, abs=0.01), "the peak is that of the file, not that of the mix"


@pytest.mark.parametrize("block", [1, 2, 100_000])
@pytest.mark.parametrize(("in_a_row", "is_clipped"), [(1, False), (2, False), (3, True), (50, True)])
def test_three_full_samples_in_a_row_are_clipped(in_a_row: int, is_clipped: bool, block: int) -> None:
    signal = np.zeros((1_000, 2), dtype=np.float32)
    signal[420 : 420 + in_a_row, 1] = -1.0
    clipped = envelope_of(signal, block=block).clipped
    assert clipped.any() == is_clipped
    assert clipped[4] == is_clipped and not clipped[6:].any()


def test_a_loud_tone_that_is_not_clipped() -> None:
    assert not envelope_of(sine(200, 1.0, RATE, level_db=-0.1)).clipped.any()
