"""Written ABC reads back the same, here and in music21."""

import re
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings

from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import parse_key
from consort_music.metre import Metre
from consort_music.notation.abc.reader import read_abc
from consort_music.notation.abc.writer import write_abc
from consort_music.notation.note_list import parse_note_list
from consort_music.score import Part, Score
from evaluation.checkers.music21_notes import music21_notes, music21_reads, our_notes
from tests.support.score_strategies import notated_scores, tunes


@settings(max_examples=25)
@given(notated_scores(odd=True).filter(lambda score: score.note_count > 0))
def test_written_abc_reads_back_the_same(score: Score) -> None:
    back, warnings = read_abc(write_abc(score))
    assert our_notes(back) == our_notes(score)
    assert back.bars == score.bars
    assert (back.tempos, back.chords) == (score.tempos, score.chords)
    assert (back.title, back.pickup) == (score.title, score.pickup)
    assert [part.name for part in back.parts] == [part.name for part in score.parts]
    for moment, key in score.keys:
        found = back.key_at(moment)
        assert found is not None and found.sharps == key.sharps
    assert warnings == []


def test_lyrics_are_written() -> None:
    tune = "X:1\nM:2/4\nL:1/4\nK:C\nA B | c2- | c d | e f | A B |\nw: O-ver~all _ we * go\nw: two | * x\\-y\n"
    score, _ = read_abc(tune)
    text = write_abc(score)
    assert read_abc(text)[0].parts[0].lyrics == score.parts[0].lyrics != ()
    assert music21_reads(text, "abc") is not None


@settings(max_examples=20)
@given(tunes())
def test_music21_reads_the_same_tune(score: Score) -> None:
    text = write_abc(score)
    assume(not re.search(r"\([0-9]+:[0-9]+:[0-9]{2}", text))  # music21 reads one digit only
    assert music21_notes(music21_reads(text, "abc")) == our_notes(score)


def test_an_example_of_written_abc() -> None:
    tune = parse_note_list("G4:q C5:q D5:e E5:e F#5:e3 E5:e3 D5:e3 C5:q~ C5:h Bb4:qd A4:e")
    score = Score(
        (Part.of("part 1", tune.parts[0].notes, "Flute"),),
        metres=((Fraction(0), Metre(4, 4)),),
        keys=((Fraction(0), parse_key("D dorian")),),
        tempos=((Fraction(0), Fraction(96)),),
        chords=(ChordMark(Fraction(1), "Dm7"),),
        pickup=Fraction(1),
        title="A tune",
    )
    assert write_abc(score) == (
        'X:1\nT:A tune\nM:4/4\nL:1/8\nQ:1/4=96\nK:Ddor\n%%MIDI program 73\nG2 | "Dm7"c2 de (3^fed c2- | c4 _B3A |]\n'
    )


def test_fermatas_are_kept() -> None:
    tune, _ = read_abc("X:1\nL:1/4\nK:C\nC !fermata!D H[EG] +fermata+z | F2- !fermata!F G |]")
    assert tune.fermatas == tuple(map(Fraction, (1, 2, 3, 6)))
    assert read_abc(write_abc(tune))[0].fermatas == tune.fermatas[:2]
    assert "!fermata!D2 !fermata![EG]2 z2" in write_abc(tune)


@pytest.mark.parametrize(
    ("notes", "bar"),
    [
        ("C4:e3 D4:e3 E4:e3 F4:q G4:h", "(3CDE F2 G4"),
        ("C4:q3 D4:q3 E4:q3 F4:h", "(3C2D2E2 F4"),
        ("C4:h3 D4:h3 E4:h3", "(3C4 D4 E4"),
        ("C4:q3 D4:e3 E4:e3 F4:q3 G4:h", "(3:2:2C2D (3:2:2EF2 G4"),
        ("C4:q D4:q~ D4:e3 E4:e3 F4:e3 G4:q", "C2 D2- (3DEF G2"),
        ("C4:q D4:e3 E4:e3 F4:e3~ F4:e3 G4:e3 A4:e3 B4:q", "C2 (3DEF- (3FGA B2"),
        ("C4:q D4:s3 E4:s3 F4:s3 G4:e A4:h", "C2 (3D/E/F/G A4"),
        ("C4:s3 D4:s3 E4:s3 F4:s3 G4:s3 A4:s3 B4:q C5:h", "(3C/D/E/(3F/G/A/ B2 c4"),
        ("C4:e D4:q3 E4:q3 F4:q3 G4:qd", "C(3D2E2F2 G3"),
    ],
)
def test_tuplets_are_written_as_musicians_write_them(notes: str, bar: str) -> None:
    score = parse_note_list(notes)
    text = write_abc(score)
    assert text.splitlines()[-1] == f"{bar} |]"
    assert music21_notes(music21_reads(text, "abc")) == our_notes(score)
