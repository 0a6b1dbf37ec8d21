"""The readings of the beat and their features."""

import numpy as np
import pytest

from consort_audio.analysis.tempo.beat_activation import BeatActivation
from consort_audio.analysis.tempo.reading_features import evidence_of, reading_columns
from consort_audio.analysis.tempo.readings import Reading, find_readings, probabilities, rank_readings, tempo_of
from consort_audio.signals.arrays import Numbers

SECONDS = 12


def _activation(period: int, with_network: bool) -> BeatActivation:
    curve = np.full(50 * SECONDS, 0.01)
    curve[::period] = 0.9
    return BeatActivation(curve, curve if with_network else None, curve if with_network else None)


def _silent_groups() -> Numbers:
    return np.zeros((150 * SECONDS, 8))


def _silent_chroma() -> Numbers:
    return np.zeros((25 * SECONDS, 12))


@pytest.mark.parametrize("with_network", [True, False])
def test_a_click_without_harmony_is_read_at_its_tempo_or_a_multiple(with_network: bool) -> None:
    readings = find_readings(evidence_of(_activation(25, with_network), _silent_groups(), _silent_chroma()))
    best = readings[int(np.argmax(probabilities(readings, with_network)))]
    assert min(abs(best.bpm / (120 * factor) - 1) for factor in (0.5, 1, 2)) < 0.03


@pytest.mark.parametrize("frames", [[10, 60, 110], [0, 5, 400], list(range(0, 600, 25))])
def test_features_are_numbers_for_few_beats_and_silence(frames: list[int]) -> None:
    silence = BeatActivation(np.zeros(50 * SECONDS), None, None)
    columns = reading_columns(evidence_of(silence, _silent_groups(), _silent_chroma()), np.array(frames))
    assert np.isfinite(columns).all()


def test_the_tempo_of_uneven_beats_is_their_median() -> None:
    assert tempo_of(np.array([0, 10, 40])) == pytest.approx(150)


def _reading(bpm: float, log_probability: float, like: Reading) -> Reading:
    return like._replace(bpm=bpm, log_probability=log_probability)


@pytest.fixture(scope="module")
def some_reading() -> Reading:
    return find_readings(evidence_of(_activation(25, True), _silent_groups(), _silent_chroma()))[0]


def test_of_equal_evidence_the_slower_reading_is_taken_if_the_other_is_fast(some_reading: Reading) -> None:
    fast, slow = probabilities([_reading(170, -1, some_reading), _reading(85, -1, some_reading)], True)
    assert slow > 1.5 * fast
    assert slow + fast == pytest.approx(1)


def test_usual_tempos_are_judged_by_the_networks_alone(some_reading: Reading) -> None:
    both = probabilities([_reading(130, -1, some_reading), _reading(65, -1, some_reading)], True)
    assert both == pytest.approx([0.5, 0.5])


def test_of_one_level_the_reading_with_the_best_path_is_taken(some_reading: Reading) -> None:
    steady, changing, double = (_reading(*each, some_reading) for each in ((88, -2.75), (85, -2.69), (175, -2.6)))
    ranked = rank_readings([steady, changing, double], True)
    assert [each.reading.bpm for each in ranked] == [85, 175]
    assert ranked[0].probability > ranked[1].probability
