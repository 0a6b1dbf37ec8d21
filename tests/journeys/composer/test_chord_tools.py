"""Test realize_chord and realize_progression through the gateway: voicings, voice leading, export, errors."""

from typing import Any

import pytest

from tests.support.servers.studio import Studio


def test_a_chord_is_voiced_and_exported(studio: Studio) -> None:
    made = studio.call("realize_chord", chord_symbol="Dm7b5", voicing_style="drop2", inversion=1, include_musicxml=True)
    assert made["success"] is True and made["warnings"] == []
    assert made["data"]["voicing"]["notes"] == ["F3", "C4", "D4", "Ab4"]
    assert made["data"]["voicing"]["musicxml"].startswith("<?xml")
    assert made["data"]["analysis"]["chord_quality"] == "half_diminished_seventh"
    assert made["note_list"] == "F3+C4+D4+Ab4:w"
    exported = studio.call("compose_export_midi", stream=made["score_id"])
    assert exported["data"]["metadata"]["note_count"] == 4
    led = studio.call("realize_chord", chord_symbol="G7", previous_voicing=made["data"]["voicing"]["notes"])
    assert led["data"]["analysis"]["motion"] <= 6


def test_a_progression_brings_its_symbols_into_a_song(studio: Studio) -> None:
    made = studio.call("realize_progression", chords=["C", "F", "G7", "C"])
    song = {"song_id": studio.call("create_song", tracks={"Keys": "piano"})["song_id"]}
    assert studio.call("add_notes", **song, score_id=made["score_id"], track="Keys")["planned_chords"] == 4
    planned = studio.call("set_chords", **song, chords="C | F G C")
    assert "measure 2" in planned["warnings"][0], "three chords in four beats"
    kept = studio.call("add_notes", **song, score_id=made["score_id"], track="Keys")
    assert "The song kept its chords" in kept["warnings"][0]
    elsewhere = studio.call("add_notes", **song, score_id=made["score_id"], track="Keys", first_bar=5)
    assert elsewhere["planned_chords"] == 4 and "warnings" not in elsewhere
    parts = studio.call("add_notes", **song, score_id=made["score_id"], parts={"1": "Cello"}, first_bar=9)
    assert parts["new_tracks"] == ["Cello: Cello"]


def test_a_guitar_and_a_progression(studio: Studio) -> None:
    guitar = studio.call("realize_chord", chord_symbol="C", instrument="guitar")
    assert guitar["data"]["voicing"]["frets"] == [None, 3, 2, 0, 1, 0]
    assert "musicxml" not in guitar["data"]["voicing"]
    made = studio.call("realize_progression", chords=["C", "F", "G7", "C"], instrument="satb")
    assert [len(chord["notes"]) for chord in made["data"]["chords"]] == [4, 4, 4, 4]
    assert made["data"]["faults"] == []
    assert made["note_list"].count("\n") == 3
    turned = studio.call("transform_phrase", input_stream=made["score_id"], transformation="retrograde", append=False)
    assert turned["success"] is True


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("realize_chord", {"chord_symbol": "Cmja7"}, "INVALID_CHORD_SYMBOL", "chord_symbol"),
        ("realize_chord", {"chord_symbol": "N.C."}, "INVALID_CHORD_SYMBOL", "chord_symbol"),
        ("realize_chord", {"chord_symbol": "C", "bass_note": "H"}, "INVALID_NOTE", "bass_note"),
        (
            "realize_chord",
            {"chord_symbol": "C", "previous_voicing": ["C4", "X4"]},
            "INVALID_NOTE",
            "previous_voicing.1",
        ),
        ("realize_chord", {"chord_symbol": "C", "range_low": "C5", "range_high": "C3"}, "INVALID_RANGE", "range_low"),
        ("realize_chord", {"chord_symbol": "C", "inversion": 3}, "INVALID_INVERSION", "inversion"),
        ("realize_progression", {"chords": ["C", "Gx"]}, "INVALID_CHORD_SYMBOL", "chords.1"),
        ("realize_progression", {"chords": ["C"], "range_low": "C4", "range_high": "D4"}, "INVALID_RANGE", "range_low"),
    ],
)
def test_errors_have_code_and_field(
    studio: Studio, tool: str, arguments: dict[str, Any], code: str, field: str
) -> None:
    error = studio.failed_call(tool, **arguments)
    assert (error["code"], error["field"]) == (code, field), error


def test_a_progression_is_read_by_bars_and_from_a_songs_plan(studio: Studio) -> None:
    made = studio.call("realize_progression", chords="Fmaj7 | Gm7 C7", instrument="satb")
    assert [chord["chord"] for chord in made["data"]["chords"]] == ["Fmaj7", "Gm7", "C7"]
    bass = made["note_list"].splitlines()[-1]
    assert [item.split(":")[1] for item in bass.split()[1:]] == ["w", "h", "h"]
    song_id = studio.call("create_song", time_signature="3/4", tracks={"Keys": "piano"})["song_id"]
    studio.call("add_section", song_id=song_id, name="verse", start_measure=1, end_measure=2)
    studio.call("add_section", song_id=song_id, name="bridge", start_measure=3, end_measure=4)
    studio.call("set_chords", song_id=song_id, chords="F | C7 | Bb | F")
    planned = studio.call("realize_progression", song_id=song_id, section="bridge")
    same = studio.call("realize_progression", chords=song_id, section="bridge")
    assert same["note_list"] == planned["note_list"]
    assert [chord["chord"] for chord in planned["data"]["chords"]] == ["Bb", "F"]
    assert {item.split(":")[1] for item in planned["note_list"].split()} == {"hd"}
    _, rejected = studio.try_call("realize_progression", song_id=song_id, section="coda")
    assert rejected["error"]["field"] == "section" and rejected["error"]["suggestions"][:2] == ["verse", "bridge"]
