"""What success is for the song editor: every tool works, beats are exact, ten steps are undone, the file is good."""

import io
from typing import Any

import mido
import pytest
import soundfile

from consort_gateway.tools.catalogue import load_catalogue
from consort_kit.ids import new_id
from tests.support.journey import TRANSPORTS, journey
from tests.support.servers.studio import Studio

SONG_TOOLS = {tool.name for tool in load_catalogue() if tool.toolset == "songs"}
MELODY = "D4 1; E4; F4; A4; G4 2; F4; " * 3 + "A4 1; G4; F4; E4; D4 4"
UNDO_STEPS = 10


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_song_is_written_with_every_tool(studio: Studio, transport: str) -> None:
    title = f"River {new_id('r')[-6:]}"
    with journey(studio, transport) as assistant:
        song_id = assistant.call("create_song", title=title, tempo=90, tracks={"Lead": "Flute"})["song_id"]

        def call(tool: str, **arguments: Any) -> Any:
            return assistant.call(tool, song_id=song_id, **arguments)

        call("edit_song", tempo=120, key="Dm", time_signature="4/4")
        call("add_section", name="Verse", start_measure=1, end_measure=4)
        call("add_section", name="Odd", start_measure=5, end_measure=8)
        call("edit_section", name="Odd", new_name="Chorus", key="F")
        call("add_track", name="Bass", instrument="Acoustic Bass")
        call("add_track", name="Kit", instrument="drums")
        call("add_track", name="Spare", instrument="Oboe")
        call("edit_track", name="Bass", volume=90, pan=40)
        call("remove_track", name="Spare")
        call("add_notes", notes={"Lead": MELODY, "Bass": "D2 2 x16", "Kit": "[kick 1; snare; kick; snare] x8"})
        call("add_notes", notes=[{"track": "Lead", "pitch": 81, "start": "9 + 1/3", "duration": "1/3"}])
        call("set_chords", chords="Dm | Gm | A7 | Dm | F | C7 | F | F")
        call("edit_notes", track="Bass", last_bar=4, transpose=12)
        call("remove_notes_in_range", track="Kit", start_time=28, end_time=32)
        call("copy_section", name="Verse", to_measure=9, new_name="Verse 2")
        call("remove_section", name="Verse 2", with_notes=True)
        assert {each["name"] for each in call("get_sections")["sections"]} == {"Verse", "Chorus"}
        assert [each["name"] for each in call("get_tracks")["tracks"]] == ["Lead", "Bass", "Kit"]
        assert call("check_song")["counts"].get("empty_track") is None
        before = call("get_notes")["notes"]
        for step in range(UNDO_STEPS + 2):
            call("add_notes", track="Bass", notes=f"C1 1/4 @{step}")
        for left in range(UNDO_STEPS - 1, -1, -1):
            assert call("undo_last_action")["undo_steps_left"] == left
        assert assistant.failed_call("undo_last_action", song_id=song_id)["code"] == "NOTHING_TO_UNDO"
        call("redo_last_action")
        call("remove_notes_in_range", track="Bass", start_time=0, end_time=12, pitch="C1")
        assert call("get_notes")["notes"] == before
        info = call("get_song_info")
        assert (info["song_id"], info["total_measures"]) == (song_id, 8)
        exported = call("song_export_midi", filepath=f"{title}.mid")
        assert song_id in {each["song_id"] for each in assistant.call("list_songs")["items"]}

        content = studio.exported(f"{title}.mid")
        assert content == assistant.download(exported["download_url"])
        file = mido.MidiFile(file=io.BytesIO(content))
        assert file.ticks_per_beat == 480 and file.length == pytest.approx(8 * 4 * 0.5, abs=0.01)
        (lead,) = (track for track in file.tracks if track.name == "Lead")
        now, triplet = 0, []
        for message in lead:
            now += message.time
            if message.type in ("note_on", "note_off") and message.note == 81:
                triplet.append(now)
        assert triplet == [4480, 4640], "9 + 1/3 beats and a third of a beat, at 480 ticks"
        heard = assistant.call("midi_to_audio", midi_file_id=song_id, tail=0)
        sound, rate = soundfile.read(io.BytesIO(assistant.download(heard["download_url"])))
        assert len(sound) / rate == pytest.approx(16, abs=0.1) and abs(sound).max() > 0.1

        call("delete_song")
        assert assistant.failed_call("get_song_info", song_id=song_id)["code"] == "NOT_FOUND"
        assert assistant.call("get_midi", midi_file_id=exported["midi_file_id"]), "the exported file stays"
        assert set(assistant.tools) >= SONG_TOOLS
        assert len(assistant.tools) == 54 and assistant.text_bytes < 30_000
