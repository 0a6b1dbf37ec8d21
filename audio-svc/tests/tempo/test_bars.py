import numpy as np
import pytest

from consort_audio.analysis.tempo.bars import bars_of_odds, downbeat_evidence, find_bars
from tests.support.timed_tones import timed_tones


@pytest.mark.parametrize("length", [2, 3, 4])
@pytest.mark.parametrize("first", [0, 1])
def test_downbeats_are_found_in_noisy_odds(length: int, first: int) -> None:
    odds = np.full(40, -2.0) + np.random.default_rng(1).normal(0, 0.7, 40)
    odds[first::length] += 4
    bars = bars_of_odds(odds)
    assert bars.beats_per_bar == length
    assert bars.downbeats.tolist() == list(range(first, 40, length))
    assert bars.margin > 0


def test_a_bar_that_is_cut_off_moves_the_downbeats_after_it() -> None:
    odds = np.full(42, -4.0)
    downbeats = [*range(0, 21, 4), *range(22, 42, 4)]
    odds[downbeats] = 4
    assert bars_of_odds(odds).downbeats.tolist() == downbeats


@pytest.mark.parametrize("length", [3, 4])
def test_bass_notes_mark_the_bar(length: int) -> None:
    beats = np.linspace(0.3, 11.8, 24)
    recording = timed_tones(beats, strong_every=length)
    bars = find_bars(downbeat_evidence(recording, beats, None))
    assert bars.beats_per_bar == length
    assert bars.downbeats.tolist() == list(range(0, 24, length))
