"""Make common wrong calls of the song tools. They must be understood, or the error must say how to correct them."""

from typing import Any

import pytest

from tests.support.errors_and_faults.wrong_calls import WrongCall, assert_says_how_to_correct
from tests.support.servers.studio import Studio

SECTIONS = [
    {"name": "Verse", "start_measure": 1, "end_measure": 4},
    {"name": "Waltz", "start_measure": 5, "end_measure": 8, "time_signature": "3/4"},
]

MISTAKES: list[WrongCall] = [
    ("create_song", {"tracks": "Flute"}, 'such as {"Lead": "Flute", "Kit": "drums"}'),
    ("create_song", {"tracks": {"Lead": {"instrument": "Flute", "volume": 90}}}, "edit_track sets volume and pan"),
    ("create_song", {"sections": ["Verse"]}, '[{"name": "Verse", "start_measure": 1, "end_measure": 8}]'),
    ("create_song", {"time_signature": "waltz"}, "4/4, 6/8"),
    ("get_notes", {"start_time": "bar 5"}, "first_bar: 5, last_bar: 5"),
    ("get_notes", {"bars": "from 5 on"}, "first_bar: 17, last_bar: 24"),
    ("get_notes", {"pitch": "C5-C3"}, "from low to high, such as C3-G5"),
    ("get_notes", {"track": "flute"}, "there are: Lead, Kit"),
    ("get_notes", {"first_bar": 3, "end_time": 16}, "Give bars (first_bar, last_bar) or beats (start_time, end_time)"),
    ("get_notes", {"start_time": -4}, "Write a beat from 0"),
    ("add_notes", {}, 'Give notes by track, such as {"Lead": "C4 1; E4 1/2"}'),
    ("add_notes", {"notes": "C4 1"}, 'track: "Lead"'),
    ("add_notes", {"track": "Lead", "notes": "C4:q D4:q"}, "C4 1; D4 1/2"),
    ("add_notes", {"track": "Lead", "notes": "X:1\nK:C\nCDEF"}, "ABC, which the composer's tools read"),
    ("add_notes", {"track": "Lead", "notes": "C4 1 D4 1"}, "C4 1; D4 1"),
    ("add_notes", {"track": "Lead", "notes": "C4 D4 E4"}, "C4; D4; E4"),
    ("add_notes", {"track": "Lead", "notes": "C4 1, D4, E4 2"}, "C4 1; D4; E4 2"),
    ("add_notes", {"track": "Lead", "notes": "C4 1 2"}, "Mark a start with @"),
    ("add_notes", {"track": "Lead", "notes": "C4 allegro"}, "C4 quarter"),
    ("add_notes", {"track": "Lead", "notes": "[C4; D4"}, "A '[' has no ']'"),
    ("add_notes", {"track": "Lead", "notes": "C4 v200"}, "not from v1 to v127"),
    ("add_notes", {"track": "Lead", "notes": "kick; snare"}, "Choose a drum track, or write pitches such as C4"),
    ("add_notes", {"track": "Lead", "notes": ""}, "To remove notes, use remove_notes_in_range"),
    ("add_notes", {"track": "Lead", "notes": [{"pitch": "C4", "bar": 3}]}, "first_bar"),
    ("add_notes", {"track": "Lead", "notes": [{"pitch": "C4", "beat": 3}]}, "Give 'start' in beats"),
    ("add_notes", {"track": "Lead", "notes": [{"pitch": "C4", "duration": "long"}]}, "such as quarter or dotted half"),
    ("add_notes", {"track": "Lead", "notes": [{"pitch": "C4", "velocity": 0.5}]}, "64"),
    ("add_notes", {"track": "Lead", "notes": [{"pitch": "C4", "velocity": "mf"}]}, "from 1 (soft) to 127 (loud)"),
    ("add_notes", {"track": "Lead", "notes": [{"start": 1}]}, "Give a name such as C4"),
    ("add_notes", {"notes": {"Lead": {"pitch": 60}}}, "Write text such as 'C4 1; E4 1/2'"),
    ("add_notes", {"notes": {"Flute": "C4"}}, "add_track"),
    ("add_notes", {"track": "Lead", "notes": "C4", "section": "Verse", "first_bar": 2}, "Give a section or bars"),
    ("add_notes", {"track": "Lead", "notes": "C4 @20", "section": "Verse"}, "counted from the beginning of bar 1"),
    ("add_notes", {"parts": ["Lead"]}, 'such as {"melody": "Flute", "bass": "Cello"}'),
    ("edit_notes", {"track": "Lead"}, "Give what to change: move_by"),
    ("edit_notes", {"velocity": "loud"}, "+10, -10 or x0.8"),
    ("edit_notes", {"stretch": 0}, "a factor from 1/64 to 64"),
    ("edit_notes", {"move_by": "1 bar"}, "A bar of 4/4 has 4 beats"),
    ("edit_notes", {"duration": "longer"}, "such as quarter"),
    ("edit_notes", {"move_by": -8}, "Move it earlier by 0 at most"),
    ("remove_notes_in_range", {"track": "Lead"}, "first_bar: 1, last_bar: 4"),
    ("remove_notes_in_range", {"start_time": 8, "end_time": 8}, "end_time: 12"),
    ("remove_notes_in_range", {"section": "Vers"}, "Verse"),
    ("add_section", {"name": "", "bars": "9-12"}, "visible characters on one line"),
    ("add_section", {"name": "verse", "bars": "9-12"}, "Choose another name"),
    ("edit_section", {"name": "Verse", "tempo": 2}, "or 0 for the song's"),
    ("copy_section", {"name": "Verse", "to_measure": 6, "new_name": "Two"}, "to_measure: 9"),
    ("copy_section", {"name": "Verse", "to_measure": 1}, "to_measure: 5"),
    ("add_track", {"name": "LEAD", "instrument": "oboe"}, "edit_track"),
    ("set_chords", {"chords": {"1": "C"}}, "Dm7 | G7 | C"),
    ("set_chords", {"chords": [{"symbol": "C", "measure": 1}]}, "Dm7 | G7 | C"),
    ("set_chords", {"chords": [{"symbol": "C", "start": 0}, {"symbol": "F", "start": 0}]}, "Two chords are on beat 0"),
    ("undo_last_action", {"song": "Rain"}, "song_id"),
    ("create_song", {"sections": [{"name": "A", "bars": 8}]}, "start_measure: 17, end_measure: 24"),
    ("create_song", {"sections": {"Intro": 4, "Verse": 8}}, "start_measure: 17, end_measure: 24"),
    ("add_section", {"name": "Coda", "measures": "8"}, "start_measure: 17, end_measure: 24"),
    ("add_notes", {"track": "Lead", "notes": "C4 1 velocity=90"}, "@START, vVELOCITY or xTIMES"),
    ("edit_notes", {"track": "Lead", "transpose": "up a third"}, "Semitones"),
    ("render_piano_roll", {"song_id": "song_nope"}, "list_songs"),
    ("render_piano_roll", {"midi_file_id": f"midi_{'a' * 26}"}, "as 'song_id' and as 'midi_file_id'"),
    ("transform_phrase", {"notes": "C4:q", "transformation": "repeat"}, "Did you mean 'input_stream'?"),
    ("read_midi_notes", {"notes": "C4:q"}, "Did you mean 'midi_file_id'?"),
    ("analyze_harmony", {"input_stream": "C4:q"}, "Did you mean 'music'?"),
]


@pytest.fixture(scope="module")
def song(studio: Studio) -> str:
    made = studio.call("create_song", tracks={"Lead": "Flute", "Kit": "drums"}, sections=SECTIONS)
    song_id: str = made["song_id"]
    studio.call("add_notes", song_id=song_id, track="Lead", notes="C4 x4")
    return song_id


@pytest.mark.parametrize(("tool", "arguments", "repair"), MISTAKES, ids=lambda value: str(value)[:40])
def test_the_error_says_how_to_correct_the_call(
    studio: Studio, song: str, tool: str, arguments: dict[str, Any], repair: str
) -> None:
    takes_song = tool not in ("create_song", "transform_phrase", "read_midi_notes", "analyze_harmony")
    known = {"song_id": song} if takes_song else {}
    assert_says_how_to_correct(studio.try_call(tool, **{**known, **arguments}), repair, in_suggestions=True)


OTHER_WAYS: list[tuple[str, dict[str, Any], str, Any]] = [
    ("create_song", {"tracks": ["Flute", "Cello"]}, "tracks", ["Flute", "Cello"]),
    ("create_song", {"tracks": [{"name": "Lead", "instrument": "Flute"}]}, "tracks", ["Lead"]),
    ("create_song", {"instruments": {"Lead": 73}}, "tracks", ["Lead"]),
    ("create_song", {"sections": {"Verse": "1-8", "Coda": 9}}, "sections", ["Verse", "Coda"]),
    ("create_song", {"sections": [{"name": "A", "first_bar": 1, "last_bar": 8}]}, "sections", ["A"]),
    ("get_notes", {"bars": "1-2"}, "note_count", 4),
    ("get_notes", {"bar": 2}, "note_count", 0),
    ("get_notes", {"measures": [1, 2]}, "beat_0_is_bar", 1),
    ("get_notes", {"start_measure": 1, "end_measure": 2}, "note_count", 4),
    ("add_notes", {"track": "Lead", "notes": ["C4 quarter", "D4"]}, "added", 2),
    ("add_notes", {"track": "Lead", "notes": "C4 1/2, D4 1/2, E4 1"}, "added", 3),
    ("add_notes", {"track": "Lead", "notes": [{"note": "C4", "length": "dotted quarter"}]}, "added", 1),
    ("add_notes", {"track": "Lead", "notes": "C4", "section": "Waltz"}, "added", 1),
    ("edit_notes", {"track": "Lead", "bars": "1", "duration": "eighth"}, "edited_notes", 4),
    ("copy_section", {"section": "Verse", "to_bar": 9, "tracks": "Lead"}, "copied_notes", 4),
    ("check_song", {"kinds": "collision"}, "ok", True),
    ("set_chords", {"chords": ["C", "F", "G7"], "first_bar": 2}, "chord_count", 3),
    ("set_chords", {"chords": [{"chord": "C", "start": 0}]}, "chord_count", 1),
    ("remove_track", {"track": "Lead"}, "removed", "Lead"),
]


@pytest.mark.parametrize(("tool", "arguments", "field", "value"), OTHER_WAYS, ids=lambda value: str(value)[:40])
def test_other_ways_to_write_it_are_understood(
    studio: Studio, song: str, tool: str, arguments: dict[str, Any], field: str, value: Any
) -> None:
    known = {} if tool == "create_song" else {"song_id": studio.call("create_song", from_song_id=song)["song_id"]}
    assert studio.call(tool, **known, **arguments)[field] == value
