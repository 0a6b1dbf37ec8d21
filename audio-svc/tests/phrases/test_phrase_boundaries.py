"""Phrases are cut at rests, after long notes and at silences; their kind follows from the sound."""

from typing import Any

import numpy as np
import pytest

from consort_audio.analysis.phrases.answer import answer
from consort_audio.analysis.phrases.models import PhrasesAnswer
from consort_audio.signals.recording import RATE
from tests.support.synthetic_music import melody_row, recorded, white_noise

TUNE = [(60, 0.35), (62, 0.35), (64, 0.35), (65, 0.35), (67, 0.35), (65, 0.35), (64, 0.35), (62, 0.35), (60, 0.7)]
LENGTH = sum(seconds for _, seconds in TUNE)


def starts(found: dict[str, Any]) -> list[float]:
    return [phrase["start"] for phrase in found["phrases"]]


@pytest.mark.parametrize("rest", [0.3, 0.6])
def test_a_rest_separates_phrases(rest: float) -> None:
    found = answer(recorded(melody_row([*TUNE, (None, rest)] * 3)), {})
    PhrasesAnswer(**found)
    assert starts(found) == pytest.approx([place * (LENGTH + rest) for place in range(3)], abs=0.1)
    assert [phrase["end"] for phrase in found["phrases"]] == pytest.approx(
        [place * (LENGTH + rest) + LENGTH for place in range(3)], abs=0.15
    )
    assert {phrase["type"] for phrase in found["phrases"]} == {"melodic"}
    assert found["phrase_count"] == 3
    assert found["average_length"] == pytest.approx(LENGTH, abs=0.15)


def test_a_long_note_ends_a_phrase() -> None:
    tune = [*TUNE[:-1], (60, 1.4)]
    length = sum(seconds for _, seconds in tune)
    found = answer(recorded(melody_row(tune * 3)), {})
    assert starts(found) == pytest.approx([0, length, 2 * length], abs=0.1)


def test_a_silence_always_separates() -> None:
    short = [(60, 0.4), (62, 0.4)]
    found = answer(recorded(melody_row([*short, (None, 2.0), *short])), {})
    assert starts(found) == pytest.approx([0, 2.8], abs=0.1)


def test_a_phrase_without_pitch_is_rhythmic() -> None:
    beat = np.append(white_noise(0.1) * np.exp(-np.arange(round(0.1 * RATE)) / 600), np.zeros(round(0.3 * RATE)))
    found = answer(recorded(np.tile(beat, 12)), {})
    assert {phrase["type"] for phrase in found["phrases"]} == {"rhythmic"}


def test_silence_has_no_phrases() -> None:
    found = answer(recorded(np.zeros(2 * RATE)), {})
    PhrasesAnswer(**found)
    assert (found["phrases"], found["phrase_count"], found["confidence"]) == ([], 0, 0)
