"""Chord symbols: a table of real ones, wrong ones with suggestions, and properties of all of them."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consort_music.chords.grammar import parse_chord
from consort_music.errors import MusicError
from evaluation.corpora.chord_symbols import pitch_class, symbols_and_notes


def written(step: str, alter: int) -> str:
    return step + "#" * alter + "b" * -alter


def test_the_table_is_large() -> None:
    symbols = [symbol for symbol, _ in symbols_and_notes()]
    assert len(symbols) >= 450
    assert len(set(symbols)) == len(symbols)


@pytest.mark.parametrize(("symbol", "notes"), symbols_and_notes())
def test_each_symbol_has_its_tones_and_name(symbol: str, notes: list[str]) -> None:
    chord = parse_chord(symbol)
    assert chord.pitch_classes == {pitch_class(note) for note in notes}
    assert chord.bass_pitch_class == pitch_class(notes[0])
    spelled = {written(tone.step, tone.alter) for tone in chord.tones}
    if chord.bass:
        spelled.add(written(*chord.bass))
    assert spelled >= set(notes)
    assert {note for note in spelled if pitch_class(note) not in {pitch_class(n) for n in notes}} == set()
    assert parse_chord(chord.name) == chord


@pytest.mark.parametrize("symbol", ["N.C.", "N/C", "n/c", "NC", "N.C", "n.c.", "N", "No chord", "no chord"])
def test_no_chord_has_no_tones(symbol: str) -> None:
    chord = parse_chord(symbol)
    assert chord.is_no_chord
    assert (chord.root, chord.tones, chord.pitch_classes, chord.name) == (None, (), frozenset(), "N.C.")


@pytest.mark.parametrize(
    ("symbol", "suggestion"),
    [
        ("", "C"),
        ("H7", "B7"),
        ("Hm7b5", "Bm7b5"),
        ("a7", "A7"),
        ("a7", "Am7"),
        ("c", "C"),
        ("c", "Cm"),
        ("do", "Do"),
        ("bb7", "Bb7"),
        ("Cis", "C#"),
        ("Fism7", "F#m7"),
        ("Es7", "Eb7"),
        ("Solm", "Gm"),
        ("V7", "C"),
        ("ii", "C"),
        ("bVII", "C"),
        ("%", "C"),
        ("C-5", "C(b5)"),
        ("C+11", "C7#11"),
        ("Cm+7", "Cm(maj7)"),
        ("Cm7+", "Cm(maj7)"),
        ("C99", "C9"),
        ("C7b9b9", "C7b9"),
        ("Cm(7+)", "Cm7#5"),
        ("Cflat5", "C(b5)"),
        ("C flat 5", "Cb5"),
        ("C sharp 5", "C(#5)"),
        ("C b9", "C7b9"),
        ("C6-9", "C6/9"),
        ("Cm6-9", "Cm6/9"),
        ("C6+9", "C6/9"),
        ("C9/6", "C6/9"),
        ("C9/6", "C13"),
        ("C/b7", "C7"),
        ("A:", "A"),
        ("Cmj7", "Cmaj7"),
        ("Cmj7", "Cm(maj7)"),
        ("D b5", "D(b5)"),
        ("Abb5", "Ab(b5)"),
        ("C9b9", "C7b9"),
        ("C11#11", "C9#11"),
        ("Cm7 11", "Cm11"),
        ("Cmaj#11", "Cmaj7#11"),
        ("Cm#11", "Cm7#11"),
        ("D/C7", "D/C"),
        ("Am7/Dm", "Am7/D"),
        ("C/H", "C/B"),
        ("C/e", "C/E"),
        ("C\\E", "C/E"),
        ("C//E", "C/E"),
        ("Cmaj7/", "Cmaj7"),
        ("Cmja7", "Cmaj7"),
        ("Cmajj7", "Cmaj7"),
        ("Csuss4", "Csus4"),
        ("Cdimm7", "Cdim7"),
        ("Cmaj7x", "Cmaj7"),
        ("C7b9)", "C7b9"),
        ("C7(b9", "C7b9"),
        ("C8", "C"),
        ("Cadd7", "C7"),
        ("C5b9", "C7b9"),
        ("Cdimsus4", "Csus4"),
        ("Cno7", "C"),
        ("C7m7", "Cm7"),
        ("Cmm7", "Cm7"),
        ("Cmaj7maj9", "Cmaj7"),
        ("CMm7", "Cm7"),
        ("C7alt b9", "C7alt"),
        ("Cb#", "Cb"),
        ("C7 G7", "C7"),
        ("C, G", "C"),
        ("X4", "C"),
        ("Cmoll", "Cm"),
        ("C" * 100, "Cmaj7"),
    ],
)
def test_wrong_symbols_are_rejected_with_a_suggestion(symbol: str, suggestion: str) -> None:
    with pytest.raises(MusicError) as caught:
        parse_chord(symbol)
    error = caught.value
    assert error.code == "INVALID_CHORD_SYMBOL"
    assert suggestion in error.suggestions
    assert len(error.message) < 300
    for other in error.suggestions:
        parse_chord(other)


@given(st.text(alphabet="ABCDEFGbb##mMajin7dsu°ø+-^Δ(),/9135624 olt", max_size=12))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    try:
        chord = parse_chord(text)
    except MusicError as error:
        assert error.code == "INVALID_CHORD_SYMBOL"
    else:
        assert parse_chord(chord.name) == chord
        assert {tone.pitch_class for tone in chord.tones} <= chord.pitch_classes
        assert len({(tone.step, tone.alter) for tone in chord.tones}) == len(chord.tones)


ROOTS = [letter + accidental for letter in "CDEFGAB" for accidental in ("", "b", "#")]

EXTREME_ROOTS = {"Cb", "Fb", "Gb", "B#", "E#", "A#", "D#", "G#"}  # on these roots a tone may need a triple accidental


def test_every_row_means_the_same_over_every_root() -> None:
    over_c = [(symbol, notes) for symbol, notes in symbols_and_notes() if re.match(r"C(?![b#♭♯o -])[^/]*$", symbol)]
    for root, (symbol, notes) in itertools.product(ROOTS, over_c):
        up = pitch_class(root)
        chord = parse_chord(root + symbol[1:])
        assert chord.pitch_classes == {(pitch_class(note) + up) % 12 for note in notes}, root + symbol[1:]
        if root not in EXTREME_ROOTS:
            letters = {(ord(tone.step) - ord(root[0])) % 7 for tone in chord.tones}
            assert letters <= {(ord(note[0]) - ord("C")) % 7 for note in notes}


@pytest.mark.parametrize(
    ("symbol", "quality", "intervals"),
    [
        ("Cmaj7", "major_seventh", "P1 M3 P5 M7"),
        ("C-7b5", "half_diminished_seventh", "P1 m3 d5 m7"),
        ("Co7", "diminished_seventh", "P1 m3 d5 d7"),
        ("C7sus4", "dominant_seventh_suspended_fourth", "P1 P4 P5 m7"),
        ("C13#11", "dominant_thirteenth_sharp_eleventh", "P1 M3 P5 m7 M9 A11 M13"),
        ("C6/9", "major_sixth_ninth", "P1 M3 P5 M6 M9"),
        ("C5", "power", "P1 P5"),
        ("C7alt", "altered_dominant", "P1 M3 m7 m9 A9 A11 m13"),
        ("Cmadd9", "minor_added_ninth", "P1 m3 P5 M9"),
    ],
)
def test_quality_and_intervals(symbol: str, quality: str, intervals: str) -> None:
    chord = parse_chord(symbol)
    assert chord.quality == quality
    assert " ".join(tone.interval for tone in chord.tones) == intervals


@pytest.mark.parametrize(
    ("symbol", "midi", "name"),
    [("Cm", 63, "Eb4"), ("B", 63, "D#4"), ("Cb", 59, "Cb4"), ("G#7", 60, "B#3"), ("C", 61, "C#4"), ("F7", 61, "Db4")],
)
def test_spelled_pitches(symbol: str, midi: int, name: str) -> None:
    pitch = parse_chord(symbol).pitch(midi)
    assert (pitch.name, pitch.midi) == (name, midi)


@pytest.mark.parametrize(
    ("symbol", "name", "other"),
    [
        ("G7(Db7)", "G7", "Db7"),
        ("Am7 (D7/A)", "Am7", "D7/A"),
        ("Cmaj7[C6]", "Cmaj7", "C6"),
        ("C7(b9)", "C7b9", None),
        ("C(add9)", "Cadd9", None),
    ],
)
def test_the_first_of_two_alternatives_is_read(symbol: str, name: str, other: str | None) -> None:
    chord = parse_chord(symbol)
    assert (chord.name, chord.alternative) == (name, other)
    assert chord == parse_chord(name)


@pytest.mark.parametrize("symbol", ["Cdi7", "CDim.7th", "Cd7", "CO7", "Co7th", "Cdiminish7", "C07th", "Cdm7"])
def test_dim7_is_suggested_where_it_is_likely(symbol: str) -> None:
    with pytest.raises(MusicError) as caught:
        parse_chord(symbol)
    assert caught.value.suggestions[0] == "Cdim7"
