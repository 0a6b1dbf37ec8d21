"""Measure numbers as printed: in positions, warnings, stored scores and written MusicXML."""

from fractions import Fraction

import pytest

from consort_music.errors import MusicError
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.score_arranging import choose_bars
from consort_music.notation.score_bars import cut_bars
from consort_music.notation.writing.bar_text import bar_texts
from consort_music.notation.writing.notated_score import notated_from_score
from consort_music.score import Score
from consort_music.score_json import score_from_json, score_to_json


def music(*measures: tuple[str, int], extra: str = "") -> str:
    """Return MusicXML in 4/4 with quarter notes. Each measure has its attributes and its number of quarters."""
    first = "<attributes><divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type></time></attributes>"
    note = "<note><pitch><step>C</step><octave>5</octave></pitch><duration>1</duration></note>"
    bars = "".join(
        f"<measure {attributes}>{'' if place else first}{note * quarters}{extra if place else ''}</measure>"
        for place, (attributes, quarters) in enumerate(measures)
    )
    return (
        '<score-partwise><part-list><score-part id="P1"><part-name>x</part-name></score-part></part-list>'
        f'<part id="P1">{bars}</part></score-partwise>'
    )


def score_of(*measures: tuple[str, int]) -> Score:
    return read_musicxml(music(*measures))[0]


def places(score: Score) -> list[str]:
    return [score.position_at(note.start).text for note in score.parts[0].notes]


SPLIT = (('number="0" implicit="yes"', 1), ('number="1"', 4), ('number="2"', 3), ('number="X1" implicit="yes"', 1),
         ('number="3"', 4))  # fmt: skip
SPLIT_PLACES = ["0:4", "1:1", "1:2", "1:3", "1:4", "2:1", "2:2", "2:3", "2:4", "3:1", "3:2", "3:3", "3:4"]


@pytest.mark.parametrize(
    ("measures", "expected"),
    [
        pytest.param(SPLIT, SPLIT_PLACES, id="a bar split by a repeat"),
        pytest.param((*SPLIT[:3], ('number="2"', 1), *SPLIT[4:]), SPLIT_PLACES, id="the same number twice"),
        pytest.param((*SPLIT[:3], ('number="2a"', 1), *SPLIT[4:]), SPLIT_PLACES, id="a letter after the number"),
        pytest.param((('number="33"', 4), ('number="34"', 2)), ["33:1", "33:2", "33:3", "33:4", "34:1", "34:2"],
                     id="an excerpt"),
        pytest.param((('number="1"', 1), ('number="2"', 4)), ["1:4", "2:1", "2:2", "2:3", "2:4"],
                     id="a pickup that counts"),
        pytest.param((('number="1"', 2), ('number="2" implicit="yes"', 4)), ["1:3", "1:4", "2:1", "2:2", "2:3", "2:4"],
                     id="a full implicit bar"),
    ],
)  # fmt: skip
def test_places_are_those_that_are_printed(measures: tuple[tuple[str, int], ...], expected: list[str]) -> None:
    score = score_of(*measures)
    assert places(score) == expected
    assert places(score_from_json(score_to_json(score))) == expected


def test_written_music_has_the_same_numbers() -> None:
    score = score_of(*SPLIT)
    notated = notated_from_score(score)
    assert [number for number, _ in bar_texts(notated)] == [0, 1, 2, 2, 3]
    again, _ = read_musicxml(write_musicxml(notated))
    assert places(again) == SPLIT_PLACES


def test_bars_are_chosen_by_their_printed_numbers() -> None:
    chosen = choose_bars(notated_from_score(score_of(*SPLIT)), 2, 2)
    assert [number for number, _ in bar_texts(chosen)] == [2, 2]
    assert [chosen.position_at(Fraction(beat)).text for beat in range(4)] == ["2:1", "2:2", "2:3", "2:4"]


def test_an_excerpt_keeps_its_numbers() -> None:
    assert places(cut_bars(score_of(*SPLIT), 2, 3)) == SPLIT_PLACES[5:]
    assert places(cut_bars(score_of(*SPLIT), 1, 1)) == SPLIT_PLACES[:5]
    plain = cut_bars(score_of(("", 4), ("", 4), ("", 4)), 2, 3)
    assert places(plain) == [f"{bar}:{beat}" for bar in (2, 3) for beat in range(1, 5)]
    with pytest.raises(MusicError) as raised:
        cut_bars(score_of(('number="33"', 4), ('number="34"', 4)), 1, 2)
    assert raised.value.code == "INVALID_BARS" and "33 to 34" in raised.value.message


def test_measures_counted_in_order_need_no_numbers() -> None:
    plain = score_of(('number="0" implicit="yes"', 1), ('number="1"', 4), ('number="2"', 4))
    assert not plain.printed_measures
    assert not score_of(("", 4), ("", 4)).printed_measures


def test_warnings_name_printed_measures() -> None:
    grace = "<note><grace/><pitch><step>C</step><octave>5</octave></pitch></note>"
    _, warnings = read_musicxml(music(('number="33"', 4), ('number="34"', 4), extra=grace))
    assert any("measure 34" in warning for warning in warnings)
