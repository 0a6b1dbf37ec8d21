"""Known pieces through the front door: found, shown in part, harmonised, heard, edited and turned into code."""

import io

import mido
import pytest

from tests.support.journey import TRANSPORTS, journey
from tests.support.servers.studio import Studio

KERN = "**kern\n*M3/4\n*G:\n4g\n4a\n4b\n=2\n2.dd\n*-\n"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_piece_is_taken_wherever_music_is_taken(studio: Studio, transport: str) -> None:
    with journey(studio, transport) as assistant:
        (found,) = assistant.call("find_scores", query="bach bwv 66.6")["items"]
        piece = found["score"]
        assert (found["key"], found["parts"]) == ("F# minor", 4)
        kind, page = assistant.picture("midi_to_notation", music=f"{piece}#1-4")
        assert kind == "image/png" and len(page["bars"]) == 5  # with the pickup
        analysis = assistant.call("analyze_harmony", music=f"{piece}#1-4")
        assert analysis["data"]["chords"]
        tune = assistant.call("find_scores", query="irish washerwoman")["items"][0]["score"]
        assert assistant.call("reharmonize", melody=f"{tune}#1-8", style="classical")["data"]["harmonizations"]
        assert len(assistant.call("get_midi", midi_file_id=piece)["metadata"]["tracks"]) >= 4
        code = assistant.call("midi_to_strudel", midi_file_id=f"{piece}#1-2")
        assert code["is_exact"]
        song = assistant.call("create_song", midi_file_id=f"{piece}#1-4", title="Chorale")
        assert len(assistant.call("get_tracks", song_id=song["song_id"])["tracks"]) == 4
        stored = assistant.call("compose_export_midi", stream=piece)["data"]["midi"]
        content = assistant.download(stored["download_url"])
        assert mido.MidiFile(file=io.BytesIO(content)).length > 10
        missing = assistant.failed_call("midi_to_audio", midi_file_id="corpus:bach/bwv9999")
        assert missing["code"] == "NOT_FOUND" and "find_scores" in missing["message"]


def test_kern_is_read_without_being_named(studio: Studio) -> None:
    with journey(studio, "http") as assistant:
        answer = assistant.call("transform_phrase", input_stream=KERN, transformation="sequence", interval="M2")
        assert "G4:q A4:q B4:q" in answer["note_list"]
