"""Changes of key, and chords that are broken into figures or accompany as in a waltz."""

from dataclasses import replace
from fractions import Fraction

import pytest

from consort_compose.composer.harmony.analyze.analysis import analyze_harmony
from consort_compose.composer.harmony.analyze.models import AnalyzeHarmony
from consort_compose.composer.harmony.analyze.service import analyze
from consort_compose.composer.voicings.engine.progression import realize_progression
from consort_compose.composer.voicings.voicing_score import score_of_equal_steps
from consort_music.chords.grammar import parse_chord
from consort_music.keys import parse_key
from consort_music.metre import parse_metre
from consort_music.notation.note_list import parse_note_list
from consort_music.score import Note, Part, Score

HOME = ["C", "F", "G7", "C", "Am", "F", "G7", "C"]
DOMINANT = ["D7", "G", "C", "D7", "G", "Em", "Am", "D7", "G"]
MINOR = ["E7", "Am", "Dm", "E7", "Am", "F", "Dm", "E7", "Am"]


def voices(symbols: list[str], length: int = 1) -> Score:
    """Return four voices without chord symbols."""
    steps = realize_progression([parse_chord(symbol) for symbol in symbols], "satb", inversions=False).steps
    score = score_of_equal_steps(steps, "satb", Fraction(length))
    return Score(score.parts)


def numerals(score: Score, key: str | None = None) -> list[str]:
    data, _, _ = analyze(score, AnalyzeHarmony.model_validate({"music": "…", "key": key}))
    return [chord.roman_numeral for chord in data.chords or []]


def test_a_modulation_is_written_once_and_taken_back() -> None:
    found = numerals(voices(HOME + DOMINANT + HOME, 2))
    assert [text for text in found if ":" in text] == ["G: V7", "C: I"]
    assert found[:4] == ["I", "IV", "V7", "I"] and found[-4:] == ["vi", "IV", "V7", "I"]


def test_a_minor_key_is_written_in_lower_case() -> None:
    found = numerals(voices(HOME + MINOR + HOME, 2))
    assert [text for text in found if ":" in text] == ["a: V7", "C: I"]


def test_the_beginning_may_be_in_another_key_than_the_piece() -> None:
    data, _, _ = analyze(voices(HOME + DOMINANT + DOMINANT, 2), AnalyzeHarmony(music="…"))
    assert data.key == "G major" and data.chords is not None
    assert data.chords[0].roman_numeral == "C: I"
    assert [chord.roman_numeral for chord in data.chords if ":" in chord.roman_numeral] == ["C: I", "G: V7"]


def test_an_applied_dominant_is_no_change_of_key() -> None:
    assert "V7/V" in numerals(voices(["C", "F", "G7", "C", "D7", "G7", "C", "F", "G7", "C"]))


def test_a_given_key_is_kept() -> None:
    assert not any(":" in text for text in numerals(voices(HOME + DOMINANT + HOME, 2), "C major"))


def test_a_cadence_in_another_key_says_it() -> None:
    held = Fraction(2 * len(HOME + DOMINANT) - 2)
    data, _, _ = analyze(replace(voices(HOME + DOMINANT + HOME, 2), fermatas=(held,)), AnalyzeHarmony(music="…"))
    assert [cadence.roman_numerals for cadence in data.cadences or []] == [["G: V7", "I"], ["V7", "I"]]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (0, 3, 1, 2), (0, 2, 3, 1)])
@pytest.mark.parametrize("step", [Fraction(1, 4), Fraction(1, 2)])
def test_broken_chords_have_the_chords_of_their_blocks(order: tuple[int, ...], step: Fraction) -> None:
    """A single line of figures on the notes of each chord."""
    symbols = ["C", "Am", "F", "G", "C", "F", "G", "C"]
    blocks = voices(symbols, 2)
    notes = []
    for place in range(len(symbols)):
        pitches = sorted({note.pitch for part in blocks.parts for note in part.notes if note.start == 2 * place},
                         key=lambda pitch: pitch.midi)  # fmt: skip
        for number in range(int(2 / step)):
            notes.append(Note(2 * place + number * step, step, pitches[order[number % len(order)] % len(pitches)]))
    data, _, _ = analyze(Score((Part.of("piano", notes),)), AnalyzeHarmony(music="…"))
    assert not data.implied and data.chords is not None
    heard = {(chord.measure, chord.beat): parse_chord(chord.chord).root_pitch_class for chord in data.chords}
    roots = [heard.get((1 + place // 2, 1.0 + 2 * (place % 2))) for place in range(len(symbols))]
    assert roots == [parse_chord(symbol).root_pitch_class for symbol in symbols]


def test_a_melody_that_steps_is_no_broken_chord() -> None:
    tune = parse_note_list("C4:q D4 E4 F4 G4 F4 E4 D4 C4 D4 E4 C4 D4 B3 C4:h G4:q F4 E4 D4 C4:w")
    assert analyze(tune, AnalyzeHarmony(music="…"))[0].implied


@pytest.mark.parametrize(
    ("metre", "length", "accompaniment"),
    [
        (
            "3/4",
            "hd",
            "C3:q E3+G3:q E3+G3:q | G2:q F3+B3:q F3+B3:q | A2:q C3+E3:q C3+E3:q | D3:q F3+A3:q F3+A3:q | "
            "G2:q D3+F3:q B2+F3:q | C3:q E3+G3:q E3+G3:q",
        ),
        (
            "4/4",
            "w",
            "C3:q E3+G3:q C3:q E3+G3:q | G2:q F3+B3:q D3:q F3+B3:q | A2:q C3+E3:q A2:q C3+E3:q | "
            "D3:q F3+A3:q D3:q F3+A3:q | G2:q B2+F3:q G2:q B2+F3:q | C3:q E3+G3:q C3:q E3+G3:q",
        ),
    ],
    ids=["waltz", "march"],
)
def test_a_bass_struck_before_its_chords_is_their_root(metre: str, length: str, accompaniment: str) -> None:
    """In a waltz, C alone and then E and G are C, not C and E minor; G and then B, D and F are not B diminished."""
    melody = " | ".join(f"{note}:{length}" for note in ("G4", "F4", "E4", "A4", "B4", "C5"))
    score = parse_note_list(f'"melody" {melody}\n"piano" {accompaniment}')
    score = replace(score, metres=((Fraction(0), parse_metre(metre)),))
    found = analyze_harmony(score, parse_key("C major"))
    roots = [
        {chord.symbol.root_pitch_class for chord in found.chords if chord.place.measure == bar} for bar in range(1, 7)
    ]
    assert roots == [{0}, {7}, {9}, {2}, {7}, {0}]
