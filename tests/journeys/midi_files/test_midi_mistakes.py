"""Make common wrong calls of the MIDI and playback tools. The error's message must say how to correct the call."""

from typing import Any

import pytest

from consort_kit.ids import new_id
from tests.support.errors_and_faults.wrong_calls import WrongCall, assert_says_how_to_correct
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import Studio

BYTES = as_base64(tune(16))
SOME_ID = new_id("midi")
PLAY = new_id("play")
NOTES = {"notes": "C4:q"}

MISTAKES: list[WrongCall] = [
    ("store_midi", {}, '{"path": "import/song.mid"}'),
    ("store_midi", {"base64": BYTES, "path": "x.mid"}, "exactly one of base64, path, upload_link or restore_version"),
    ("store_midi", {"path": "/home/me/song.mid"}, "import/song.mid"),
    ("store_midi", {"path": "C:\\song.mid"}, "import/song.mid"),
    ("store_midi", {"path": "lost.mid"}, "copy a new file to import/"),
    ("store_midi", {"base64": "notbase64!!"}, "Send the whole text again"),
    ("store_midi", {"base64": as_base64(b"RIFFxxxxWAVE")}, "Standard MIDI File"),
    ("store_midi", {"base64": BYTES, "name": "a/b.mid"}, "song.mid"),
    ("store_midi", {"url": "http://x/y.mid"}, "upload_link"),
    ("get_midi", {}, '{"midi_file_id": "midi_'),
    ("get_midi", {"midi_file_id": "kept.mid"}, "list_midi"),
    ("get_midi", {"song_id": "Rain"}, "list_songs"),
    ("get_midi", {"midi_file_id": SOME_ID}, "list_midi"),
    ("get_midi", {"song_id": new_id("song")}, "list_songs"),
    ("get_midi", {"path": "lost.mid"}, "list_midi"),
    ("get_midi", {"midi_file_id": [SOME_ID]}, "must be text"),
    ("list_midi", {"limit": 1000}, "from 1 to 100"),
    ("list_midi", {"cursor": "abc"}, "Leave it out"),
    ("list_midi", {"query": "waltz"}, "name_contains"),
    ("export_midi", {"midi_file_id": SOME_ID, "filename": "x.mid"}, "export_name"),
    ("export_midi", {"path": "lost.mid", "export_name": "a?.mid"}, "list_midi"),
    ("delete_midi", {"midi_file_id": "kept.mid"}, "list_midi"),
    ("delete_midi", {"song_id": new_id("song")}, "delete_song"),
    ("delete_midi", {"score_id": new_id("score")}, "30 days"),
    ("read_midi_notes", {"base64": BYTES, "format": "json"}, "'text' or 'objects'"),
    ("read_midi_notes", {"base64": BYTES, "tracks": ["Bass"]}, "Lead"),
    ("read_midi_notes", {"base64": BYTES, "first_bar": 90}, "from 1 to 2"),
    ("read_midi_notes", {"base64": BYTES, "first_bar": 1, "end_beat": 4}, "not both"),
    ("read_midi_notes", {"base64": BYTES, "start_beat": 9, "end_beat": 4}, "after 'start_beat'"),
    ("read_midi_notes", {"base64": BYTES, "lowest": "H4"}, "A to G"),
    ("render_piano_roll", {"base64": BYTES, "format": "pdf"}, "'png' or 'svg'"),
    ("render_piano_roll", {"base64": BYTES, "first_bar": 5, "last_bar": 2}, "not be before 'first_bar'"),
    ("render_piano_roll", {"base64": BYTES, "width": 50}, "from 320 to 4000"),
    ("validate_midi", {"text": "tempo 120"}, "midi_text"),
    ("transform_midi", {"base64": BYTES, "operations": []}, "1 or more items, not 0"),
    ("playback_midi", {}, "song_id"),
    ("playback_midi", {"song_id": "Rain"}, "list_songs"),
    ("playback_midi", {**NOTES, "loop_start": "9"}, '"bar 9"'),
    ("playback_midi", {**NOTES, "mute": "Bass"}, "part 1"),
    ("playback_midi", {**NOTES, "port_name": "Juno"}, "list_devices"),
    ("playback_midi", {**NOTES, "tempo_scale": 0}, "from 0.05 to 100"),
    ("playback_midi", {"midi_text": "hello"}, "C4"),
    ("stop_playback", {"playback_id": "1"}, "get_playback"),
    ("stop_playback", {"playback_id": PLAY}, "get_playback"),
    ("control_playback", {"action": "pause"}, '{"playback_id": "play_'),
    ("control_playback", {"playback_id": PLAY}, "seek"),
    ("control_playback", {"playback_id": PLAY, "action": "stop"}, "stop_playback"),
    ("send_midi", {}, "Give notes"),
    ("send_midi", {"controllers": {"volume": 100}}, '{"7": 100}'),
    ("send_midi", {"controllers": [7, 100]}, '{"7": 100}'),
    ("send_midi", {"notes": "C4 " * 65}, "playback_midi"),
]


@pytest.mark.parametrize(("tool", "arguments", "repair"), MISTAKES, ids=range(len(MISTAKES)))
def test_the_message_says_how_to_correct_the_call(
    studio: Studio, tool: str, arguments: dict[str, Any], repair: str
) -> None:
    assert_says_how_to_correct(studio.try_call(tool, **arguments), repair)


def test_unambiguous_mistakes_are_understood(studio: Studio) -> None:
    assert studio.call("read_midi_notes", base64=BYTES, tracks="Lead")["note_count"] == 16
    assert studio.call("read_midi_notes", base64=BYTES, tracks=0)["note_count"] == 16
    assert studio.call("stop_playback", playback_id="all")["stopped"] == []
