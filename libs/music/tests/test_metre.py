"""Time signatures; music21 is the oracle for their lengths."""

from fractions import Fraction

import music21
import pytest

from consort_music.errors import MusicError
from consort_music.metre import BEAT, DOWNBEAT, OFFBEAT, STRONG, parse_metre


@pytest.mark.parametrize(
    "name",
    [
        "4/4",
        "3/4",
        "2/4",
        "2/2",
        "6/8",
        "9/8",
        "12/8",
        "5/4",
        "7/8",
        "5/8",
        "3/8",
        "11/8",
        "7/4",
        "3/2",
        "4/2",
        "6/4",
        "8/8",
    ],
)
def test_bars_and_beats(name: str) -> None:
    metre = parse_metre(name)
    oracle = music21.meter.TimeSignature(name)
    assert metre.bar == Fraction(oracle.barDuration.quarterLength)
    assert metre.name == name
    assert metre.beats[0] == 0 and list(metre.beats) == sorted(set(metre.beats)) and metre.beats[-1] < metre.bar
    assert set(metre.strong_beats) <= set(metre.beats) and metre.strong_beats[0] == 0
    for number, beat in enumerate(metre.beats, 1):
        assert metre.beat_number(beat) == number and metre.offset_of(Fraction(number)) == beat
    for step in range(24 * metre.numerator):
        offset = metre.unit * step / 24
        assert metre.offset_of(metre.beat_number(offset)) == offset
    if name in ("4/4", "3/4", "2/4", "2/2", "6/8", "9/8", "12/8", "3/2"):
        assert len(metre.beats) == oracle.beatCount


def test_strengths_of_moments() -> None:
    assert [parse_metre("4/4").strength(Fraction(beat)) for beat in range(4)] == [DOWNBEAT, BEAT, STRONG, BEAT]
    assert parse_metre("3/4").strength(Fraction(2)) == BEAT
    assert parse_metre("6/8").strength(Fraction(3, 2)) == BEAT
    assert parse_metre("12/8").strength(Fraction(3)) == STRONG
    assert parse_metre("5/4").strength(Fraction(3)) == STRONG
    assert parse_metre("7/8").strength(Fraction(2)) == STRONG
    assert parse_metre("4/4").strength(Fraction(1, 3)) == OFFBEAT
    assert parse_metre("C|").beats == (Fraction(0), Fraction(2))


@pytest.mark.parametrize(
    ("text", "suggestion"), [("4/5", "4/4"), ("0/4", "1/4"), ("waltz", "3/4"), ("99/4", "64/4"), ("", "4/4")]
)
def test_invalid_time_signatures_are_rejected(text: str, suggestion: str) -> None:
    with pytest.raises(MusicError) as raised:
        parse_metre(text)
    assert raised.value.code == "INVALID_TIME_SIGNATURE"
    assert suggestion in raised.value.suggestions
