"""Keys of voices: endings on the dominant, Picardy thirds, excerpts, performed endings, and order of the evidence."""

import pytest

from consort_music.key_finding.notes import rank_keys_of_notes
from consort_music.key_finding.voices import VOICE_TABLES, TimedNote, rank_keys_of_voices, voice_evidence
from consort_music.notation.note_list import parse_note_list

OPENING = (
    "E5:q F5 E5 D5 C5 B4 C5:h",
    "C5:q D5 C5 A4 A4 G#4 A4:h",
    "A4:q A4 G4 F4 E4 E4 E4:h",
    "A3:q D3 E3 F3 A3 E3 A3:h",
)
"""A phrase in A minor with an authentic cadence."""
HALF_CADENCE = ("C5:q D5 C5 B4:h", "A4:q A4 A4 G#4:h", "E4:q F4 E4 E4:h", "A3:q D4 A3 E3:h")
PICARDY = ("C5:q B4 B4 A4:h", "A4:q A4 G#4 E4:h", "E4:q F4 E4 C#4:h", "A3:q D4 E3 A3:h")
"""Endings of the phrase: on the dominant, and on the tonic with a major third."""


def voices(*phrases: tuple[str, ...], up: int = 0) -> list[TimedNote]:
    return [
        TimedNote(float(note.start), float(note.end), note.midi + up, number)
        for number, lines in enumerate(zip(*phrases, strict=True))
        for note in parse_note_list(" ".join(lines)).parts[0].notes
    ]


@pytest.mark.parametrize("up", [0, 3, 8])
@pytest.mark.parametrize("sharps", [None, 0, 3, -4])
@pytest.mark.parametrize("end", [HALF_CADENCE, PICARDY], ids=["half cadence", "Picardy third"])
def test_minor_with_a_major_last_chord_is_minor(end: tuple[str, ...], sharps: int | None, up: int) -> None:
    found = rank_keys_of_voices(voices(OPENING, end, up=up), sharps)[0]
    assert (found.tonic, found.mode) == ((9 + up) % 12, "minor")


def test_a_phrase_that_closes_elsewhere_does_not_change_the_key() -> None:
    """The piece ends after a phrase in the relative major, as an excerpt may."""
    relative = ("G4:q A4 B4 C5:h", "E4:q F4 F4 E4:h", "C4:q C4 D4 C4:h", "C4:q A3 G3 C3:h")
    found = rank_keys_of_voices(voices(OPENING, HALF_CADENCE, OPENING, relative))
    assert found[0].key.name == "A minor"
    assert rank_keys_of_voices(voices(relative, relative))[0].key.name == "C major"


def test_a_last_chord_need_not_end_exactly_together() -> None:
    together = voices(OPENING, PICARDY)
    end = max(note.end for note in together)
    ragged = [note._replace(end=note.end - 0.01 * note.voice) if note.end == end else note for note in together]
    last_chords = [
        [table for name, table in zip(VOICE_TABLES, voice_evidence(notes).tables, strict=True) if "last chord" in name]
        for notes in (together, ragged)
    ]
    assert last_chords[0] == last_chords[1]
    assert rank_keys_of_voices(ragged)[0].key.name == "A minor"


def test_all_keys_are_ranked_once_and_parts_may_come_in_any_order() -> None:
    notes = voices(OPENING, HALF_CADENCE)
    found = rank_keys_of_notes(notes)
    assert found == rank_keys_of_notes(notes[::-1])
    assert len({(guess.tonic, guess.mode) for guess in found}) == 24
    assert [guess.score for guess in found] == sorted((guess.score for guess in found), reverse=True)
