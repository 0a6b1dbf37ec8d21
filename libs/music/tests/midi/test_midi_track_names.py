"""Track names: decoded from any encoding, and used to find tracks."""

import pytest

from consort_music.errors import MusicError
from consort_music.midi.model import Event, MidiFile
from consort_music.midi.summary import summarize
from consort_music.midi.track_names import decode_name, find_tracks, track_name
from consort_music.piano_roll import draw_piano_roll


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("ピアノ".encode(), "ピアノ"),
        ("Flöte".encode("latin-1"), "Flöte"),
        ("Général \u2014 It\u2019s".encode("cp1252"), "Général \u2014 It\u2019s"),
        (b"Fl\x81\xf6te", "Flöte"),
        ("ピアニカ1".encode("cp932"), "ピアニカ1"),
        ("右手".encode("cp932"), "右手"),
        ("のだめ ﾋﾟｱﾉ".encode("cp932") * 200, ("のだめ ﾋﾟｱﾉ" * 200)[:200] + "…"),
        (b"  Bass\x00\x1b[31m\r\n line ", "Bass[31m line"),
        ("a\u202eb\u200bc\u2028d".encode(), "abc d"),
        (b"\x00\x01", ""),
        (b"x" * 200, "x" * 200),
        (b"x" * 201, "x" * 200 + "…"),
        ("é".encode() * 5000, "é" * 200 + "…"),
        (b"a" + "é".encode() * 5000, "a" + "é" * 199 + "…"),
    ],
)
def test_names_are_one_clean_line(raw: bytes, name: str) -> None:
    assert decode_name(raw) == name


def named(*names: bytes) -> list[Event]:
    return [*((0, 0xFF, b"\x03" + name) for name in names), (0, 0x90, b"\x3c\x40"), (9, 0xFF, b"\x2f")]


def test_the_name_is_the_first_one_with_visible_text() -> None:
    track = named(b"", b" \x00", b"Lead", b"Bass")
    assert track_name(track) == "Lead"
    assert summarize(MidiFile(1, 96, [track])).tracks[0].name == "Lead"
    assert "Lead" in draw_piano_roll(MidiFile(1, 96, [[(0, 0xFF, b"\x2f")], track]))
    assert track_name(named()) == ""


def test_tracks_are_found_by_number_or_name() -> None:
    names = ["", "Piano", "piano", "12", "Bass  Guitar", "Fl\u00f6te"]
    assert find_tracks(names, ["PIANO", 4]) == [1, 2, 4]
    assert find_tracks(names, [" bass guitar "]) == [4]
    assert find_tracks(names, ["fl\u00f6te"]) == find_tracks(names, ["FLO\u0308TE"]) == [5]
    assert find_tracks(names, ["12", "0"]) == [0, 3], "digits are a name first"
    assert find_tracks(names, []) == []


@pytest.mark.parametrize("unknown", ["", "violin", "9", 9, -1, 12, "\u0661", "x" * 1000])
def test_an_unknown_track_is_rejected_with_the_known_ones(unknown: int | str) -> None:
    with pytest.raises(MusicError) as raised:
        find_tracks(["", "Piano", "Bass"], [unknown], "solo")
    assert (raised.value.code, raised.value.field) == ("UNKNOWN_TRACK", "solo")
    assert raised.value.message.endswith("give a number, 0 to 2, or a name: Piano, Bass.")
    assert len(raised.value.message) < 200
    assert raised.value.suggestions == ["0 to 2", "Piano", "Bass"]


def test_without_names_the_numbers_are_suggested() -> None:
    with pytest.raises(MusicError, match=r"give a number, 0\.$"):
        find_tracks([""], ["Piano"])
