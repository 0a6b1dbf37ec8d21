"""Fretboards: instruments and tunings by name, pitches of frets, distances."""

import pytest

from consort_music.errors import MusicError
from consort_music.frets.fretboards import fretboard
from consort_music.frets.tunings import KINDS, fretted_program, instrument_kind, parse_tuning


@pytest.mark.parametrize(
    ("instrument", "tuning", "strings"),
    [
        ("guitar", None, "E2 A2 D3 G3 B3 E4"),
        ("guitar", "drop D", "D2 A2 D3 G3 B3 E4"),
        ("guitar", "Drop-D tuning", "D2 A2 D3 G3 B3 E4"),
        ("guitar", "DADGAD", "D2 A2 D3 G3 A3 D4"),
        ("guitar", "dadgbe", "D2 A2 D3 G3 B3 E4"),
        ("guitar", "open G", "D2 G2 D3 G3 B3 D4"),
        ("guitar", "half step down", "D#2 G#2 C#3 F#3 A#3 D#4"),
        ("guitar", "drop C#", "C#2 G#2 C#3 F#3 A#3 D#4"),
        ("guitar", "baritone", "B1 E2 A2 D3 F#3 B3"),
        ("guitar", "D2 A2 D3 G3 B3 E4", "D2 A2 D3 G3 B3 E4"),
        ("guitar", "E4 B3 G3 D3 A2 E2", "E2 A2 D3 G3 B3 E4"),
        ("Acoustic Guitar (nylon)", "E A D F# B E", "E2 A2 D3 F#3 B3 E4"),
        ("7-string guitar", "drop A", "A1 E2 A2 D3 G3 B3 E4"),
        ("8-string guitar", None, "F#1 B1 E2 A2 D3 G3 B3 E4"),
        ("bass", None, "E1 A1 D2 G2"),
        ("bass", "5-string bass", "B0 E1 A1 D2 G2"),
        ("Electric Bass (finger)", None, "E1 A1 D2 G2"),
        ("6-string bass", None, "B0 E1 A1 D2 G2 C3"),
        ("ukulele", None, "G4 C4 E4 A4"),
        ("ukulele", "low G", "G3 C4 E4 A4"),
        ("banjo", None, "G4 D3 G3 B3 D4"),
        ("banjo", "double C", "G4 C3 G3 C4 D4"),
        ("mandolin", None, "G3 D4 A4 E5"),
    ],
)
def test_tunings_by_name_and_as_notes(instrument: str, tuning: str | None, strings: str) -> None:
    assert fretboard(instrument, tuning).tuning_text == strings


def test_all_named_tunings_fit_their_instrument() -> None:
    for kind in KINDS:
        for name, text in kind.tunings.items():
            least, most = kind.strings
            if least <= len(text.split()) <= most:
                assert len(parse_tuning(name, kind)) == len(text.split())


@pytest.mark.parametrize("tuning", ["xyz", "D2 A2", "D2 A2 D3 G3 B3 H4", "DADG", "Z" * 500, "E2 A2 D3 G3 B3 E99"])
def test_an_unreadable_tuning_is_explained(tuning: str) -> None:
    with pytest.raises(MusicError) as error:
        fretboard("guitar", tuning)
    assert error.value.code == "INVALID_TUNING"
    assert error.value.field == "tuning"
    assert "E2 A2 D3 G3 B3 E4" in error.value.message


def test_an_instrument_without_frets_is_rejected() -> None:
    with pytest.raises(MusicError) as error:
        fretboard("violin")
    assert error.value.code == "UNKNOWN_INSTRUMENT"
    assert "ukulele" in error.value.message


def test_general_midi_programs() -> None:
    assert fretted_program(24) == "classical guitar"
    assert fretted_program(27) == "guitar"
    assert fretted_program(33) == "bass"
    assert fretted_program(105) == "banjo"
    assert fretted_program(0) is None
    assert instrument_kind("Acoustic Guitar (steel)").name == "acoustic guitar"


def test_the_short_string_of_a_banjo_begins_at_the_fifth_fret() -> None:
    banjo = fretboard("banjo")
    assert banjo.fret(5, 67) == 0
    assert banjo.fret(5, 69) == 7
    assert banjo.pitch(5, 7) == 69
    assert banjo.fret(5, 66) is None


def test_a_capo_raises_the_strings_and_brings_frets_nearer_together() -> None:
    plain, capo = fretboard("guitar"), fretboard("guitar", capo=3)
    assert capo.fret(1, 67) == 0
    assert capo.tuning_text == plain.tuning_text
    assert capo.mm[4] - capo.mm[1] < plain.mm[4] - plain.mm[1]
    assert capo.highest_pitch == plain.highest_pitch
    with pytest.raises(MusicError, match="capo"):
        fretboard("guitar", capo=13)


def test_the_twelfth_fret_is_in_the_middle_of_the_string() -> None:
    assert fretboard("guitar").mm[12] == pytest.approx(325)
