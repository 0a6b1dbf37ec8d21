"""Read, write, draw, export, transform and delete MIDI files through the gateway."""

import base64
import io
import json
from pathlib import Path
from typing import Any

import httpx2
import mido
import pytest

from consort_kit.ids import new_id
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import Studio

WALTZ = """\
tempo 96
time 3/4
track "Lead Voice" Flute
C5 80
E5 80
G5 90 2 1/3
A5 90 7/3 1/3
B5 90 8/3 1/3
track Bass Cello
C3 70 0 3
track Kit drums
C2 100
F#2 60
F#2 60
"""


def test_text_to_file_to_the_same_text(studio: Studio) -> None:
    verdict = studio.call("validate_midi", midi_text=WALTZ, name=f"{new_id('waltz')}.mid")
    assert verdict["valid"] is True and verdict["errors"] == []
    assert verdict["metadata"] == {"duration": 1.875, "tempo": 96.0, "tracks": 3, "note_count": 9}
    again = studio.call("read_midi_notes", midi_file_id=verdict["midi_file_id"])
    assert again["text"] == WALTZ and "notes" not in again, "the default format is text"
    file = mido.MidiFile(file=io.BytesIO(httpx2.get(verdict["download_url"]).content))
    assert [message.note for message in file.tracks[1] if message.type == "note_on"] == [72, 76, 79, 81, 83]
    assert file.length == pytest.approx(1.875)


def test_a_wrong_text_is_reported_and_not_stored(studio: Studio) -> None:
    name = f"{new_id('wrong')}.mid"
    verdict = studio.call("validate_midi", midi_text="C5\ntime 4/4\nE5 200", name=name)
    assert verdict["valid"] is False and "midi_file_id" not in verdict
    assert ["line 1" in verdict["errors"][0], "line 3" in verdict["errors"][1]] == [True, True]
    assert "tempo" in verdict["errors"][2]
    assert not studio.try_call("get_midi", path=name)[0]


SCALE = {
    "note list": "C4:q D4:q E4:h",
    "ABC": "X:1\nM:4/4\nL:1/4\nQ:1/4=120\nK:C\nC D E2|]",
    "MusicXML": "<score-partwise><part id='P1'><measure>"
    + "".join(
        f"<note><pitch><step>{step}</step><octave>4</octave></pitch><duration>{length}</duration></note>"
        for step, length in (("C", 1), ("D", 1), ("E", 2))
    )
    + "</measure></part></score-partwise>",
}


@pytest.mark.parametrize("notation", list(SCALE))
def test_other_notations_become_files(studio: Studio, notation: str) -> None:
    verdict = studio.call("validate_midi", midi_text=SCALE[notation])
    assert verdict["valid"] is True and verdict["errors"] == []
    assert verdict["metadata"] == {"duration": 2.0, "tempo": 120.0, "tracks": 1, "note_count": 3}
    notes = studio.call("read_midi_notes", midi_file_id=verdict["midi_file_id"], format="objects")["notes"]
    shown = [(note["pitch"], note["start"], note["duration"]) for note in notes]
    assert shown == [("C4", 0, 1), ("D4", 1, 1), ("E4", 2, 2)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("C4:q\nD4:zz", "Invalid note at line 2"),
        ("X:1\nK:C\nC D §", "Invalid ABC at line 3"),
        ("<score-partwise><part>", "line 1"),
        ("<?xml version='1.0'?><score-partwise/>", "no notes"),
    ],
)
def test_mistakes_in_other_notations(studio: Studio, text: str, says: str) -> None:
    verdict = studio.call("validate_midi", midi_text=text)
    assert verdict["valid"] is False and says in verdict["errors"][0] and "midi_file_id" not in verdict


def test_notes_by_page_and_filter(studio: Studio) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(100)), name=f"{new_id('long')}.mid")
    notes: list[dict[str, Any]] = []
    cursor = 0
    while cursor is not None:
        asked = {"format": "objects", "limit": 30, "cursor": cursor}
        page = studio.call("read_midi_notes", midi_file_id=stored["midi_file_id"], **asked)
        assert page["note_count"] == 100
        notes += page["notes"]
        cursor = page.get("next_cursor")
    assert [note["start"] for note in notes] == [index / 2 for index in range(100)]
    assert notes[0] == {"track": 0, "channel": 1, "pitch": "C4", "start": 0, "duration": 0.5, "velocity": 80}
    some = studio.call(
        "read_midi_notes",
        base64=as_base64(tune(100)),
        format="objects",
        start_beat=10,
        end_beat=20,
        lowest="C4",
        highest="G4",
    )
    assert all(10 <= note["start"] < 20 for note in some["notes"]) and some["note_count"] == 8


def test_picture(studio: Studio) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(100)), name=f"{new_id('drawn')}.mid")
    answer = studio.call("render_piano_roll", midi_file_id=stored["midi_file_id"], width=800, height=400)
    block = answer["content"][0]
    assert (block["type"], block["mimeType"]) == ("image", "image/png")
    assert base64.b64decode(block["data"]).startswith(b"\x89PNG")
    answer = studio.call(
        "render_piano_roll", midi_file_id=stored["midi_file_id"], format="svg", first_bar=2, last_bar=3
    )
    assert answer["content"][0]["mimeType"] == "image/svg+xml"
    assert b"<svg" in base64.b64decode(answer["content"][0]["data"])


@pytest.mark.parametrize("format", ["png", "svg"])
def test_a_picture_comes_with_a_link_to_it(studio: Studio, format: str) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(100)), name=f"{new_id('linked')}.mid")
    options = {"first_bar": 2, "last_bar": 5, "tracks": ["Lead", 0], "title": "Größe & Form", "width": 900}
    image, text = studio.call("render_piano_roll", midi_file_id=stored["midi_file_id"], format=format, **options)[
        "content"
    ]
    link = json.loads(text["text"])["download_url"]
    seen = httpx2.get(link)
    assert seen.headers["content-type"] == image["mimeType"]
    assert seen.content == base64.b64decode(image["data"]), "the same picture"
    assert httpx2.get(link.replace("900", "901")).status_code == 403, "a link cannot be altered"


def test_bytes_that_are_not_stored_are_drawn_without_a_link(studio: Studio) -> None:
    assert len(studio.call("render_piano_roll", base64=as_base64(tune(10)))["content"]) == 1


def test_the_picture_of_a_song_shows_its_sections(studio: Studio) -> None:
    sections = [
        {"name": "Verse", "start_measure": 1, "end_measure": 4},
        {"name": "Bridge", "start_measure": 5, "end_measure": 8, "key": "Eb major"},
    ]
    song = studio.call("create_song", title="Form", key="C major", tracks={"Lead": "Flute"}, sections=sections)
    studio.call("add_notes", song_id=song["song_id"], track="Lead", notes="C4 4 x8")
    picture, text = studio.call("render_piano_roll", song_id=song["song_id"], format="svg")["content"]
    drawn = base64.b64decode(picture["data"]).decode()
    assert all(f">{word}</text>" in drawn for word in ("Verse", "Bridge", "C major", "Eb major", "Form"))
    assert httpx2.get(json.loads(text["text"])["download_url"]).text == drawn


def test_export_and_delete(studio: Studio) -> None:
    content = tune(12)
    stored = studio.call("store_midi", base64=as_base64(content), name=f"{new_id('gone')}.mid")
    exported = studio.call("export_midi", midi_file_id=stored["midi_file_id"])
    assert exported["export_path"] == f"export/{stored['name']}"
    assert (studio.data / exported["export_path"]).read_bytes() == content
    ok, result = studio.try_call("export_midi", midi_file_id=stored["midi_file_id"])
    assert not ok and result["error"]["code"] == "ALREADY_EXISTS"
    assert studio.call("export_midi", midi_file_id=stored["midi_file_id"], overwrite=True)
    ok, result = studio.try_call("export_midi", midi_file_id=stored["midi_file_id"], export_name="../up.mid")
    assert not ok and result["error"]["code"] == "INVALID_NAME"
    studio.call("delete_midi", midi_file_id=stored["midi_file_id"])
    assert studio.try_call("get_midi", midi_file_id=stored["midi_file_id"])[1]["error"]["code"] == "NOT_FOUND"
    assert httpx2.get(stored["download_url"]).status_code == 404
    assert not (studio.data / stored["path"]).exists()
    assert (studio.data / exported["export_path"]).exists()


def test_list_by_name(studio: Studio) -> None:
    mark = new_id("mark")
    for name in ("One", "two", "ONE more"):
        studio.call("store_midi", base64=as_base64(tune(1)), name=f"{mark} {name}.mid")
    found = studio.call("list_midi", name_contains=f"{mark} one")
    assert [item["name"] for item in found["items"]] == [f"{mark} ONE more.mid", f"{mark} One.mid"]


def test_upload_and_download_routes(studio: Studio) -> None:
    content = tune(40)
    url = f"{studio.url_of('midi-store')}/files"
    stored = httpx2.post(url, params={"name": f"{new_id('up')}.mid"}, content=content, headers=studio.headers)
    assert stored.status_code == 201
    file_id = stored.json()["midi_file_id"]
    assert httpx2.get(f"{url}/{file_id}", headers=studio.headers).content == content


def test_big_file_is_read_in_a_child(studio: Studio) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(60_000)), name=f"{new_id('big')}.mid")
    assert stored["note_count"] == 60_000
    asked = {"format": "objects", "start_beat": 29_000, "limit": 1}
    page = studio.call("read_midi_notes", midi_file_id=stored["midi_file_id"], **asked)
    assert page["notes"][0]["start"] == 29_000 and page["note_count"] == 2000


def test_manifest_and_import(studio: Studio, tmp_path: Path) -> None:
    name = f"{new_id('moved')}.mid"
    stored = studio.call("store_midi", base64=as_base64(tune(7)), name=name)
    done = studio.consort("manifest")
    assert done.returncode == 0, done.stderr
    entries = {entry["id"]: entry for entry in json.loads((studio.data / "manifest.json").read_text())}
    entry = entries[stored["midi_file_id"]]
    assert entry == {key: entry[key] for key in ("id", "name", "path", "bytes", "createdAt")}
    assert (entry["name"], entry["path"], entry["bytes"]) == (name, stored["path"], stored["bytes"])

    moved = tmp_path / "other studio"
    (moved / entry["path"]).parent.mkdir(parents=True)
    (moved / entry["path"]).write_bytes((studio.data / entry["path"]).read_bytes())
    (moved / "manifest.json").write_text(json.dumps([entry]))
    studio.call("delete_midi", midi_file_id=stored["midi_file_id"])
    done = studio.consort("import", str(moved / "manifest.json"))
    assert done.returncode == 0, done.stderr
    assert studio.call("get_midi", path=name)["midi_file_id"] == stored["midi_file_id"], "the id stays"
    again = studio.consort("import", str(moved / "manifest.json"))
    assert again.returncode == 1 and "already stored" in again.stderr
    (moved / "manifest.json").write_text(json.dumps([{**entry, "path": "../outside.mid"}]))
    assert "not below" in studio.consort("import", str(moved / "manifest.json")).stderr


def test_transform_reports_what_it_changed(studio: Studio) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(20)), name=f"{new_id('source')}.mid")
    source = {"midi_file_id": stored["midi_file_id"]}
    result = studio.call(
        "transform_midi",
        **source,
        operations=[{"type": "transpose", "semitones": 12}, {"type": "quantize", "grid": "1/4"}],
        include_base64=True,
    )
    assert result["midi_file_id"] != stored["midi_file_id"]
    assert [change["type"] for change in result["changes"]] == ["transpose", "quantize"]
    notes = studio.call("read_midi_notes", midi_file_id=result["midi_file_id"], format="objects")["notes"]
    assert notes[0]["pitch"] == "C5" and all(note["start"] == int(note["start"]) for note in notes)
    assert base64.b64decode(result["base64"]) == httpx2.get(result["download_url"]).content
    assert studio.call("get_midi", **source)["bytes"] == stored["bytes"], "the source is unchanged"
    back = studio.call(
        "transform_midi", midi_file_id=result["midi_file_id"], operations=[{"type": "transpose", "semitones": -12}]
    )
    notes = studio.call("read_midi_notes", midi_file_id=back["midi_file_id"], format="objects")["notes"]
    assert notes[0]["pitch"] == "C4"


def test_split_and_merge(studio: Studio) -> None:
    whole = studio.call("validate_midi", midi_text=WALTZ, name=f"{new_id('whole')}.mid")
    parts = studio.call(
        "transform_midi", midi_file_id=whole["midi_file_id"], operations=[{"type": "split", "by": "track"}]
    )
    files = [parts, *parts["more_files"]]
    assert sum(part["note_count"] for part in files) == 9
    ids = [part["midi_file_id"] for part in files]
    merged = studio.call(
        "transform_midi", midi_file_id=ids[0], operations=[{"type": "merge", "midi_file_ids": ids[1:]}]
    )
    assert merged["note_count"] == 9 and merged["duration_ms"] == 1875


def test_parts_of_the_same_name_become_separate_files_and_all_or_none_are_stored(studio: Studio) -> None:
    text = "tempo 90\ntime 4/4\ntrack Piano piano\nC4 80\ntrack Piano piano\nC3 80\n"
    whole = studio.call("validate_midi", midi_text=text, name=f"{new_id('twins')}.mid")
    name = new_id("hands")
    request = {"midi_file_id": whole["midi_file_id"], "operations": [{"type": "split"}], "name": f"{name}.mid"}
    parts = studio.call("transform_midi", **request)
    files = [parts, *parts["more_files"]]
    assert [part["name"] for part in files] == [f"{name} - Piano.mid", f"{name} - Piano 2.mid"]
    studio.call("delete_midi", midi_file_id=files[0]["midi_file_id"])
    ok, result = studio.try_call("transform_midi", **request)
    assert not ok and result["error"]["code"] == "ALREADY_EXISTS"
    assert not studio.try_call("get_midi", path=f"{name} - Piano.mid")[0]


@pytest.mark.parametrize(
    "operation",
    [
        {"type": "transpose"},
        {"type": "transpose", "semitones": 500},
        {"type": "quantise", "grid": "1/16"},
        {"type": "quantize", "grid": "1/5"},
        {"type": "trim", "start": 4, "end": 2},
        {"type": "merge", "midi_file_ids": [new_id("midi")]},
        {"type": "extract_tracks", "tracks": [77]},
        {"type": "tempo"},
    ],
)
def test_wrong_operations_store_nothing(studio: Studio, operation: dict[str, Any]) -> None:
    name = f"{new_id('wrong')}.mid"
    ok, result = studio.try_call("transform_midi", base64=as_base64(tune(4)), operations=[operation], name=name)
    assert not ok and result["error"]["message"] and result["error"]["code"] not in ("INTERNAL_ERROR", "TIMEOUT")
    assert not studio.try_call("get_midi", path=name)[0]


def test_big_file_is_transformed_in_a_child(studio: Studio) -> None:
    operations = [{"type": "transpose", "semitones": 1}, {"type": "quantize", "grid": "1/8t", "strength": 0.5}]
    stored = studio.call("store_midi", base64=as_base64(tune(60_000)), name=f"{new_id('big')}.mid")
    result = studio.call("transform_midi", midi_file_id=stored["midi_file_id"], operations=operations)
    assert result["note_count"] == 60_000
