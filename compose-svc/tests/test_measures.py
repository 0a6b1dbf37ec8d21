"""Measures as warnings name them."""

from collections.abc import Iterable

import pytest

from consort_compose.composer.measures import in_words


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
    assert in_words(measures) == words
