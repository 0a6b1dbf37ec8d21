"""Which notation a text is in, and the files that each makes."""

import pytest

from consort_midi_store.text.notations import compile_music, notation_of
from consort_music.midi.notes import pair_notes
from consort_music.midi.reader import read_midi


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("tempo 120\nC4 80", "midi_text"),
        ("C4 80\nD4 80", "midi_text"),
        ("# a tune\n\nC4 80 0 1", "midi_text"),
        ("C4\ntrack Lead piano", "midi_text"),
        ("60 80", "midi_text"),
        ("", "midi_text"),
        ("nonsense", "midi_text"),
        ("C4 D4 E4", "notes"),
        ("C4:q, D4:q", "notes"),
        ("C4", "notes"),
        ("X:1\nK:C\nC", "abc"),
        ("%abc-2.1\nX:1\nK:C\nC", "abc"),
        ("<score-partwise/>", "musicxml"),
        ("UEsDBBQAAAAIA", "mxl"),
    ],
)
def test_detection(text: str, notation: str) -> None:
    assert notation_of(text) == notation


def notes_of(content: bytes | None) -> list[tuple[int, int, int]]:
    assert content is not None
    file = read_midi(content)
    return [(note.start, note.end, note.pitch) for track in file.tracks for note in pair_notes(track).notes]


def test_named_lines_of_a_note_list_are_parts() -> None:
    compiled = compile_music('"top" C4:q E4:q\n"low" C3:h')
    assert compiled.tracks == 2 and compiled.errors == []
    assert notes_of(compiled.content) == [(0, 480, 60), (480, 960, 64), (0, 960, 48)]
    assert compiled.warnings == [
        "No tempo specified, defaulting to 120",
        "No time signature specified, defaulting to 4/4",
    ]


def test_all_mistakes_of_a_note_list() -> None:
    compiled = compile_music("C4:q D4:x\n\nH4:q\nE4:h")
    assert [error.partition(": ")[0] for error in compiled.errors] == [
        "Invalid note at line 1, column 6",
        "Invalid note at line 3, column 1",
    ]
    assert compiled.content is None


def test_what_a_reader_leaves_out_is_a_warning() -> None:
    compiled = compile_music("X:1\nQ:1/4=90\nL:1/4\nK:G\n{a}F :|")
    assert notes_of(compiled.content) == [(0, 480, 66)]
    assert compiled.warnings == [
        "1 grace note was left out (measure 1).",
        "Repeats and endings were not played out: each bar comes once.",
    ]


def test_notes_within_a_longer_one_of_their_pitch_are_told() -> None:
    text = "tempo 120\ntime 4/4\ntrack Lead piano\nC4 80 0 {}\nC4 80 1 1\nE4 80 0 4\n"
    assert compile_music(text.format(2)).warnings == []
    assert compile_music(text.format(3)).warnings == [
        "Track 'Lead' has 1 note inside a longer one of the same pitch, and a MIDI file ends the earlier note first."
        " Shorten the longer one, or use two tracks."
    ]
