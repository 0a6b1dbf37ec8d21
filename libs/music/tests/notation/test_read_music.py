"""Detecting the format of a text, and errors that say what to write."""

import base64
import io
import zipfile

import pytest

from consort_music.errors import MusicError
from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import parse_note_list
from consort_music.notation.read_music import detect_format, read_music

XML = write_musicxml(parse_note_list("C4:q D4:q"))


def packed() -> str:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("score.xml", XML)
    return base64.b64encode(archive.getvalue()).decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (XML, "musicxml"),
        ("\ufeff \n<score-partwise>", "musicxml"),
        ("<!DOCTYPE score-partwise>", "musicxml"),
        (packed(), "mxl"),
        ("data:application/vnd.recordare.musicxml;base64," + packed(), "mxl"),
        ("X:1\nK:C\nCDEF", "abc"),
        ("%abc-2.1\n%%pagewidth 5\nX:1", "abc"),
        ("K:C\nCDEF|", "abc"),
        ("C4:q, D4:q", "notes"),
        ("  c#5 D5", "notes"),
        ("R:h C4", "notes"),
        ("R:3/2, C4", "notes"),
        ("R:reel\nX:1", "abc"),
        ('"alto" E4:h\n"bass" C3:h', "notes"),
        ("| Bbb3:qd", "notes"),
        ("B-3", "notes"),
    ],
)
def test_formats_are_detected(text: str, expected: str) -> None:
    assert detect_format(text) == expected


@pytest.mark.parametrize("text", ["hello", "CDEF", "60 62 64", "{}", "tempo 120"])
def test_unknown_formats_are_rejected(text: str) -> None:
    with pytest.raises(MusicError, match="Could not detect the format of") as raised:
        detect_format(text)
    assert raised.value.code == "PARSE_ERROR"


@pytest.mark.parametrize("text", [XML, packed(), "X:1\nM:4/4\nL:1/4\nK:C\nCD", "C4:q D4:q"])
def test_each_format_is_read(text: str) -> None:
    score, warnings = read_music(text)
    assert [note.pitch.name for note in score.parts[0].notes] == ["C4", "D4"]
    assert warnings == []


def test_the_format_may_be_given() -> None:
    assert read_music("CD", "abc")[0].note_count == 2
    with pytest.raises(MusicError, match="'midi' is not a format"):
        read_music("C4", "midi")
    with pytest.raises(MusicError, match="neither MusicXML"):
        read_music("C4", "musicxml")


@pytest.mark.parametrize("form", [None, "abc", "notes", "musicxml"])
def test_empty_text_is_rejected(form: str | None) -> None:
    with pytest.raises(MusicError) as raised:
        read_music(" \n ", form)
    assert raised.value.code == "EMPTY_INPUT"


@pytest.mark.parametrize(
    "text",
    [
        "C4:q D4:q E4:h",
        " melody: Bb3:e C#4:0.5",
        "| g5:h |",
        "R:q C4:q D4:q",
        "C4+E4:q D4:q",
        "C4+E4+G4 D4",
        "C4, D4, E4, G4",
        "C4 D4:h",
    ],
)
def test_a_note_list_is_not_read_as_abc(text: str) -> None:
    with pytest.raises(MusicError, match="note list, not ABC"):
        read_music(text, "abc")


def test_a_repeat_after_a_number_is_abc() -> None:
    assert read_music("|: C4 D4:|", "abc")[0].note_count > 0
    assert read_music("C4:|", "abc")[0].note_count > 0
    assert read_music("C4 D4 E4 G4", "abc")[0].note_count == 4
    assert read_music("X:1\nT:Op4:w\nK:C\nC,4 D4|", "abc")[0].note_count == 2
