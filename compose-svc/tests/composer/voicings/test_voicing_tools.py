"""The results and errors of realize_chord and realize_progression, without HTTP."""

from typing import Any

import pytest
from music21 import converter
from pydantic import ValidationError

from consort_compose.composer.voicings.models import RealizeChord, RealizeProgression
from consort_compose.composer.voicings.service import voice_chord, voice_progression
from consort_music.chords.grammar import parse_chord
from consort_music.errors import MusicError
from consort_music.notation.note_list import format_note_list, parse_note_list


def realized(**body: Any) -> dict[str, Any]:
    data, _, warnings = voice_chord(RealizeChord(**body))
    return {**data.model_dump(), "warnings": [warning.code for warning in warnings]}


def test_the_fields_of_a_realized_chord() -> None:
    answer = realized(chord_symbol="Cmaj7", voicing_style="drop2", inversion=1)
    assert answer["voicing"]["notes"] == ["E3", "B3", "C4", "G4"]
    assert answer["voicing"]["midi_pitches"] == [52, 59, 60, 67]
    assert answer["analysis"] == {
        "chord": "Cmaj7",
        "chord_quality": "major_seventh",
        "voicing_style": "drop2",
        "inversion": 1,
        "intervals_from_bass": ["P5", "m6", "m10"],
        "left_out": [],
        "motion": None,
    }
    assert {other["style"] for other in answer["alternatives"]} == {"close", "open", "drop3", "quartal"}
    assert answer["warnings"] == []


@pytest.mark.parametrize("instrument", ["piano", "guitar", "satb", "strings"])
def test_musicxml_has_the_same_notes(instrument: str) -> None:
    data, score, _ = voice_chord(RealizeChord(chord_symbol="Ebm7b5", instrument=instrument, include_musicxml=True))
    assert data.voicing.musicxml is not None
    read = converter.parse(data.voicing.musicxml, format="musicxml")
    played = [chord for chord in read.recurse().notes if "ChordSymbol" not in chord.classSet]
    sounding = sorted(pitch.midi for chord in played for pitch in chord.pitches)
    assert sounding == data.voicing.midi_pitches
    again = parse_note_list(format_note_list(score))
    assert sorted(note.midi for part in again.parts for note in part.notes) == data.voicing.midi_pitches


def test_musicxml_is_left_out_by_default() -> None:
    assert realized(chord_symbol="C")["voicing"]["musicxml"] is None


def test_a_guitar_voicing_has_frets() -> None:
    answer = realized(chord_symbol="F", instrument="guitar")
    assert answer["voicing"]["frets"] == [1, 3, 3, 2, 1, 1]
    assert answer["voicing"]["barre"] == 1
    assert all(other["frets"] for other in answer["alternatives"])


def test_a_string_voicing_has_players() -> None:
    players = realized(chord_symbol="G7", instrument="strings")["voicing"]["players"]
    assert list(players) == ["cello", "viola", "violin 2", "violin 1"]
    low = realized(chord_symbol="C", voicing_style="close", instrument="strings", range_high="D4")["voicing"]
    assert max(low["midi_pitches"]) <= 62
    assert sum(len(notes) for notes in low["players"].values()) == len(low["notes"])


def test_the_voicing_moves_little_from_the_previous_one() -> None:
    answer = realized(chord_symbol="F", previous_voicing=["C4", "E4", "G4"])
    assert answer["voicing"]["notes"] == ["C4", "F4", "A4"]
    assert answer["analysis"]["motion"] == 3


def test_bass_note_and_inversion() -> None:
    answer = realized(chord_symbol="C", bass_note="Bb", inversion=1)
    assert answer["voicing"]["notes"][0] == "Bb3"
    assert answer["analysis"]["inversion"] is None
    assert answer["warnings"] == ["CONSTRAINT_RELAXED"]
    assert realized(chord_symbol="C/E")["analysis"]["inversion"] == 1
    assert realized(chord_symbol="C/E", inversion=1)["warnings"] == []
    assert realized(chord_symbol="C/E", inversion=2)["warnings"] == ["CONSTRAINT_RELAXED"]


def test_a_style_that_a_chord_cannot_have_is_a_warning() -> None:
    answer = realized(chord_symbol="C5", voicing_style="drop2")
    assert answer["warnings"] == ["CONSTRAINT_RELAXED"]
    assert answer["analysis"]["voicing_style"] == "close"


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"chord_symbol": "C", "range_low": "C5", "range_high": "C4"}, "INVALID_RANGE", "range_low"),
        ({"chord_symbol": "C", "range_low": "C4", "range_high": "D4"}, "INVALID_RANGE", "range_low"),
        ({"chord_symbol": "C", "inversion": 3}, "INVALID_INVERSION", "inversion"),
        ({"chord_symbol": "N.C."}, "INVALID_CHORD_SYMBOL", "chord_symbol"),
    ],
)
def test_errors_of_the_engine(body: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(MusicError) as caught:
        voice_chord(RealizeChord(**body))
    assert (caught.value.code, caught.value.field) == (code, field)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"chord_symbol": "Xmaj7"}, "INVALID_CHORD_SYMBOL"),
        ({"chord_symbol": "C", "bass_note": "E2"}, "INVALID_NOTE"),
        ({"chord_symbol": "C", "bass_note": "H"}, "INVALID_NOTE"),
        ({"chord_symbol": "C", "range_low": "X4"}, "INVALID_NOTE"),
        ({"chord_symbol": "C", "previous_voicing": ["C4", "Q4"]}, "INVALID_NOTE"),
    ],
)
def test_errors_of_the_input_fields(body: dict[str, Any], code: str) -> None:
    with pytest.raises(ValidationError) as caught:
        RealizeChord(**body)
    assert [error["type"] for error in caught.value.errors()] == [code]


@pytest.mark.parametrize("text", ["7", "C4 1\n" * 5000])
def test_an_error_about_the_bass_is_short(text: str) -> None:
    with pytest.raises(ValidationError) as caught:
        RealizeChord(chord_symbol="C", bass_note=text)
    [error] = caught.value.errors()
    assert error["ctx"]["suggestions"] == ["E", "Bb", "F#"] and len(error["msg"]) < 200


def test_a_progression() -> None:
    data, score, warnings = voice_progression(
        RealizeProgression(chords=["Dm7", "G7", "N.C.", "Cmaj7"], instrument="satb", beats=2)
    )
    assert [chord.chord for chord in data.chords] == ["Dm7", "G7", "N.C.", "Cmaj7"]
    assert [len(chord.notes) for chord in data.chords] == [4, 4, 0, 4]
    assert data.faults == [] and warnings == []
    assert score.length == 8
    assert [part.name for part in score.parts] == ["Soprano", "Alto", "Tenor", "Bass"]
    assert [mark.symbol for mark in score.chords] == ["Dm7", "G7", "N.C.", "Cmaj7"]


@pytest.mark.parametrize("instrument", ["piano", "guitar", "strings"])
def test_a_progression_on_other_instruments(instrument: str) -> None:
    data, _, _ = voice_progression(RealizeProgression(chords=["C", "Am", "F", "G7"], instrument=instrument))
    assert all(chord.notes for chord in data.chords)
    assert all(bool(chord.frets) == (instrument == "guitar") for chord in data.chords)


def test_errors_of_progressions() -> None:
    with pytest.raises(MusicError, match="has only N") as caught:
        voice_progression(RealizeProgression(chords=["N.C."]))
    assert caught.value.field == "chords"
    for instrument in ("piano", "guitar", "satb", "strings"):
        with pytest.raises(MusicError) as caught:
            voice_progression(
                RealizeProgression(chords=["C", "G"], instrument=instrument, range_low="C4", range_high="D4")
            )
        assert caught.value.code == "INVALID_RANGE"


def test_a_style_in_a_progression() -> None:
    data, _, warnings = voice_progression(RealizeProgression(chords=["Cmaj7", "Dm7"], voicing_style="drop2"))
    assert [chord.style for chord in data.chords] == ["drop2", "drop2"] and warnings == []
    _, _, warnings = voice_progression(RealizeProgression(chords=["Cmaj7"], voicing_style="drop2", instrument="satb"))
    assert [warning.code for warning in warnings] == ["CONSTRAINT_RELAXED"]


@pytest.mark.parametrize("chords", [["C", "G", "Am", "F", "C"], ["Ebm9", "Ab13", "Dbmaj9"], ["F#", "B", "C#7", "F#"]])
def test_a_piano_progression_begins_and_ends_in_root_position(chords: list[str]) -> None:
    data, _, _ = voice_progression(RealizeProgression(chords=chords))
    for symbol, shown in ((chords[0], data.chords[0]), (chords[-1], data.chords[-1])):
        assert shown.midi_pitches[0] % 12 == parse_chord(symbol).root_pitch_class


@pytest.mark.parametrize("chords", ["F|Gm7 C7|", "| F | Gm7 C7 |", ["F | Gm7 C7"], ["F", "| Gm7 C7 |"], "|F|Gm7 C7"])
def test_bar_lines_need_no_spaces_and_are_allowed_in_a_list(chords: str | list[str]) -> None:
    data, score, _ = voice_progression(RealizeProgression(chords=chords))
    assert [chord.chord for chord in data.chords] == ["F", "Gm7", "C7"]
    assert sorted({note.start for part in score.parts for note in part.notes}) == [0, 4, 6]


def test_one_bar_line_between_two_chords() -> None:
    data, score, _ = voice_progression(RealizeProgression(chords="F|G"))
    assert [chord.chord for chord in data.chords] == ["F", "G"] and score.length == 8


def test_an_alternative_in_parentheses_is_a_warning() -> None:
    _, _, of_one = voice_chord(RealizeChord(chord_symbol="G7(Db7)"))
    data, _, of_many = voice_progression(RealizeProgression(chords=["Dm7 | G7(Db7) | C6"]))
    assert [chord.chord for chord in data.chords] == ["Dm7", "G7", "C6"]
    for warnings in (of_one, of_many):
        assert [(warning.code, "Db7" in warning.message) for warning in warnings] == [("INPUT", True)]


@pytest.mark.parametrize("symbol", ["G7alt", "G7b9", "G7#9", "G13b9", "G7b9b13", "G7#5#9"])
@pytest.mark.parametrize("style", ["close", "drop2", "drop3", None])
def test_altered_dominants_contain_a_flat_or_sharp_ninth(symbol: str, style: str | None) -> None:
    progression = RealizeProgression.model_validate({"chords": ["Dm7", symbol, "C6"], "voicing_style": style})
    data, _, _ = voice_progression(progression)
    assert {midi % 12 for midi in data.chords[1].midi_pitches} & {8, 10}
