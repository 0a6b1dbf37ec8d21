"""Detect the notation of a text, and make a file from each notation."""

import pytest

from consort_midi_store.files.file_summary import summarize_bytes
from consort_midi_store.midi_text.text_to_midi import MidiFromText, detect_notation, text_to_midi
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
def test_the_notation_is_detected(text: str, notation: str) -> None:
    assert detect_notation(text) == notation


def convert(text: str) -> MidiFromText:
    return text_to_midi(text, 10_000)


def notes_of(content: bytes | None) -> list[tuple[int, int, int]]:
    assert content is not None
    file = read_midi(content)
    return [(note.start, note.end, note.pitch) for track in file.tracks for note in pair_notes(track).notes]


def test_each_line_of_a_note_list_is_a_track() -> None:
    made = convert('"top" C4:q E4:q\n"low" C3:h')
    assert made.tracks == 2 and made.errors == []
    assert notes_of(made.content) == [(0, 480, 60), (480, 960, 64), (0, 960, 48)]
    assert made.warnings == [
        "No tempo specified, defaulting to 120",
        "No time signature specified, defaulting to 4/4",
    ]


def test_all_errors_of_a_note_list_are_reported() -> None:
    made = convert("C4:q D4:x\n\nH4:q\nE4:h")
    assert [error.partition(": ")[0] for error in made.errors] == [
        "Invalid note at line 1, column 6",
        "Invalid note at line 3, column 1",
    ]
    assert made.content is None


def test_music_that_is_left_out_gives_warnings() -> None:
    made = convert("X:1\nQ:1/4=90\nL:1/4\nK:G\n{a}F :|")
    assert notes_of(made.content) == [(0, 480, 66)]
    assert made.warnings == [
        "1 grace note was left out (measure 1).",
        "Repeats and endings were not played out: each bar comes once.",
    ]


def test_a_note_inside_a_longer_one_of_the_same_pitch_gives_a_warning() -> None:
    text = "tempo 120\ntime 4/4\ntrack Lead piano\nC4 80 0 {}\nC4 80 1 1\nE4 80 0 4\n"
    assert convert(text.format(2)).warnings == []
    assert convert(text.format(3)).warnings == [
        "Track 'Lead' has 1 note inside a longer one of the same pitch, and a MIDI file ends the earlier note first."
        " Shorten the longer one, or use two tracks."
    ]


def test_the_summary_is_that_of_the_written_file() -> None:
    made = convert("tempo 90\ntime 3/4\ntrack Lead piano\nC4 80 0 3\nE4 80\n")
    assert made.content is not None
    assert made.summary == summarize_bytes(made.content, 10_000)


def test_a_file_that_would_be_too_large_is_an_error() -> None:
    made = text_to_midi("tempo 90\nC4 80\n", 20)
    assert made.content is None and made.summary is None and len(made.errors) == 1
