"""What is said about a change: only what can be heard, with its size and direction."""

import pytest

from consort_strudel.comparing.heard_change import MEASURES, direction_of, heard_measures, summary_of
from consort_strudel.knowledge.vocabulary import MEASURES as NAMED_BY_VOCABULARY

BEFORE = {
    "loudness": -14.0,
    "brightness": 1000.0,
    "low_balance": -3.0,
    "mid_balance": 0.0,
    "high_balance": -10.0,
    "width": 0.1,
    "onset_density": 4.0,
    "swing": 0.0,
    "dynamic_range": 6.0,
}


def test_the_vocabulary_names_the_same_measures() -> None:
    assert set(MEASURES) == set(NAMED_BY_VOCABULARY)


def test_the_sentence_names_what_changed_with_its_size() -> None:
    after = {**BEFORE, "brightness": 1180.0, "loudness": -16.0, "width": 0.105}
    assert summary_of(BEFORE, after) == "2.0 dB quieter, brighter by 18%."
    measures = heard_measures(BEFORE, after)
    assert measures["brightness"].change == "+18%" and measures["loudness"].change == "-2.0 dB"
    assert measures["width"].change == "unchanged" and measures["width"].after == 0.1


@pytest.mark.parametrize("name", MEASURES)
def test_a_change_below_the_step_is_unchanged_and_above_it_has_a_direction(name: str) -> None:
    step = MEASURES[name].step * (BEFORE[name] if MEASURES[name].is_ratio else 1)
    assert direction_of(name, BEFORE[name], BEFORE[name] + 0.9 * step) == "unchanged"
    assert direction_of(name, BEFORE[name], BEFORE[name] + 1.1 * step) == "up"
    assert direction_of(name, BEFORE[name], BEFORE[name] - 1.1 * step) == "down"


def test_silence_and_no_change_are_said() -> None:
    assert summary_of(BEFORE, BEFORE) == "No difference that can be heard."
    assert summary_of(BEFORE, {}) == "It is silent after the change."
    assert summary_of({}, {}) == "Both are silent." and heard_measures(BEFORE, {}) == {}
