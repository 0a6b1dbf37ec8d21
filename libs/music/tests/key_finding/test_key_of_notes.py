"""Keys of voices and of figures: relative minors, Picardy thirds, and signatures without a mode."""

import pytest

from consort_music.key_finding.notes import rank_keys_of_notes, rank_keys_of_score
from consort_music.key_finding.voices import TimedNote
from consort_music.notation.note_list import parse_note_list

VOICES = {
    "minor": (
        "C5:q D5 Eb5:h D5:q C5 B4:h C5:q Ab4 G4 F4 G4:h G4:h",
        "G4:q G4 G4:h F4:q Eb4 G4:h Eb4:q F4 Eb4 D4 D4:h E4:h",
        "Eb4:q B3 C4:h Ab3:q C4 D4:h C4:q C4 C4 C4 B3:h C4:h",
        "C3:q G2 C3:h F3:q Ab3 G3:h C3:q F3 C3 F3 G3:h C3:h",
    ),
    "major": (
        "G4:q A4 B4:h C5:q B4 A4:h G4:q C5 B4 A4 A4:h G4:h",
        "D4:q D4 D4:h E4:q D4 D4:h D4:q E4 D4 E4 F#4:h D4:h",
        "B3:q F#3 G3:h G3:q G3 F#3:h G3:q G3 G3 C4 C4:h B3:h",
        "G2:q D3 G2:h C3:q G3 D3:h B2:q C3 G3 C3 D3:h G2:h",
    ),
}
TONICS = {"minor": (0, -3), "major": (7, 1)}
FIGURE = (
    "C4 Eb4 D4 Eb4 C4 Eb4 D4 Eb4",
    "C4 F4 Eb4 F4 C4 F4 Eb4 F4",
    "B3 F4 Eb4 F4 B3 F4 Eb4 F4",
    "C4 G4 F4 G4 C4 G4 F4 G4",
)
"""The left hand of a prelude in C minor, which states no cadence."""


def voices(mode: str, up: int) -> list[TimedNote]:
    return [
        TimedNote(float(note.start), float(note.end), note.midi + up, number)
        for number, line in enumerate(VOICES[mode])
        for note in parse_note_list(line).parts[0].notes
    ]


@pytest.mark.parametrize("up", range(12))
@pytest.mark.parametrize("mode", VOICES)
def test_the_key_of_four_voices_does_not_depend_on_the_signature(mode: str, up: int) -> None:
    tonic, sharps = TONICS[mode]
    for signature in (None, 0, *(sharps + 7 * up + error for error in (0, 1, -1, 2, -3))):
        found = rank_keys_of_notes(voices(mode, up), None if signature is None else (signature + 6) % 12 - 6)[0]
        assert (found.tonic, found.mode) == ((tonic + up) % 12, mode), signature


def test_a_figure_in_minor_is_not_in_the_relative_major() -> None:
    bars = " ".join(FIGURE).split()
    score = parse_note_list(" ".join(f"{name}:s" for name in (*bars, *bars)))
    assert rank_keys_of_score(score)[0].key.name == "C minor"


def test_silence_has_no_key() -> None:
    assert {guess.score for guess in rank_keys_of_notes([])} == {0.0}
