"""Chord shapes and diagrams of fretted instruments."""

import pytest

from consort_music.chords.grammar import parse_chord
from consort_music.errors import MusicError
from consort_music.frets.chord_diagrams import Barre, chord_diagram, chord_diagrams, diagram_of_places
from consort_music.frets.fretboards import fretboard

ROOTS = ("C", "Eb", "F#", "A", "B")


@pytest.mark.parametrize(
    ("instrument", "chords"),
    [
        (
            "guitar",
            "C x32010, G 320003, D xx0232, A x02220, E 022100, F 133211, Am x02210, Em 022000, Dm xx0231, Bm x24432, "
            "Cm x35543, Gm 355333, G7 320001, C7 x32310, B7 x21202, Bb x13331, D/F# 200232, Cadd9 x32030",
        ),
        ("7-string guitar", "C xx32010, Bm xx24432, Em x022000"),
        ("ukulele", "C 0003, F 2010, G 0232, Am 2000, G7 0212, Dm 2210, C7 0001, A7 0100, D 2220, Bb 3211, Bm 4222"),
        ("banjo", "G 00000, C 02012, F x3213, Em 02002, Am x2212, A x2222"),
        ("mandolin", "G 0023, C 0230, D 2002, Am 2230, Em 0220, G7 0021"),
    ],
)
def test_common_shapes(instrument: str, chords: str) -> None:
    for entry in chords.split(", "):
        symbol, frets = entry.split()
        assert (symbol, chord_diagram(symbol, instrument).text) == (symbol, frets)


@pytest.mark.parametrize(
    ("frets", "fingers"),
    [("x32010", "-32-1-"), ("320003", "21---3"), ("133211", "134211"), ("x21202", "-213-4"), ("x02210", "--231-")],
)
def test_usual_fingers(frets: str, fingers: str) -> None:
    placed = [(6 - index, int(fret)) for index, fret in enumerate(frets) if fret != "x"]
    diagram = diagram_of_places(placed, fretboard("guitar"))
    assert "".join("-" if finger is None else str(finger) for finger in diagram.fingers) == fingers


def test_a_barre_and_the_first_fret() -> None:
    diagram = chord_diagram("Gm")
    assert diagram.barre == Barre(3, 6, 1)
    assert diagram.first_fret == 3
    assert chord_diagram("C").barre is None
    assert chord_diagram("C").first_fret == 1


@pytest.mark.parametrize("instrument", ["guitar", "ukulele", "banjo", "mandolin", "8-string guitar", "tenor banjo"])
def test_shapes_contain_only_chord_tones(instrument: str) -> None:
    board = fretboard(instrument)
    for root in ROOTS:
        for quality in ("", "m", "7", "maj7", "sus4", "dim7", "9"):
            chord = parse_chord(root + quality)
            for diagram in chord_diagrams(chord, board, most=3):
                pressed = [
                    (board.strings - index, fret) for index, fret in enumerate(diagram.frets) if fret is not None
                ]
                assert {board.pitch(*place) % 12 for place in pressed} <= chord.pitch_classes
                assert max((finger or 0 for finger in diagram.fingers), default=0) <= 4


def test_a_capo_changes_the_shape() -> None:
    assert chord_diagram("A", capo=2).text == chord_diagram("G").text


def test_an_unreadable_chord_is_an_error() -> None:
    with pytest.raises(MusicError):
        chord_diagram("H%")
