"""Pitch names: spelling is kept, MIDI numbers are right, and '-' is never a flat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.errors import MusicError
from consort_music.pitch import Pitch


@pytest.mark.parametrize(
    ("text", "midi", "name"),
    [
        ("C4", 60, "C4"),
        ("a4", 69, "A4"),
        ("F##4", 67, "F##4"),
        ("Fx4", 67, "F##4"),
        ("F𝄪4", 67, "F##4"),
        ("F♯♯4", 67, "F##4"),
        ("Bbb3", 57, "Bbb3"),
        ("B𝄫3", 57, "Bbb3"),
        ("bb3", 58, "Bb3"),
        ("E♭5", 75, "Eb5"),
        ("C0", 12, "C0"),
        ("Cb0", 11, "Cb0"),
        ("B#3", 60, "B#3"),
        ("G9", 127, "G9"),
        (" D2 ", 38, "D2"),
    ],
)
def test_names_are_read(text: str, midi: int, name: str) -> None:
    pitch = Pitch.parse(text)
    assert (pitch.midi, pitch.name) == (midi, name)


@pytest.mark.parametrize(
    "text",
    ["", "H4", "C", "4", "C10", "C#b4", "Cbbb4", "C###4", "C##x4", "C 4", "C4 D4", "\uff234", "C४", "Do4", "C" * 10**6],
)
def test_invalid_names_are_rejected(text: str) -> None:
    with pytest.raises(MusicError) as caught:
        Pitch.parse(text)
    assert caught.value.code == "INVALID_PITCH"
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(("text", "suggestion"), [("B-3", "Bb3"), ("b--3", "Bbb3"), ("C-1", "Cb1")])
def test_minus_is_neither_flat_nor_octave(text: str, suggestion: str) -> None:
    with pytest.raises(MusicError, match="'-' is not accepted") as caught:
        Pitch.parse(text)
    assert caught.value.suggestions == [suggestion]


@pytest.mark.parametrize("text", ["G#9", "Abb9", "B9"])
def test_spellings_outside_the_midi_range_have_no_number(text: str) -> None:
    pitch = Pitch.parse(text)
    if text == "Abb9":
        assert pitch.midi == 127
    else:
        with pytest.raises(MusicError, match="outside the range of MIDI notes"):
            _ = pitch.midi


@given(st.integers(0, 127), st.booleans())
def test_from_midi_and_back(number: int, prefer_flats: bool) -> None:
    pitch = Pitch.from_midi(number, prefer_flats)
    assert pitch.midi == number
    assert ("#" if prefer_flats else "b") not in pitch.name
    if number >= 12:
        assert Pitch.parse(pitch.name) == pitch


@given(st.sampled_from("CDEFGAB"), st.integers(-2, 2), st.integers(0, 9))
def test_names_keep_their_spelling(step: str, alter: int, octave: int) -> None:
    assert Pitch.parse(Pitch(step, alter, octave).name) == Pitch(step, alter, octave)


def test_the_lowest_octave_is_given_by_number() -> None:
    assert Pitch.from_midi(5).name == "F-1"


@pytest.mark.parametrize(
    ("step", "alter", "octave"), [("H", 0, 4), ("C", 3, 4), ("C", 0, 10), ("c", 0, 4), ("C", 0, -2)]
)
def test_invalid_pitches_cannot_be_created(step: str, alter: int, octave: int) -> None:
    with pytest.raises(MusicError):
        Pitch(step, alter, octave)


@pytest.mark.parametrize("number", [-1, 128])
def test_numbers_outside_midi_are_rejected(number: int) -> None:
    with pytest.raises(MusicError, match="from 0 to 127"):
        Pitch.from_midi(number)


@given(st.text(max_size=8))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    try:
        pitch = Pitch.parse(text)
    except MusicError as error:
        assert error.code == "INVALID_PITCH" and error.suggestions
    else:
        assert Pitch.parse(pitch.name) == pitch
