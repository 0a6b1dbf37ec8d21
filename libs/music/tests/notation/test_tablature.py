"""Tablature of a notated score: pinned notes, and shifts judged by the tempo at the place."""

from dataclasses import replace
from fractions import Fraction

import pytest

from consort_music.errors import MusicError
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.writing.notated_score import NotatedScore, notated_from_score
from consort_music.notation.writing.tablature import TabOptions, with_tablature
from consort_music.score import Part, Score

NYLON = "Acoustic Guitar (nylon)"


def guitar(notes: str) -> NotatedScore:
    return notated_from_score(Score((Part.of("Guitar", parse_note_list(notes).parts[0].notes, NYLON),)))


def places(score: NotatedScore, *pinned: str) -> list[tuple[int, int]]:
    made = with_tablature(score, TabOptions(pinned=pinned)).score
    chords = made.parts[0].staves[-1].voices[0]
    return [(place.string, place.fret) for chord in chords for place in chord.places if place]


def test_pinned_notes_are_on_their_strings() -> None:
    score = guitar("E4:q E4:q B3:q E4:q")
    assert places(score)[1] != (3, 9)
    assert places(score, "1:2 E4 3", "1:3 B3 4/9")[1:3] == [(3, 9), (4, 9)]


@pytest.mark.parametrize(
    ("pinned", "said"),
    [
        ("1:1 F4 2", "no note F4"),
        ("the second", "does not pin"),
        ("1:1 E4 2/7", "fret 5"),
        ("1:1 E4 7", "no string 7, only 1 to 6"),
        ("1:3 B3 1", "cannot be played on string 1"),
    ],
)
def test_wrong_pins_are_explained(pinned: str, said: str) -> None:
    with pytest.raises(MusicError, match=said) as error:
        places(guitar("E4:q E4:q B3:q E4:q"), pinned)
    assert (error.value.code, error.value.field) == ("INVALID_FRET_HINT", "pinned")


def test_shifts_are_judged_by_the_tempo_at_the_place() -> None:
    """A leap of the hand from fret 1 to 13 and back is possible when slow, but not after the change of tempo."""
    score = guitar("F2:q F3:q F2:q F3:q " * 2)
    pinned = tuple(f"{bar}:{beat} F{octave} 6" for bar in (1, 2) for beat, octave in ((1, 2), (2, 3), (3, 2), (4, 3)))
    fast = replace(score, tempos=((Fraction(0), Fraction(60)), (Fraction(4), Fraction(600))))
    assert with_tablature(replace(score, tempos=fast.tempos[:1]), TabOptions(pinned=pinned)).warnings == []
    (warning,) = with_tablature(fast, TabOptions(pinned=pinned)).warnings
    assert "2:3, 2:4" in warning and "1:" not in warning.replace("2:1", "") and "too little time" in warning


def test_every_note_without_a_place_is_named_above_its_chord() -> None:
    made = with_tablature(guitar("E4:q F1+A2+C8:q D1:h"), TabOptions()).score
    assert made.note_words == ((Fraction(1), "(F1 C8)"), (Fraction(2), "(D1)"))


@pytest.mark.parametrize(
    ("options", "written"),
    [
        (TabOptions(), ()),
        (TabOptions(capo=3), ("Capo 3",)),
        (TabOptions(tuning="D2 A2 D3 G3 A3 D4"), ("Tuning D2 A2 D3 G3 A3 D4",)),
        (TabOptions(tuning="drop D", capo=2), ("Capo 2, Tuning D2 A2 D3 G3 B3 E4",)),
        (TabOptions("ukulele"), ()),
    ],
)
def test_a_player_reads_the_capo_and_the_tuning_above_the_first_bar(
    options: TabOptions, written: tuple[str, ...]
) -> None:
    made = with_tablature(guitar("E5:q A4:q C5:h"), options).score
    assert made.note_words == tuple((Fraction(0), text) for text in written)


@pytest.mark.parametrize(
    ("asked", "own", "clef"),
    [
        (None, "", "treble8"),
        ("guitar", "", "treble8"),
        ("5-string bass", "", "bass8"),
        ("ukulele", "", "treble"),
        ("guitar", "Acoustic Grand Piano", "treble8"),
        (None, "Flute", None),
    ],
)
def test_the_staff_above_tablature_has_the_clef_of_the_players(asked: str | None, own: str, clef: str | None) -> None:
    notes = parse_note_list("E3:q G3:q B3:h").parts[0].notes
    score = notated_from_score(Score((Part.of("Tune", notes, own),)))
    assert with_tablature(score, TabOptions(asked)).score.parts[0].staves[0].clef == clef
