"""Chords, numerals and cadences of given music, on textbook examples and on chorales that people have analysed."""

import re
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

from consort_compose.composer.harmony.analysis import Analysis, analyze_harmony
from consort_compose.composer.tonality import harmonic_key, modal_key
from consort_music.keys import parse_key
from consort_music.notation.detect import read_music
from consort_music.note_list import parse_note_list
from consort_music.pitch import Pitch
from consort_music.score import Note, Part, Score

VOICES = ("soprano", "alto", "tenor", "bass")


def chorale(*chords: str) -> Score:
    """Four voices, a chord a quarter, written from the soprano down; the last lasts two."""
    lines: list[list[Note]] = [[] for _ in VOICES]
    for index, chord in enumerate(chords):
        length = Fraction(2 if index == len(chords) - 1 else 1)
        for line, name in zip(lines, chord.split(), strict=True):
            line.append(Note(Fraction(index), length, Pitch.parse(name)))
    return Score(tuple(Part.of(name, line) for name, line in zip(VOICES, lines, strict=True)))


def analysed(score: Score, key: str, **wishes: str) -> Analysis:
    return analyze_harmony(score, parse_key(key), **wishes)  # type: ignore[arg-type]


def test_numerals_inversions_and_functions() -> None:
    music = chorale(
        "E5 G4 C4 C3", "F5 A4 C4 F3", "D5 G4 B3 F3", "C5 G4 C4 E3", "D5 A4 F4 F3", "D5 G4 B3 G2", "C5 G4 E4 C3"
    )
    found = analysed(music, "C major")
    assert [chord.numeral for chord in found.chords] == ["I", "IV", "V4/2", "I6", "ii6", "V", "I"]
    assert [chord.symbol.name for chord in found.chords] == ["C", "F", "G7/F", "C/E", "Dm/F", "G", "C"]
    assert [chord.function for chord in found.chords] == ["T", "S", "D", "T", "S", "D", "T"]
    assert [(cadence.kind, cadence.numerals) for cadence in found.cadences] == [("perfect", ("V", "I"))]
    assert not found.is_implied


def test_applied_chords() -> None:
    music = chorale("C5 G4 E4 C3", "C5 A4 F#4 D3", "B4 G4 D4 G3", "A4 F#4 C4 D#3", "G4 E4 B3 E3", "G4 D4 B3 G2")
    found = analysed(music, "C major")
    assert [chord.numeral for chord in found.chords] == ["I", "V7/V", "V", "viio7/iii", "iii", "V"]
    assert found.chords[1].function == "D"


def test_minor() -> None:
    music = chorale("A4 E4 C4 A2", "B4 F4 D4 D3", "B4 E4 G#3 E3", "C5 E4 A3 F3", "B4 F4 D4 G#2", "C5 E4 A3 A2")
    found = analysed(music, "A minor")
    assert [chord.numeral for chord in found.chords] == ["i", "iio6", "V", "VImaj7", "viio7", "i"]
    assert found.cadences[-1].kind == "imperfect"


@pytest.mark.parametrize(
    ("chords", "kind"),
    [
        (("C5 G4 E4 C3", "C5 A4 F4 F3", "C5 G4 E4 C3"), "plagal"),
        (("C5 G4 E4 C3", "D5 A4 F4 D3", "D5 G4 B3 G2"), "half"),
        (("C5 G4 E4 C3", "B4 G4 D4 G3", "C5 E4 C4 A3"), "deceptive"),
        (("C5 G4 E4 C3", "D5 G4 B3 G3", "E5 G4 C4 C3"), "imperfect"),
    ],
)
def test_cadences(chords: tuple[str, ...], kind: str) -> None:
    assert [cadence.kind for cadence in analysed(chorale(*chords), "C major").cadences] == [kind]


def test_broken_chords_are_heard_bar_by_bar() -> None:
    melody = Part.of(
        "melody", [Note(Fraction(4 * bar), Fraction(4), Pitch.parse(top)) for bar, top in enumerate(("E5", "D5", "C5"))]
    )
    broken = [Note(Fraction(4 * bar + step), Fraction(1), Pitch.parse(name))
              for bar, names in enumerate(("C3 E4 G4 E4", "G2 F4 B4 F4", "C3 E4 G4 E4"))
              for step, name in enumerate(names.split())]  # fmt: skip
    found = analysed(Score((melody, Part.of("piano", broken))), "C major", rhythm="per_measure")
    assert [chord.numeral for chord in found.chords] == ["I", "V7", "I"]


def test_a_melody_alone_has_likely_chords() -> None:
    found = analysed(parse_note_list("C4:q E4:q G4:q E4:q F4:q D4:q B3:q G3:q C4:w"), "C major", rhythm="per_measure")
    assert found.is_implied
    assert found.chords[0].numeral == "I" and found.chords[-1].numeral == "I"


@pytest.mark.parametrize("number", ["001", "003", "010"])
def test_people_hear_the_same_roots(number: str) -> None:
    """Against analyses in music21's corpus: at least nine of ten beats have the root that the analyst wrote."""
    from music21 import corpus
    from music21.roman import RomanNumeral

    paths = [Path(path) for path in corpus.getComposer("bach")]
    text = next(path for path in paths if path.name == f"riemenschneider{number}.rntxt")
    work = re.search(r"BWV: *([\d.]+)", text.read_text())
    assert work is not None
    scanned = next(path for path in paths if path.stem == f"bwv{work[1]}")
    with zipfile.ZipFile(scanned) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".xml") and "META" not in name)
        score, _ = read_music(archive.read(name).decode(), None)
    written = corpus.parse(text)
    wanted = [(Fraction(numeral.getOffsetInHierarchy(written)), numeral.root().pitchClass)
              for numeral in written.recurse().getElementsByClass(RomanNumeral)]  # fmt: skip
    found = analyze_harmony(score, harmonic_key(score)).chords
    same = total = 0
    for beat in range(int(score.length)):
        heard = [chord.symbol.root_pitch_class for chord in found if chord.start <= beat < chord.end]
        analyst = [root for start, root in wanted if start <= beat]
        if heard and analyst:
            total += 1
            same += heard[0] == analyst[-1]
    assert same / total >= 0.88


@pytest.mark.parametrize(
    ("text", "key", "mode"),
    [
        ("A4:q B4 C5 D5 E5 D5 C5 B4 A4:w", "A minor", "A minor"),
        ("D4:q E4 F4 G4 A4 B4 C5 A4 G4 F4 E4 C4 D4:w", "D minor", "D dorian"),
        ("G4:q A4 B4 C5 D5 E5 F5 D5 B4 A4 F4 A4 G4:w", "G major", "G mixolydian"),
        ("C4:q E4 G4 C5 B4 A4 G4 F4 E4 D4 B3 D4 C4:w", "C major", "C major"),
    ],
)
def test_keys_and_modes_are_found(text: str, key: str, mode: str) -> None:
    score = parse_note_list(text)
    assert harmonic_key(score).name == key
    assert modal_key(score).name == mode


def test_a_signature_without_a_mode_may_be_minor() -> None:
    from dataclasses import replace

    score = replace(parse_note_list("A4:q B4 C5 E5 D5 C5 B4 G#4 A4:w"), keys=((Fraction(0), parse_key("C major")),))
    assert harmonic_key(score).name == "A minor"
    ends_at_home = replace(parse_note_list("A4:q B4 C5 E5 D5 C5 B4 D5 C5:w"), keys=score.keys)
    assert harmonic_key(ends_at_home).name == "C major"
