import numpy as np
import pytest

from consort_audio.analysis.rhythm.onsets import LEAST_GAP_S, choose_onsets, find_onsets
from consort_audio.signals.recording import RATE, Recording
from tests.support.timed_tones import timed_tones

TIMES = 0.5 + np.array([0.0, 0.5, 1.0, 1.25, 1.5, 2.0, 2.2, 2.4, 3.0, 3.5, 4.3, 4.6])


def test_plucked_notes_are_found_at_their_time() -> None:
    found = find_onsets(timed_tones(TIMES, held=0.18))
    assert len(found) == len(TIMES)
    assert np.abs(np.array([onset.time for onset in found]) - TIMES).max() < 0.025
    assert all(onset.confidence > 0.5 for onset in found)


@pytest.mark.parametrize("attack", [0.05, 0.08])
def test_soft_attacks_are_not_reported_late(attack: float) -> None:
    times = 0.5 + 0.6 * np.arange(12)
    found = find_onsets(timed_tones(times, held=0.55, attack=attack, decay=4.0))
    late = np.array([onset.time for onset in found]) - times
    assert abs(np.median(late)) < 0.025
    assert sum(onset.attack == "soft" for onset in found) >= 8


@pytest.mark.parametrize("gain", [0.003, 1.0, 30.0])
def test_loudness_and_clipping_do_not_change_what_is_found(gain: float) -> None:
    samples = np.clip(gain * timed_tones(TIMES, held=0.18).samples, -1, 1)
    found = find_onsets(Recording(samples.astype(np.float32)))
    near = np.abs(TIMES[:, None] - np.array([onset.time for onset in found])).min(axis=1)
    assert near.max() < 0.05


@pytest.mark.parametrize("colour", ["white", "brown"])
def test_nothing_begins_in_noise(colour: str) -> None:
    noise = np.random.default_rng(5).standard_normal(6 * RATE)
    noise = noise if colour == "white" else np.cumsum(noise) - np.linspace(0, 1, 6 * RATE) * noise.sum()
    found = find_onsets(Recording((0.1 * noise / noise.std()).astype(np.float32)))
    assert len(found) <= 2


@pytest.mark.parametrize("count", [0, 1, 100, RATE])
def test_silence_has_no_onsets(count: int) -> None:
    assert find_onsets(Recording(np.zeros(count, np.float32))) == []


def test_of_two_close_candidates_the_more_probable_one_stays() -> None:
    times = np.array([1.0, 1.0 + 0.9 * LEAST_GAP_S, 2.0, 2.0 + 1.1 * LEAST_GAP_S, 3.0])
    chosen = choose_onsets(times, np.array([0.6, 0.9, 0.9, 0.8, 0.1]))
    assert chosen.tolist() == [1, 2, 3]
