"""Test that every tool with music as input accepts the id of a file, of a song or of a score."""

import base64
import io
import json
from typing import Any

import httpx2
import mido
import pytest

from consort_kit.ids import new_id
from tests.support.servers.studio import Studio


def music(studio: Studio, kind: str) -> tuple[str, str]:
    """Make a piece of four notes, C4 D4 E4 G4, as one of the three kinds. Return its id and its title."""
    title = f"Brook {new_id('b')[-6:]}"
    if kind == "midi":
        stored = studio.call("validate_midi", midi_text="C4:q D4:q E4:q G4:q", name=f"{title}.mid")
        return stored["midi_file_id"], title
    if kind == "song":
        song_id = studio.call("create_song", title=title, tracks={"Lead": "Flute"})["song_id"]
        studio.call("add_notes", song_id=song_id, track="Lead", notes="C4 1; D4 1; E4 1; G4 1")
        return song_id, title
    turned = studio.call(
        "transform_phrase", input_stream="G4:q E4:q D4:q C4:q", transformation="retrograde", append=False
    )
    return turned["score_id"], "composition"


each_kind = pytest.mark.parametrize("kind", ["midi", "song", "score"])
ALIASES = {"midi": "midi_file_id", "song": "song_id", "score": "score_id"}


def files(studio: Studio) -> set[str]:
    found: set[str] = set()
    asked: dict[str, Any] = {"limit": 100}
    while True:
        page = studio.call("list_midi", **asked)
        found |= {item["midi_file_id"] for item in page["items"]}
        if "next_cursor" not in page:
            return found
        asked["cursor"] = page["next_cursor"]


@each_kind
def test_views_take_any_id_and_export_a_song_or_score_once(studio: Studio, kind: str) -> None:
    music_id, title = music(studio, kind)
    before = files(studio)
    own: set[str] = set()
    for field in ("midi_file_id", ALIASES[kind]):
        read = studio.call("read_midi_notes", **{field: music_id})
        text = read["text"]
        assert [line.split()[0] for line in text.splitlines() if line[1:3] == "4 "] == ["C4", "D4", "E4", "G4"]
        described = studio.call("get_midi", **{field: music_id})
        assert described["metadata"]["note_count"] == 4 and described["name"].startswith(title)
        assert described[ALIASES[kind]] == music_id
        assert mido.MidiFile(file=io.BytesIO(httpx2.get(described["download_url"]).content)).tracks
        picture, beside = studio.call("render_piano_roll", **{field: music_id})["content"]
        assert base64.b64decode(picture["data"]).startswith(b"\x89PNG")
        shown = json.loads(beside["text"])
        assert httpx2.get(shown["download_url"]).content.startswith(b"\x89PNG")
        if kind != "midi":
            own |= {read["midi_file_id"], described["midi_file_id"], shown["midi_file_id"]}
    assert len(own) == (0 if kind == "midi" else 1), "one file follows each song or score"
    assert files(studio) == before | own


def test_the_piano_roll_numbers_the_tracks_of_a_song_as_sheet_music_does(studio: Studio) -> None:
    """The exported file begins with a track for title and tempo, which the song does not have."""
    song_id = studio.call("create_song", title="Numbers", tracks={"Lead": "Flute", "Low": "Cello"})["song_id"]
    studio.call("add_notes", song_id=song_id, notes={"Lead": "C5 4", "Low": "C3 4"})
    written = studio.call("midi_to_notation", song_id=song_id, tracks=[1])["content"][-1]["text"]
    assert json.loads(written)["parts"] == ["Low"]
    by_name, by_number = (
        studio.call("render_piano_roll", song_id=song_id, tracks=[track])["content"][0]["data"] for track in ("Low", 1)
    )
    assert by_name == by_number
    ok, refused = studio.try_call("render_piano_roll", song_id=song_id, tracks=[2])
    assert not ok and refused["error"]["suggestions"] == ["0 to 1", "Lead", "Low"]


def test_the_file_of_a_song_is_updated_with_the_song(studio: Studio) -> None:
    song_id, _ = music(studio, "song")
    first = studio.call("get_midi", song_id=song_id)
    studio.call("add_notes", song_id=song_id, track="Lead", notes="C5 @4 1")
    second = studio.call("get_midi", song_id=song_id)
    assert second["midi_file_id"] == first["midi_file_id"] and second["song_id"] == song_id
    assert (first["metadata"]["note_count"], second["metadata"]["note_count"]) == (4, 5)


@each_kind
def test_a_transform_makes_a_new_file_and_says_that_the_song_is_unchanged(studio: Studio, kind: str) -> None:
    music_id, title = music(studio, kind)
    asked = {"operations": [{"type": "transpose", "semitones": 12}]}
    made = studio.call("transform_midi", **{ALIASES[kind]: music_id}, **asked)
    assert made["midi_file_id"].startswith("midi_") and made["midi_file_id"] != music_id
    assert made["name"].startswith(f"{title} transposed")
    assert ("unchanged" in made.get("note", "")) == (kind != "midi")
    notes = studio.call("read_midi_notes", midi_file_id=made["midi_file_id"], format="objects")["notes"]
    assert [note["pitch"] for note in notes] == ["C5", "D5", "E5", "G5"]
    if kind == "song":
        assert "C5" not in studio.call("get_notes", song_id=music_id, format="text")["notes"]


@each_kind
def test_export_takes_any_id(studio: Studio, kind: str) -> None:
    music_id, _ = music(studio, kind)
    name = f"{new_id('out')}.mid"
    exported = studio.call("export_midi", **{ALIASES[kind]: music_id}, export_name=name)
    assert exported["export_path"] == f"export/{name}"
    content = (studio.data / exported["export_path"]).read_bytes()
    assert httpx2.get(exported["download_url"]).content == content
    again = studio.call("export_midi", midi_file_id=music_id, export_name=name, overwrite=True)
    assert again["midi_file_id"] == exported["midi_file_id"], "one file follows each song or score"
    assert studio.call("get_midi", midi_file_id=exported["midi_file_id"])["metadata"]["note_count"] == 4


def test_a_song_is_exported_to_the_same_file_again(studio: Studio) -> None:
    song_id, title = music(studio, "song")
    first = studio.call("song_export_midi", song_id=song_id)
    assert first["name"] == f"{title}.mid", "the name has no random letters"
    studio.call("add_notes", song_id=song_id, track="Lead", notes="C5 @4 1")
    second = studio.call("export_midi", song_id=song_id, export_name=f"{title}.mid")
    assert second["midi_file_id"] == first["midi_file_id"]
    assert studio.call("get_midi", midi_file_id=first["midi_file_id"])["metadata"]["note_count"] == 5
    apart = studio.call("song_export_midi", song_id=song_id, overwrite=False)
    assert (apart["name"], apart["midi_file_id"] != first["midi_file_id"]) == (f"{title} 2.mid", True)


def test_songs_of_the_same_title_have_separate_files(studio: Studio) -> None:
    title = f"Twin {new_id('t')[-6:]}"
    made = [studio.call("create_song", title=title, tracks={"Lead": "Flute"})["song_id"] for _ in range(2)]
    exported = [studio.call("song_export_midi", song_id=song_id) for song_id in made]
    assert [each["name"] for each in exported] == [f"{title}.mid", f"{title} 2.mid"]
    assert len({each["midi_file_id"] for each in exported}) == 2


def test_merge_takes_songs(studio: Studio) -> None:
    first, second = music(studio, "song")[0], music(studio, "song")[0]
    operations = [{"type": "merge", "midi_file_ids": [second], "order": "sequence"}]
    assert studio.call("transform_midi", song_id=first, operations=operations)["note_count"] == 8


@pytest.mark.parametrize("field", ["midi_file_id", "song_id"])
def test_a_song_is_never_deleted_as_a_file(studio: Studio, field: str) -> None:
    song_id, _ = music(studio, "song")
    ok, result = studio.try_call("delete_midi", **{field: song_id})
    assert not ok and "delete_song" in result["error"]["message"]
    assert studio.call("get_song_info", song_id=song_id)["note_count"] == 4


@pytest.mark.parametrize("tool", ["get_midi", "read_midi_notes", "render_piano_roll", "export_midi"])
@pytest.mark.parametrize("kind", ["song", "score"])
def test_an_unknown_song_or_score(studio: Studio, tool: str, kind: str) -> None:
    ok, result = studio.try_call(tool, midi_file_id=new_id(kind))
    assert not ok and (result["error"]["code"], result["error"]["field"]) == ("NOT_FOUND", "midi_file_id")
