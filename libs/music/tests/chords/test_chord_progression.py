"""Progressions as on lead sheets."""

import pytest

from consort_music.chords.progression import MAX_LENGTH, read_progression
from consort_music.errors import MusicError


@pytest.mark.parametrize(
    ("text", "bars"),
    [
        ("C Am F G", [["C"], ["Am"], ["F"], ["G"]]),
        ("C, Am, F, G", [["C"], ["Am"], ["F"], ["G"]]),
        ("C Am\nF G", [["C"], ["Am"], ["F"], ["G"]]),
        ("C Am F G |", [["C", "Am", "F", "G"]]),
        ("C | Am | F G | C", [["C"], ["Am"], ["F", "G"], ["C"]]),
        ("| C | Am || F G | C |", [["C"], ["Am"], ["F", "G"], ["C"]]),
        ("C | Am |\nF G | C", [["C"], ["Am"], ["F", "G"], ["C"]]),
        ("C | Am\n\nF G | C", [["C"], ["Am"], ["F", "G"], ["C"]]),
        ("F G | %", [["F", "G"], ["F", "G"]]),
        ("C | % | F", [["C"], [None], ["F"]]),
        ("C | | F", [["C"], [None], ["F"]]),
        ("C - Am % |", [["C", None, "Am", None]]),
        ("C % F", [["C"], [None], ["F"]]),
        ("N.C. | C7(b9,#11), F6/9 |", [["N.C."], ["C7(b9,#11)", "F6/9"]]),
    ],
)
def test_bars_of_progressions(text: str, bars: list[list[str | None]]) -> None:
    assert read_progression(text) == bars


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("C | F H7", "INVALID_CHORD_SYMBOL", "Bar 6: "),
        ("", "EMPTY_INPUT", "no chords"),
        (" | |", "EMPTY_INPUT", "no chords"),
        ("C " * MAX_LENGTH, "TOO_LARGE", "40,000"),
    ],
)
def test_invalid_progressions_name_the_bar(text: str, code: str, says: str) -> None:
    with pytest.raises(MusicError) as raised:
        read_progression(text, first=5)
    assert raised.value.code == code and says in raised.value.message
