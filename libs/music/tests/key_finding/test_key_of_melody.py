"""Keys of melodies that sound alone: church modes, wrong signatures, and tunes that do not begin on the tonic."""

import pytest

from consort_music.key_finding.melody import MelodyNote, rank_keys_of_melody
from consort_music.key_finding.notes import rank_keys_of_notes
from consort_music.key_finding.voices import TimedNote
from consort_music.metre import DOWNBEAT, OFFBEAT
from consort_music.notation.note_list import parse_note_list

TUNES = {
    "dorian": (
        "A4:q D5 D5 E5 F5 G5 A5 F5 D5 E5:h C5:q A4 B4 C5 A4 G4 A4 B4 C5 D5 E5 D5 C5 A4 B4:h C5:q D5:h",
        2,
        "minor",
    ),
    "mixolydian": ("G4:q B4 D5 D5 E5 D5 B4 G4 F4 A4 C5 A4 G4 B4 D5 B4 C5 B4 A4 F4 G4:h G4:h", 7, "major"),
    "harmonic minor": ("E4:q A4 B4 C5 B4 A4 G#4 A4 B4 E4:h A4:q C5 E5 D5 C5 B4 A4 G#4 A4:w", 9, "minor"),
    "major from the third": (
        "E4:q E4 F4 G4 G4 F4 E4 D4 C4 C4 D4 E4 E4:qd D4:e D4:h D4:q E4 C4 D4 E4 D4 C4:h",
        0,
        "major",
    ),
}


def melody(text: str, up: int = 0) -> list[MelodyNote]:
    notes = parse_note_list(text).parts[0].notes
    return [MelodyNote(float(note.start), float(note.end), note.midi + up) for note in notes]


@pytest.mark.parametrize("up", [0, 1, 5, 10])
@pytest.mark.parametrize("name", TUNES)
def test_a_mode_is_major_or_minor_by_its_third_with_any_signature(name: str, up: int) -> None:
    text, tonic, mode = TUNES[name]
    for sharps in (None, 0, 2, -3):
        found = rank_keys_of_melody(melody(text, up), sharps)[0]
        assert (found.tonic, found.mode) == ((tonic + up) % 12, mode), sharps


def test_a_signature_decides_where_the_notes_leave_it_open() -> None:
    notes = melody("D4:q E4 G4 A4 G4 E4 D4 E4")
    scores = {
        sharps: {guess.key.name: guess.score for guess in rank_keys_of_melody(notes, sharps)} for sharps in (0, 2)
    }
    assert scores[2]["D major"] - scores[2]["C major"] > scores[0]["D major"] - scores[0]["C major"]


def test_all_keys_are_ranked_once() -> None:
    found = rank_keys_of_melody(melody("C4:q"))
    assert len({(guess.tonic, guess.mode) for guess in found}) == 24
    assert [guess.score for guess in found] == sorted((guess.score for guess in found), reverse=True)


def test_notes_that_hardly_overlap_are_a_melody() -> None:
    notes = melody(TUNES["dorian"][0])
    legato = [TimedNote(note.start, note.end + 0.05, note.midi) for note in notes]
    plain = [TimedNote(note.start, note.end, note.midi) for note in notes]
    assert rank_keys_of_notes(plain) == rank_keys_of_melody(notes)
    assert rank_keys_of_notes(legato)[0].key.name == "D minor"


def test_notes_on_beats_speak_for_the_key() -> None:
    """The notes are those of C major and A minor; the notes on beats are those of one of the two triads."""
    notes = melody("E4:q D4 C4 B4 A4 B4 C5 D5 E5 D5 C5 G4 A4 G4 E4:h")

    def lead_of_minor(tones: set[int]) -> float:
        stressed = [note._replace(strength=DOWNBEAT if note.midi % 12 in tones else OFFBEAT) for note in notes]
        scores = {guess.key.name: guess.score for guess in rank_keys_of_melody(stressed)}
        return scores["A minor"] - scores["C major"]

    assert lead_of_minor({9, 0, 4}) > lead_of_minor({0, 4, 7})


def test_a_long_note_at_the_end_of_the_first_half_speaks_for_the_key() -> None:
    """The two melodies have the same notes: the long ones are exchanged."""
    leads = []
    for early, middle in (("C5", "A4"), ("A4", "C5")):
        notes = melody(
            f"E4:h {early}:w E4:h D4:h C4:h D4:h E4:h {middle}:w E4:h D4:h C4:h D4:h E4:h G4:h E4:h D4:h E4:h"
        )
        scores = {guess.key.name: guess.score for guess in rank_keys_of_melody(notes)}
        leads.append(scores["A minor"] - scores["C major"])
    assert leads[0] > leads[1] + 0.1
