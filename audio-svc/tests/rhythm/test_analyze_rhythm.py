"""The engine of analyze_rhythm on tones whose times are known."""

import numpy as np
import pytest
from numpy.typing import NDArray

from consort_audio.analysis.rhythm.answer import MOST_ONSETS, answer, is_on_beat, timing_accuracy
from consort_audio.analysis.rhythm.grid import GridPlaces
from consort_audio.analysis.rhythm.models import RhythmAnswer
from consort_audio.signals.recording import RATE, Recording
from tests.support.timed_tones import timed_tones


def played(lengths: list[float], bars: int, beat: float) -> NDArray[np.float64]:
    return 0.4 + beat * np.concatenate([[0.0], np.cumsum(lengths * bars)[:-1]])


@pytest.mark.parametrize(
    ("lengths", "text"),
    [
        ([1, 1, 2], "quarter, quarter, half"),
        ([1.5, 0.5, 1, 1], "dotted quarter, eighth, quarter, quarter"),
        ([1, 1 / 3, 1 / 3, 1 / 3, 2], "quarter, triplet eighth, triplet eighth, triplet eighth, half"),
    ],
)
def test_the_rhythm_has_a_name(lengths: list[float], text: str) -> None:
    found = answer(timed_tones(played(lengths, 4, 0.66), held=0.2), {"bpm_hint": 60 / 0.66})
    RhythmAnswer(**found)
    assert found["rhythmic_pattern"] == text
    assert found["pattern_repeats"] == 4
    assert found["is_on_beat"] and found["timing_accuracy"] > 0.9
    assert found["beat_deviations"] == []


def test_late_and_early_notes_are_named_with_bar_and_beat() -> None:
    times = 0.5 + 0.6 * np.arange(24)
    times[10] += 0.08
    times[17] -= 0.11
    found = answer(timed_tones(times, strong_every=4), {"bpm_hint": 100})
    worst, other = found["beat_deviations"]
    assert abs(worst["deviation_ms"] + 110) < 20
    assert worst["severity"] == ("major" if worst["deviation_ms"] <= -100 else "moderate")
    assert abs(other["deviation_ms"] - 80) < 20 and other["severity"] == "moderate"
    assert (worst["bar"], worst["beat"]) == (5, 2)
    assert (other["bar"], other["beat"]) == (3, 3)
    assert abs(other["time"] - times[10]) < 0.03
    assert found["beat_deviation_count"] == 2
    assert [(each["bar"], each["beat"]) for each in found["onsets"][8:11]] == [(3, 1), (3, 2), (3, 3)]


def test_a_change_of_tempo_is_no_wrong_rhythm() -> None:
    times = 0.4 + np.concatenate([[0.0], np.cumsum(np.linspace(0.62, 0.48, 30))])
    found = answer(timed_tones(times), {"bpm_hint": 110})
    assert found["beat_deviations"] == []
    assert found["timing_accuracy"] > 0.85


def test_careless_playing_has_a_lower_accuracy_than_careful_playing() -> None:
    grid = 0.4 + 0.6 * np.arange(28)
    numbers = np.random.default_rng(8)
    careful, careless = (
        answer(timed_tones(grid + np.clip(numbers.normal(0, size, 28), -0.15, 0.15)), {"bpm_hint": 100})
        for size in (0.008, 0.06)
    )
    assert careful["timing_accuracy"] > 0.93 and careful["is_on_beat"]
    assert careless["timing_accuracy"] < careful["timing_accuracy"] - 0.1
    assert careless["beat_deviation_count"] > careful["beat_deviation_count"] == 0


def test_the_score_is_1_up_to_10_ms_and_0_from_100_ms_on() -> None:
    weights = np.ones(1)
    scores = [timing_accuracy(np.array([ms / 1000]), weights) for ms in (0, -10, 55, -100, 300)]
    assert scores == pytest.approx([1, 1, 0.5, 0, 0])


@pytest.mark.parametrize(("off", "is_on"), [(4, True), (5, False)])
def test_on_beat_means_four_of_five_within_40_ms(off: int, is_on: bool) -> None:
    deviations = np.array([0.05] * off + [0.03] * (20 - off))
    assert is_on_beat(GridPlaces(np.arange(20.0), deviations, np.full(20, 0.6))) == is_on


def test_onsets_are_capped_unless_they_are_asked_for() -> None:
    recording = timed_tones(0.3 + 0.15 * np.arange(MOST_ONSETS + 20), held=0.12)
    short, full = answer(recording, {}), answer(recording, {"include_onsets": True})
    assert len(short["onsets"]) == MOST_ONSETS
    assert len(full["onsets"]) == full["onset_count"] == short["onset_count"] > MOST_ONSETS


@pytest.mark.parametrize("seconds", [0.0, 0.3, 5.0])
def test_silence_has_no_rhythm(seconds: float) -> None:
    found = answer(Recording(np.zeros(round(seconds * RATE), np.float32)), {})
    RhythmAnswer(**found)
    assert found["onset_count"] == 0 and found["confidence"] == 0
    assert "timing_accuracy" not in found
