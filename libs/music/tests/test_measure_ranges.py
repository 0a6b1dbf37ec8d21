"""Measure ranges: read from text, and written in messages."""

from collections.abc import Iterable

import pytest

from consort_music.measure_ranges import format_measure_range, measure_ranges, measures_in_words, parse_measure_range


@pytest.mark.parametrize(
    ("measures", "words"),
    [
        ([3], "measure 3"),
        ([8, 7, 3, 5, 6, 5], "measures 3, 5-8"),
        ([1, 2], "measures 1-2"),
        (range(0, 40, 2), "measures 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and more"),
    ],
)
def test_measures_in_words(measures: Iterable[int], words: str) -> None:
    assert measures_in_words(measures) == words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("5-8", (5, 8)),
        (" 5 \u2013 8 ", (5, 8)),
        ("5 to 8", (5, 8)),
        ("5..8", (5, 8)),
        ("17", (17, 17)),
        ("5-", None),
        ("-8", None),
        ("5-8-9", None),
        ("verse", None),
        ("", None),
    ],
)
def test_a_range_is_read_from_text(text: str, found: tuple[int, int] | None) -> None:
    assert parse_measure_range(text) == found


def test_a_range_is_written_as_it_is_read() -> None:
    assert format_measure_range(5, 8) == "5-8"
    assert format_measure_range(5, 5) == "5"


def test_measures_are_joined_to_ranges() -> None:
    assert measure_ranges([1, 2, 3, 7, 9, 10]) == ["1-3", "7", "9-10"]
    assert measure_ranges([]) == []
