from fractions import Fraction

import pytest

from consort_audio.analysis.rhythm.note_values import pattern_text, value_name


@pytest.mark.parametrize(
    ("beats", "name"),
    [
        ("1", "quarter"),
        ("2", "half"),
        ("3/2", "dotted quarter"),
        ("3/4", "dotted eighth"),
        ("1/3", "triplet eighth"),
        ("2/3", "triplet quarter"),
        ("5/2", "half tied to eighth"),
        ("5", "whole tied to quarter"),
        ("1/100", "grace note"),
    ],
)
def test_lengths_have_names(beats: str, name: str) -> None:
    assert value_name(Fraction(beats)) == name


def lengths(text: str) -> list[Fraction]:
    return [Fraction(each) for each in text.split()]


def test_a_rhythm_that_is_played_once_is_given_as_it_is() -> None:
    assert pattern_text(lengths("1 1 2")) == ("quarter, quarter, half", 1)


def test_a_repeated_rhythm_is_given_once() -> None:
    assert pattern_text(lengths("1 1 2 " * 4)) == ("quarter, quarter, half", 4)
    assert pattern_text(lengths("1 1 1 1")) == ("quarter", 4)


def test_the_last_note_of_a_repeated_rhythm_may_have_any_length() -> None:
    assert pattern_text(lengths("3/2 1/2 " * 3 + "3/2 4")) == ("dotted quarter, eighth", 4)


def test_a_long_rhythm_is_cut() -> None:
    text, repeats = pattern_text([Fraction(1 + index % 3, 1 + index // 40) for index in range(77)])
    assert text.endswith(", …") and text.count(",") == 32
    assert repeats == 1
