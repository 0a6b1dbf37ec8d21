"""Test the paths of files in answers: readable names that tools accept, and the full path on the user's machine."""

from pathlib import Path
from typing import Any

import httpx2
import pytest

from consort_kit.ids import new_id
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import Studio


def made_by(studio: Studio, tool: str) -> dict[str, Any]:
    """Call a tool that makes a file, and return its answer and the title."""
    title = f"Lake {new_id('l')[-6:]}"
    if tool == "store_midi":
        answer = studio.call("store_midi", base64=as_base64(tune(4)), name=f"{title}.mid")
    elif tool == "get_midi":
        stored = studio.call("store_midi", base64=as_base64(tune(4)), name=f"{title}.mid")
        answer = studio.call("get_midi", midi_file_id=stored["midi_file_id"])
    elif tool == "validate_midi":
        answer = studio.call("validate_midi", midi_text=f"X:1\nT:{title}\nQ:1/4=90\nK:C\nCDEG|]")
    elif tool == "transform_midi":
        stored = studio.call("store_midi", base64=as_base64(tune(4)), name=f"{title}.mid")
        operations = [{"type": "transpose", "semitones": 1}]
        answer = studio.call("transform_midi", midi_file_id=stored["midi_file_id"], operations=operations)
    elif tool == "song_export_midi":
        studio.call("create_song", title=title, tracks={"Lead": "Flute"})
        answer = studio.call("song_export_midi")
    else:
        answer = studio.call("compose_export_midi", stream=f"X:1\nT:{title}\nQ:1/4=90\nK:C\nCDEG|]")["data"]["midi"]
    return {"title": title, **answer}


@pytest.mark.parametrize(
    "tool", ["store_midi", "get_midi", "validate_midi", "transform_midi", "song_export_midi", "compose_export_midi"]
)
def test_a_file_is_where_the_answer_says(studio: Studio, tool: str) -> None:
    made = made_by(studio, tool)
    assert made["path"] == f"midi/{made['title']}{' transposed' if tool == 'transform_midi' else ''}.mid"
    assert made["full_path"] == str(studio.data / made["path"])
    content = Path(made["full_path"]).read_bytes()
    assert content == httpx2.get(made["download_url"]).content
    for path in (made["path"], made["path"].removeprefix("midi/")):
        assert studio.call("store_midi", path=path)["midi_file_id"] == made["midi_file_id"], "it is stored already"
        assert studio.call("get_midi", path=path)["midi_file_id"] == made["midi_file_id"]
    copied = studio.call("store_midi", path=made["path"], name=f"copy of {made['title']}.mid")
    assert copied["midi_file_id"] != made["midi_file_id"] and copied["bytes"] == len(content)
    exported = studio.call("export_midi", path=made["path"])
    assert exported["full_path"] == str(studio.data / exported["export_path"])
    assert Path(exported["full_path"]).read_bytes() == content
    assert httpx2.get(exported["download_url"]).content == content
    for tool_that_reads in ("get_midi", "read_midi_notes", "render_piano_roll"):
        assert studio.call(tool_that_reads, path=exported["export_path"])
    assert studio.call("store_midi", path=exported["export_path"], overwrite=True)["bytes"] == len(content)


def test_a_file_in_the_export_folder_stays_valid_as_input(studio: Studio) -> None:
    name = f"{new_id('e')}.mid"
    stored = studio.call("store_midi", base64=as_base64(tune(6)), name=name)
    path = studio.call("export_midi", midi_file_id=stored["midi_file_id"])["export_path"]
    assert studio.call("store_midi", path=path)["midi_file_id"] == stored["midi_file_id"], "the same bytes and name"
    again = studio.call("export_midi", path=path, export_name=f"again {name}")
    assert again["export_path"] == f"export/again {name}"
    studio.call("transform_midi", path=path, operations=[{"type": "transpose", "semitones": 1}])


def test_a_named_file_has_the_newest_bytes_and_is_deleted_with_its_file(studio: Studio) -> None:
    name = f"{new_id('r')}.mid"
    first = studio.call("store_midi", base64=as_base64(tune(3)), name=name)
    second = studio.call("store_midi", base64=as_base64(tune(5)), name=name, overwrite=True)
    assert first["full_path"] == second["full_path"]
    assert Path(second["full_path"]).read_bytes() == tune(5)
    studio.call("delete_midi", midi_file_id=second["midi_file_id"])
    assert not Path(second["full_path"]).exists()
    assert not studio.try_call("get_midi", path=second["path"])[0]


def test_a_file_of_the_user_is_never_replaced(studio: Studio) -> None:
    name = f"{new_id('own')}.mid"
    (studio.data / "midi" / name).write_bytes(tune(2))
    stored = studio.call("store_midi", base64=as_base64(tune(9)), name=name)
    assert "full_path" not in stored, "no readable file has this content"
    assert (studio.data / "midi" / name).read_bytes() == tune(2)
    studio.call("delete_midi", midi_file_id=stored["midi_file_id"])
    assert (studio.data / "midi" / name).read_bytes() == tune(2)


def test_default_names_have_no_random_letters(studio: Studio) -> None:
    stored = [studio.call("store_midi", base64=as_base64(tune(7))) for _ in range(2)]
    assert [each["name"].rstrip("0123456789 .mid") for each in stored] == ["untitle", "untitle"]
    assert len({each["name"] for each in stored}) == 2
    linked = studio.call("store_midi", upload_link=True)
    assert linked["name"].startswith("untitled")
    assert httpx2.put(linked["upload_url"], content=tune(8)).status_code == 200
    assert studio.call("get_midi", midi_file_id=linked["midi_file_id"])["metadata"]["note_count"] == 8
