"""Intervals, with music21 as the oracle."""

import music21
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.intervals import Interval, interval_between, parse_interval, transpose, usual_interval
from consort_music.pitch import Pitch

NAMES = [
    f"{quality}{number}"
    for number in range(1, 16)
    for quality in (("P", "A", "d") if (number - 1) % 7 in (0, 3, 4) else ("M", "m", "A", "d"))
]
NAMES.remove("d1")
pitches = st.builds(Pitch, st.sampled_from("CDEFGAB"), st.integers(-1, 1), st.integers(2, 6))


def music21_pitch(pitch: Pitch) -> music21.pitch.Pitch:
    return music21.pitch.Pitch(pitch.name.replace("b", "-"))


@pytest.mark.parametrize("name", NAMES)
def test_size_and_name(name: str) -> None:
    interval = parse_interval(name)
    assert interval.semitones == music21.interval.Interval(name).semitones
    assert interval.name == name


@given(pitches, pitches)
def test_intervals_between_pitches_agree_with_music21(first: Pitch, second: Pitch) -> None:
    assume(first.staff != second.staff)  # down by a sharp is A1 here and d1 in music21
    assert (
        interval_between(first, second).name
        == music21.interval.Interval(music21_pitch(first), music21_pitch(second)).name
    )


@given(pitches, st.sampled_from(NAMES[1:]), st.booleans())
def test_transposing_there_and_back_gives_the_same_pitch(pitch: Pitch, name: str, down: bool) -> None:
    interval = -parse_interval(name) if down else parse_interval(name)
    moved = transpose(pitch, interval)
    assert moved.midi == pitch.midi + interval.semitones
    assume(moved.staff == pitch.staff + interval.steps)  # otherwise it was respelled
    assert transpose(moved, -interval) == pitch
    assert moved.name == music21_pitch(pitch).transpose(("-" if down else "") + name).nameWithOctave.replace("-", "b")


@pytest.mark.parametrize(
    ("text", "suggestion"), [("X5", "P5"), ("M5", "P5"), ("P3", "M3"), ("", "P5"), ("d1", "P1"), ("5", "P5")]
)
def test_invalid_names_are_rejected(text: str, suggestion: str) -> None:
    with pytest.raises(MusicError) as raised:
        parse_interval(text)
    assert raised.value.code == "INVALID_INTERVAL"
    assert suggestion in raised.value.suggestions


def test_usual_intervals_of_semitones() -> None:
    names = ["P1", "m2", "M2", "m3", "M3", "P4", "A4", "P5", "m6", "M6", "m7", "M7", "P8", "m9"]
    assert [usual_interval(semitones).name for semitones in range(14)] == names
    assert usual_interval(-16) == Interval(-9, -16)


@pytest.mark.parametrize(("axis", "pitch"), [("B##3", "Abb3"), ("Fbb4", "B##4"), ("C##4", "Cbb5")])
def test_any_pitch_can_be_mirrored_at_any_other(axis: str, pitch: str) -> None:
    first, second = Pitch.parse(axis), Pitch.parse(pitch)
    assert transpose(first, -interval_between(first, second)).midi == 2 * first.midi - second.midi
