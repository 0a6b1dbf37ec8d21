"""Known pieces through the front door: found, shown in part, harmonised, heard, edited and turned into code."""

import base64
import io

import httpx2
import mido
import pytest

from consort_music.notation.musicxml.writer import write_musicxml
from consort_music.notation.note_list import parse_note_list
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


def test_rights_are_reported_by_every_tool(studio: Studio) -> None:
    song = "corpus:essenFolksong/altdeu10/128"
    with journey(studio, "http") as assistant:
        for answer in (
            assistant.call("get_midi", midi_file_id=song),
            assistant.call("read_midi_notes", midi_file_id=song),
            assistant.call("create_song", midi_file_id=song),
            assistant.call("midi_to_strudel", midi_file_id=song),
            assistant.call("midi_to_audio", midi_file_id=song),
            assistant.call("playback_midi", midi_file_id=song, tempo_scale=4),
        ):
            assert any("non-commercial" in warning for warning in answer["warnings"]), answer
        warnings = assistant.call("analyze_harmony", music=song)["warnings"]
        assert any("non-commercial" in warning["message"] for warning in warnings)


def test_uploaded_notation_becomes_midi(studio: Studio) -> None:
    """Kern by base64 and MusicXML by an upload link are stored as MIDI files; what cannot be read is an error."""
    with journey(studio, "http") as assistant:
        stored = assistant.call("store_midi", base64=base64.b64encode(KERN.encode()).decode(), name="waltz.krn")
        assert (stored["name"], stored["note_count"]) == ("waltz.mid", 4)
        notes = assistant.call("read_midi_notes", midi_file_id=stored["midi_file_id"])
        assert "time 3/4" in notes["text"] and "D5" in notes["text"]
        link = assistant.call("store_midi", upload_link=True, name="tune.musicxml")
        xml = write_musicxml(parse_note_list("C4:q D4:q E4:h")).encode()
        answer = httpx2.put(link["upload_url"], content=xml)
        assert answer.json()["note_count"] == 3, answer.text
        broken = assistant.failed_call("store_midi", base64=base64.b64encode(b"<?xml version='1.0'?><svg/>").decode())
        assert broken["code"] == "PARSE_ERROR" and broken["field"] == "base64"


def test_a_take_is_compared_with_a_piece_by_its_printed_bars(studio: Studio) -> None:
    """BWV 66.6 begins with a pickup. A wrong note on beat 2 of bar 2 is found there."""
    with journey(studio, "http") as assistant:
        piece = "corpus:bach/bwv66.6#1-4"
        played = assistant.call("compose_export_midi", stream=piece)["data"]["midi"]
        file = mido.MidiFile(file=io.BytesIO(assistant.download(played["download_url"])))
        beat = file.ticks_per_beat
        tick = 0
        for message in file.tracks[1]:
            tick += message.time
            if (tick, message.type) in ((6 * beat, "note_on"), (7 * beat, "note_off")):
                message.note += 1
        packed = io.BytesIO()
        file.save(file=packed)
        take = assistant.call("store_midi", base64=base64.b64encode(packed.getvalue()).decode(), name="take.mid")
        compared = assistant.call(
            "compare_to_reference",
            midi_file_id=take["midi_file_id"],
            reference_type="score",
            reference_params={"score_id": piece},
        )
        (fault,) = compared["errors"]
        assert (fault["type"], fault["bar"], fault["beat"]) == ("wrong_note", 2, 2)
