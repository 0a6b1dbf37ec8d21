"""Test the independent checker of counterpoint: it accepts correct voices and finds each fault."""

from fractions import Fraction

import pytest

from evaluation.checkers.counterpoint import CheckedNote, downbeat_parallels, faults

C_MAJOR = [(0, 0), (1, 2), (2, 4), (3, 5), (4, 7), (5, 9), (6, 11)]
D_DORIAN = [(1, 2), (2, 4), (3, 5), (4, 7), (5, 9), (6, 11), (0, 0)]


def sung(text: str) -> list[CheckedNote]:
    """Read notes such as `C4/4 R/2 C#5/2`: name, octave, and length in quarters after the slash. R is a rest."""
    notes, at = [], Fraction(0)
    for word in text.split():
        name, _, length = word.partition("/")
        if name != "R":
            letter, octave = "CDEFGAB".index(name[0]), int(name[-1])
            midi = 12 * (octave + 1) + (0, 2, 4, 5, 7, 9, 11)[letter] + name.count("#") - name.count("b")
            notes.append(CheckedNote(at, Fraction(length), midi, 7 * octave + letter))
        at += Fraction(length)
    return notes


def whole(text: str) -> list[CheckedNote]:
    """Read note names such as `C4 D4` as whole notes."""
    return sung(" ".join(f"{name}/4" for name in text.split()))


def found(species: int, cantus: str, voice: str, scale: list[tuple[int, int]] = C_MAJOR) -> list[str]:
    above = whole(cantus)[0].midi <= sung(voice)[0].midi
    return faults(species, whole(cantus), sung(voice), above, scale, 36, 96)


CORRECT_VOICES = [
    (1, "C4 D4 E4 F4 D4 C4", "C5/4 B4/4 G4/4 A4/4 B4/4 C5/4", C_MAJOR),
    (1, "D4 F4 E4 D4", "A4/4 A4/4 C#5/4 D5/4", D_DORIAN),
    (2, "C4 E4 D4 C4", "R/2 G4/2 C5/2 G4/2 A4/2 B4/2 C5/4", C_MAJOR),
    (3, "C4 D4 C4", "C5/1 B4/1 A4/1 G4/1 F4/1 G4/1 A4/1 B4/1 C5/4", C_MAJOR),
    (4, "C4 E4 D4 C4", "R/2 G4/4 C5/4 B4/2 C5/4", C_MAJOR),
]


@pytest.mark.parametrize(("species", "cantus", "voice", "scale"), CORRECT_VOICES)
def test_correct_voices_have_no_faults(species: int, cantus: str, voice: str, scale: list[tuple[int, int]]) -> None:
    assert found(species, cantus, voice, scale) == []


@pytest.mark.parametrize(
    ("species", "cantus", "voice", "fault"),
    [
        (1, "C4 D4 C4", "G4/4 A4/4 C5/4", "parallel fifths at 4"),
        (1, "C4 E4 D4 C4", "C5/4 E5/4 B4/4 C5/4", "parallel octaves at 4"),
        (1, "E4 C4 D4 C4", "B4/4 G4/4 B4/4 C5/4", "parallel fifths at 4"),
        (1, "C4 A3 D4 C4", "C5/4 E4/4 B4/4 C5/4", "direct fifth at 4"),
        (1, "C4 F4 D4 C4", "C5/4 B4/4 B4/4 C5/4", "dissonance at 4"),
        (1, "C4 E4 D4 C4", "G4/4 C4/4 B4/4 C5/4", "voices cross at 4"),
        (1, "C4 G4 D4 C4", "C5/4 G4/4 B4/4 C5/4", "unison at 4"),
        (1, "C4 D4 D4 C4", "C5/4 F4/4 B4/4 C5/4", "melodic interval of 4 letters, 6 semitones at 8"),
        (1, "C4 A4 F4 D4 C4", "C5/4 C5/4 C5/4 B4/4 C5/4", "repeated note at 8"),
        (1, "C4 E4 C4 D4 C4", "C4/4 C5/4 E5/4 B4/4 C5/4", "leap without recovery at 4"),
        (1, "C4 D4 E4 D4 C4", "E4/4 F4/4 G4/4 B4/4 C5/4", "begins on no perfect consonance at 0"),
        (1, "C4 E4 D4 C4", "C5/4 G4/4 A4/4 C5/4", "no step into the last note at 8"),
        (1, "C4 E4 F4 D4 C4", "C5/4 G4/4 A4/4 B4/4 E5/4", "ends on no octave or unison at 16"),
        (1, "D4 E4 D4", "D5/4 C5/4 D5/4", "no proper cadence at 4"),
        (1, "C4 D4 C4", "C5/4 B4/2 G4/2 C5/4", "not note against note"),
        (2, "C4 D4 C4", "R/2 C5/2 A4/2 G4/2 C5/4", "dissonance at 6"),
        (3, "C4 D4 C4", "C5/1 A4/1 F4/1 G4/1 F4/1 G4/1 A4/1 B4/1 C5/4", "dissonance at 2"),
        (1, "C4 D4 A4 G4 C4", "C5/4 F4/4 C5/4 B4/4 C5/4", "overlap at 8"),
        (1, "C4 E4 D4 D4 C4", "E4/4 G4/4 B4/4 B4/4 C5/4", "two leaps in one direction at 4"),
        (4, "C4 F4 D4 C4", "R/2 G4/4 B4/4 B4/2 C5/4", "not a suspension at 4"),
    ],
)
def test_each_fault_is_found(species: int, cantus: str, voice: str, fault: str) -> None:
    assert fault in found(species, cantus, voice)


def test_tritones_between_turning_points_are_found() -> None:
    assert "tritone outlined up to 12" in found(1, "C4 D4 E4 D4 C4", "C5/4 F4/4 G4/4 B4/4 A4/4")


def test_foreign_tones_are_found_except_in_the_cadence() -> None:
    assert "73 at 4 is not in the mode" in found(1, "D4 E4 F4 E4 D4", "D5/4 C#5/4 D5/4 C#5/4 D5/4", D_DORIAN)
    assert not any("mode" in fault for fault in found(1, "D4 F4 E4 D4", "A4/4 A4/4 C#5/4 D5/4", D_DORIAN))


def test_fifths_on_successive_downbeats_are_found() -> None:
    cantus = whole("C4 D4 E4 C4")
    found = downbeat_parallels(cantus, sung("G4/2 F4/2 A4/2 G4/2 B4/2 A4/2 G4/4"))
    assert found == [f"fifths on two downbeats at {moment}" for moment in (4, 8, 12)]
    assert downbeat_parallels(cantus, sung("G4/2 A4/2 B4/2 A4/2 G4/2 A4/2 C5/4")) == []
