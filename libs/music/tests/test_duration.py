"""Duration symbols as exact fractions of a quarter note, and back."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.duration import duration_name, format_duration, match_note_value, parse_duration, parse_length
from consort_music.errors import MusicError


@pytest.mark.parametrize(
    ("symbol", "quarters"),
    [
        ("w", "4"),
        ("h", "2"),
        ("q", "1"),
        ("e", "1/2"),
        ("s", "1/4"),
        ("t", "1/8"),
        ("qd", "3/2"),
        ("hdd", "7/2"),
        ("wddd", "15/2"),
        ("e3", "1/3"),
        ("q3", "2/3"),
        ("t3", "1/12"),
    ],
)
def test_symbols_and_back(symbol: str, quarters: str) -> None:
    assert parse_duration(symbol) == Fraction(quarters)
    assert format_duration(Fraction(quarters)) == symbol


def test_dotted_triplets_are_read_and_written_as_plain_values_or_not_at_all() -> None:
    assert parse_duration("qd3") == 1
    assert parse_duration("hdd3") == Fraction(7, 3)
    assert format_duration(Fraction(7, 3)) is None
    assert format_duration(Fraction(1)) == "q"


@pytest.mark.parametrize("quarters", [Fraction(5, 4), Fraction(1, 5), Fraction(0), Fraction(-1), Fraction(8)])
def test_lengths_that_need_ties(quarters: Fraction) -> None:
    assert format_duration(quarters) is None


@given(st.sampled_from("whqest"), st.integers(0, 32))
def test_every_dotted_symbol_reads_back(letter: str, dots: int) -> None:
    symbol = letter + "d" * dots
    assert format_duration(parse_duration(symbol)) == symbol


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("", "q"),
        ("x", "q"),
        ("1/4", "q"),
        ("q3d", "q"),
        ("qq", "q"),
        ("q5", "q"),
        ("d", "q"),
        ("Q", "q"),
        ("q.", "qd"),
        (" h..", "hdd"),
        ("q" + "d" * 33, "q"),
        ("q" + "d" * 10**6, "q"),
    ],
)
def test_invalid_symbols_are_rejected(text: str, suggestion: str) -> None:
    with pytest.raises(MusicError) as caught:
        parse_duration(text)
    assert caught.value.code == "INVALID_DURATION"
    assert caught.value.suggestions[0] == suggestion
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    ("name", "symbol"),
    [
        ("whole", "w"),
        ("half", "h"),
        ("quarter", "q"),
        ("Eighth", "e"),
        ("sixteenth note", "s"),
        ("thirty-second", "t"),
        ("dotted quarter", "qd"),
        ("dotted-half note", "hd"),
        ("double dotted half", "hdd"),
        ("quarter dotted", "qd"),
        ("eighth triplet", "e3"),
        ("triplet eighth", "e3"),
        ("8th", "e"),
        ("16th triplet", "s3"),
        ("dotted_eighth", "ed"),
        ("crotchet", "q"),
        ("semiquaver", "s"),
    ],
)
def test_note_values_have_names(name: str, symbol: str) -> None:
    assert parse_duration(name) == parse_length(name) == parse_length(symbol) == parse_duration(symbol)


@pytest.mark.parametrize("name", ["quarterly", "dotted", "quarter half", "quarter4", "quart", "", "note", "half of it"])
def test_other_words_are_not_note_values(name: str) -> None:
    with pytest.raises(MusicError) as raised:
        parse_duration(name)
    assert raised.value.code == "INVALID_DURATION" and "such as quarter" in raised.value.message


@pytest.mark.parametrize(("length", "quarters"), [("1/2", "1/2"), (2, "2"), (0.75, "3/4"), ("1 + 1/3", "4/3")])
def test_lengths_can_be_given_in_beats(length: int | float | str, quarters: str) -> None:
    assert parse_length(length) == Fraction(quarters)


@pytest.mark.parametrize("length", [0, -1, "0", "1 - 2"])
def test_a_length_must_be_more_than_0(length: int | str) -> None:
    with pytest.raises(MusicError) as raised:
        parse_length(length)
    assert raised.value.code == "INVALID_DURATION"


def test_a_name_is_found_inside_a_text() -> None:
    assert match_note_value("C4 dotted half v80", 3) == (Fraction(3), 14)
    assert match_note_value("C4 1", 3) is None


@pytest.mark.parametrize(
    ("quarters", "name"),
    [
        (Fraction(3, 2), "dotted quarter"),
        (Fraction(7, 2), "double-dotted half"),
        (Fraction(1, 3), "eighth triplet"),
        (Fraction(5, 2), "half tied to eighth"),
        (Fraction(5, 7), "5/7 quarters"),
    ],
)
def test_lengths_in_words(quarters: Fraction, name: str) -> None:
    assert duration_name(quarters) == name
