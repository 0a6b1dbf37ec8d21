"""Written MusicXML is read by music21 as the same score, and is readable for people."""

import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from consort_music.chords.grammar import parse_chord
from consort_music.chords.timed_chords import ChordMark
from consort_music.keys import parse_key
from consort_music.metre import Metre, parse_metre
from consort_music.notation.musicxml.reader import read_musicxml
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import parse_note_list
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score
from evaluation.checkers.music21_notes import music21_notes, music21_reads, our_notes
from evaluation.corpora.chord_symbols import symbols_and_notes
from tests.support.score_strategies import notated_scores


@settings(max_examples=20)
@given(notated_scores())
def test_music21_reads_the_same_score(score: Score) -> None:
    read = music21_reads(write_musicxml(score), "musicxml")
    assert music21_notes(read) == our_notes(score)
    for part in read.parts:
        assert bar_lines(part) == [(bar.start, bar.metre.name) for bar in score.bars]
        assert signatures(part) == [(start, key.sharps) for start, key in score.keys]


def bar_lines(part: Any) -> list[tuple[Fraction, str]]:
    found, metre = [], ""
    for measure in part.getElementsByClass("Measure"):
        metre = measure.timeSignature.ratioString if measure.timeSignature else metre
        found.append((Fraction(measure.offset), metre))
    return found


def signatures(part: Any) -> list[tuple[Fraction, int]]:
    return [(Fraction(key.offset), key.sharps) for key in part.flatten().getElementsByClass("KeySignature")]


def score_of(notes: str, metre: str = "4/4", **more: Any) -> Score:
    score = parse_note_list(notes)
    return Score(score.parts, metres=((Fraction(0), parse_metre(metre)),), **more)


def values(text: str) -> list[str]:
    """Return the values of the notes in words: `quarter. ~` is a dotted quarter with a tie to the next."""
    found = []
    for note in re.findall(r"<note.*?</note>", text):
        kind = re.search(r"<type>(\w+)</type>", note)
        ratio = re.search(r"<actual-notes>(\d+).*<normal-notes>(\d+)", note)
        name = ("rest " if "<rest" in note else "") + (kind[1] if kind else "bar") + "." * note.count("<dot/>")
        name += f" {ratio[1]}:{ratio[2]}" if ratio else ""
        found.append(name + (" ~" if '<tie type="start"/>' in note else ""))
    return found


@pytest.mark.parametrize(
    ("notes", "metre", "expected"),
    [
        ("C4:w", "4/4", ["whole"]),
        ("C4:q D4:h E4:q", "4/4", ["quarter", "half", "quarter"]),
        ("C4:e D4:q E4:q F4:q G4:e", "4/4", ["eighth", "quarter", "eighth ~", "eighth", "quarter", "eighth"]),
        ("C4:q D4:hd", "4/4", ["quarter", "quarter ~", "half"]),
        ("C4:5/2 D4:3/2", "4/4", ["half ~", "eighth", "quarter."]),
        ("C4:hd D4:q", "4/4", ["half.", "quarter"]),
        ("C4:h~ C4:w D4:h", "4/4", ["whole ~", "half", "half"]),
        ("C4:q R:hd", "4/4", ["quarter", "rest quarter", "rest half"]),
        ("C4:h D4:q", "6/8", ["quarter. ~", "eighth", "quarter"]),
        ("C4:qd D4:qd", "6/8", ["quarter.", "quarter."]),
        ("C4:hd", "3/4", ["half."]),
        ("C4:e3 D4:e3 E4:e3 F4:hd", "4/4", ["eighth 3:2"] * 3 + ["quarter ~", "half"]),
        ("C4:q3 D4:q3 E4:q3 F4:h", "4/4", ["quarter 3:2"] * 3 + ["half"]),
        ("C4:h3 D4:h3 E4:h3", "4/4", ["half 3:2"] * 3),
        ("C4:q3 D4:e3 E4:hd", "4/4", ["quarter 3:2", "eighth 3:2", "quarter ~", "half"]),
        ("C4:2/5 D4:1/5 E4:2/5 F4:hd", "4/4", ["eighth 5:4", "16th 5:4", "eighth 5:4", "quarter ~", "half"]),
        ("C4:7/3 D4:e3 E4:e3 F4:q", "4/4", ["half ~", "eighth 3:2", "eighth 3:2", "eighth 3:2", "quarter"]),
        ("R:w C4:w", "4/4", ["rest bar", "whole"]),
    ],
)
def test_lengths_are_split_so_that_beats_are_visible(notes: str, metre: str, expected: list[str]) -> None:
    assert values(write_musicxml(score_of(notes, metre))) == expected


def test_accidentals_where_they_are_needed() -> None:
    text = write_musicxml(score_of("F#4:q F4:q F4:q F#5:q F4:w", keys=((Fraction(0), parse_key("G major")),)))
    shown = [re.findall(r"<accidental>(\w+)<", note) for note in re.findall(r"<note.*?</note>", text)]
    assert shown == [[], ["natural"], [], [], ["natural"]]


def accidentals(text: str) -> list[str]:
    """Return the accidentals of a document; those with a question mark are a courtesy."""
    found = re.findall(r"<accidental( cautionary=\"yes\")?>([a-z-]+)</accidental>", text)
    return [name + ("?" if courtesy else "") for courtesy, name in found]


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("F#4:h F#4:h F4:w F4:w", ["sharp", "natural?"]),
        ("F#4:h F5:h F4:w", ["sharp", "natural?", "natural?"]),
        ("F#4:h~ F#4:w~ F#4:h F4:h G4:w", ["sharp", "natural?"]),
        ("F#4:h~ F#4:w F4:h G4:w", ["sharp", "natural?"]),
        ("F#4:w G4:w F4:w", ["sharp"]),
    ],
)
def test_courtesy_accidentals(notes: str, expected: list[str]) -> None:
    assert accidentals(write_musicxml(score_of(notes))) == expected


@pytest.mark.parametrize(
    ("notes", "metre", "expected"),
    [
        ("C4:e D4:e E4:q F4:s G4:s A4:e B4:q", "4/4", "[ ] - [[ =] ] -"),
        ("C4:e D4:e E4:e F4:e G4:e A4:e", "6/8", "[ = ] [ = ]"),
        ("C4:ed D4:s E4:s F4:ed G4:h", "4/4", "[ ]b [f ] -"),
        ("C4:e R:e D4:e E4:q F4:e G4:q", "4/4", "- - [ ] [ ] -"),
    ],
)
def test_beams(notes: str, metre: str, expected: str) -> None:
    signs = {"begin": "[", "continue": "=", "end": "]", "forward hook": "f", "backward hook": "b"}
    found = []
    for note in re.findall(r"<note.*?</note>", write_musicxml(score_of(notes, metre))):
        found.append("".join(signs[word] for word in re.findall(r"<beam [^>]*>(.*?)<", note)) or "-")
    assert " ".join(found) == expected


@pytest.mark.parametrize(
    ("symbol", "root", "bass"),
    [("Eflat7", "E-", None), ("ConE", "C", "E"), ("am7/G", "A", "G"), ("F♯ø/A", "F#", "A"), ("Abb:9", "A--", None)],
)
def test_music21_reads_the_root_and_the_bass(symbol: str, root: str, bass: str | None) -> None:
    score = score_of("C4:w", chords=(ChordMark(Fraction(0), symbol),))
    chord = music21_reads(write_musicxml(score), "musicxml").flatten().getElementsByClass("ChordSymbol")[0]
    assert chord.root().name == root and chord.bass().name == (bass or root)


def test_every_chord_symbol_reads_back_as_the_same_chord() -> None:
    symbols = [symbol for symbol, _ in symbols_and_notes()]
    marks = tuple(ChordMark(Fraction(4 * bar), symbol) for bar, symbol in enumerate(symbols))
    back, _ = read_musicxml(write_musicxml(score_of("C4:w " * len(symbols), chords=marks)))
    assert [parse_chord(mark.symbol) for mark in back.chords] == [parse_chord(symbol) for symbol in symbols]


def test_keys_tempos_and_chords_are_written() -> None:
    score = score_of(
        "C4:q D4:q E4:q F4:q G4:w",
        keys=((Fraction(0), parse_key("D dorian")), (Fraction(2), parse_key("E harmonic minor"))),
        tempos=((Fraction(0), Fraction(96)), (Fraction(4), Fraction(241, 2))),
        chords=(ChordMark(Fraction(0), "Dm7"), ChordMark(Fraction(3), "G7/B"), ChordMark(Fraction(7, 2), "N.C.")),
        title="Tom & <Jerry>\x00",
    )
    read = music21_reads(write_musicxml(score), "musicxml")
    flat = read.flatten()
    assert [(key.offset, key.tonic.name, key.mode) for key in flat.getElementsByClass("Key")] == [
        (0, "D", "dorian"),
        (2, "E", "minor"),
    ]
    assert [(mark.offset, mark.number) for mark in flat.getElementsByClass("MetronomeMark")] == [(0, 96), (4, 120.5)]
    chords = [(chord.offset, chord.figure) for chord in flat.getElementsByClass("ChordSymbol")]
    assert chords == [(0, "Dm7"), (3, "G7/B"), (3.5, "N.C.")]
    assert read.metadata.title == "Tom & <Jerry>"


def test_fermatas_are_written() -> None:
    score = score_of("C4:q E4+G4:q~ E4+G4:h R:q F4:q", fermatas=(Fraction(1), Fraction(5)))
    text = write_musicxml(score)
    read = music21_reads(text, "musicxml").flatten().notes
    assert [note.offset for note in read if any("Fermata" in mark.classes for mark in note.expressions)] == [1, 5]
    assert read_musicxml(text)[0].fermatas == score.fermatas


def test_parts_have_instruments_and_clefs() -> None:
    low = [Note(Fraction(0), Fraction(1), Pitch.parse("C2"), 100)]
    high = [Note(Fraction(0), Fraction(1), Pitch.parse("C6"), 30)]
    score = Score((Part.of("bass", low, "Contrabass"), Part.of("kit", low, "Drums"), Part.of("solo", high, "nonesuch")))
    text = write_musicxml(score)
    read = music21_reads(text, "musicxml")
    assert [part.partName for part in read.parts] == ["bass", "kit", "solo"]
    assert re.findall(r"<sign>(\w+)</sign>", text) == ["F", "percussion", "G"]
    assert re.findall(r"<midi-program>(\d+)", text) == ["44"]
    assert re.findall(r"<midi-channel>(\d+)", text) == ["1", "10"]
    assert [note.volume.velocity for note in read.flatten().notes] == [100, 100, 30]


def test_a_pickup_and_a_short_bar() -> None:
    metres = ((Fraction(0), Metre(3, 4)), (Fraction(3), Metre(3, 4)))
    score = Score(parse_note_list("C4 D4 E4 F4 G4 A4").parts, metres=metres, pickup=Fraction(1))
    assert [(bar.number, bar.start, bar.length) for bar in score.bars] == [
        (0, Fraction(0), Fraction(1)),
        (1, Fraction(1), Fraction(2)),
        (2, Fraction(3), Fraction(3)),
    ]
    text = write_musicxml(score)
    assert re.findall(r"<measure [^>]*>", text) == [
        '<measure number="0" implicit="yes">',
        '<measure number="1">',
        '<measure number="2">',
    ]
    assert text.count("<time>") == 1


def test_an_empty_score_is_a_bar_of_rest() -> None:
    assert values(write_musicxml(Score(()))) == ["rest bar"]


def test_times_without_a_common_divisor_are_moved_a_little() -> None:
    notes = [Note(Fraction(n, 9973 + 2 * n), Fraction(1, 10007), Pitch.parse("C4")) for n in range(1, 60)]
    text = write_musicxml(Score((Part.of("odd", notes),)))
    divisions = re.search(r"<divisions>(\d+)<", text)
    assert divisions is not None and 20160 % int(divisions[1]) == 0
