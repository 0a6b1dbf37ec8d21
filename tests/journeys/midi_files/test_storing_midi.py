"""Store MIDI files: many at the same time, many of one name, from the sandbox, up to the limits; list them by pages."""

import base64
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from consort_kit.ids import new_id
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import Studio, bytes_of, on_every_storage

pytestmark = on_every_storage


def everything(studio: Studio) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    cursor = None
    while True:
        page = studio.call("list_midi", limit=100, **({"cursor": cursor} if cursor else {}))
        items += page["items"]
        cursor = page.get("next_cursor")
        if cursor is None:
            return items


def test_a_hundred_at_once(studio: Studio) -> None:
    """All files are stored completely, and the list and the blobs agree."""
    contents = {f"{new_id('crowd')}.mid": tune(10 + index) for index in range(100)}
    blobs_before, listed_before = studio.blobs.all_keys(), {item["midi_file_id"] for item in everything(studio)}
    with ThreadPoolExecutor(100) as pool:
        stored = list(
            pool.map(lambda item: studio.call("store_midi", name=item[0], base64=as_base64(item[1])), contents.items())
        )
    new_items = [item for item in everything(studio) if item["midi_file_id"] not in listed_before]
    assert {item["name"] for item in new_items} == set(contents)
    assert len(studio.blobs.all_keys() - blobs_before) == 100
    for each in stored:
        assert bytes_of(studio.blobs, each["midi_file_id"]) == [contents[each["name"]]]


def test_one_name_at_once(studio: Studio) -> None:
    """Without `overwrite` one call succeeds, and the others store no bytes. With it one complete file remains."""
    name = f"{new_id('race')}.mid"
    before = studio.blobs.all_keys()
    with ThreadPoolExecutor(20) as pool:
        tried = list(
            pool.map(lambda n: studio.try_call("store_midi", name=name, base64=as_base64(tune(n))), range(1, 21))
        )
    winners = [result for ok, result in tried if ok]
    assert len(winners) == 1
    assert {result["error"]["code"] for ok, result in tried if not ok} == {"ALREADY_EXISTS"}
    assert len(studio.blobs.all_keys() - before) == len(bytes_of(studio.blobs, winners[0]["midi_file_id"])) == 1
    with ThreadPoolExecutor(20) as pool:
        stored = list(
            pool.map(
                lambda n: studio.call("store_midi", name=name, base64=as_base64(tune(n)), overwrite=True), range(1, 21)
            )
        )
    assert {each["midi_file_id"] for each in stored} == {winners[0]["midi_file_id"]}
    now = studio.call("get_midi", path=name, include_base64=True)
    assert base64.b64decode(now["base64"]) == tune(now["metadata"]["note_count"])


def test_a_new_name_replaced_at_once(studio: Studio) -> None:
    """The first call creates the file, and all others replace it."""
    name = f"{new_id('race')}.mid"
    with ThreadPoolExecutor(8) as pool:
        calls = [
            pool.submit(studio.call, "store_midi", name=name, base64=as_base64(tune(n)), overwrite=True)
            for n in range(1, 9)
        ]
    assert len({each.result()["midi_file_id"] for each in calls}) == 1
    now = studio.call("get_midi", path=name, include_base64=True)
    assert base64.b64decode(now["base64"]) == tune(now["metadata"]["note_count"])


def test_pages_are_complete_and_stable(studio: Studio) -> None:
    names = [f"{new_id('page')}.mid" for _ in range(7)]
    for name in names:
        studio.call("store_midi", name=name, base64=as_base64(tune(1)))
    first = studio.call("list_midi", limit=3)
    studio.call("store_midi", name=f"{new_id('late')}.mid", base64=as_base64(tune(1)))
    second = studio.call("list_midi", limit=4, cursor=first["next_cursor"])
    assert [item["name"] for item in first["items"] + second["items"]] == names[::-1]


@pytest.mark.parametrize("cursor", ["x", "!!", "AAAA", base64.urlsafe_b64encode(b"2026-01-01 midi_x").decode()])
def test_wrong_cursor(studio: Studio, cursor: str) -> None:
    ok, result = studio.try_call("list_midi", cursor=cursor)
    assert not ok and result["error"]["code"] == "INVALID_CURSOR"


def test_file_from_the_sandbox(studio: Studio) -> None:
    (studio.data / "import" / "mine.mid").write_bytes(tune(6))
    for path in ("import/mine.mid", "mine.mid"):
        stored = studio.call("store_midi", path=path, overwrite=True)
        assert stored["name"] == "mine.mid" and stored["note_count"] == 6


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/etc/passwd", "PATH_OUTSIDE_SANDBOX"),
        ("../token", "PATH_OUTSIDE_SANDBOX"),
        ("import/../token", "PATH_OUTSIDE_SANDBOX"),
        ("import/link.mid", "PATH_OUTSIDE_SANDBOX"),
        ("import/folder-link/x.mid", "PATH_OUTSIDE_SANDBOX"),
        ("import\\mine.mid", "PATH_OUTSIDE_SANDBOX"),
        ("C:/x.mid", "PATH_OUTSIDE_SANDBOX"),
        ("import/\0.mid", "INVALID_INPUT"),
        ("import/con.mid", "INVALID_NAME"),
        ("import/" + 300 * "x", "INVALID_NAME"),
        ("import/\u202emid.x", "INVALID_NAME"),
        ("token", "FILE_NOT_FOUND"),
        ("", "INVALID_NAME"),
        (".", "INVALID_NAME"),
    ],
)
def test_paths_out_of_the_sandbox(studio: Studio, tmp_path: Path, path: str, code: str) -> None:
    (tmp_path / "x.mid").write_bytes(tune(1))
    for link, target in [("link.mid", tmp_path / "x.mid"), ("folder-link", tmp_path)]:
        place = studio.data / "import" / link
        place.unlink(missing_ok=True)
        os.symlink(target, place)
    before = len(everything(studio))
    ok, result = studio.try_call("store_midi", path=path)
    assert not ok and result["error"]["code"] == code
    assert "/etc" not in result["error"]["message"]
    assert len(everything(studio)) == before


def test_damage_that_a_daw_would_accept_gives_a_warning(studio: Studio) -> None:
    stored = studio.call("store_midi", base64=as_base64(tune(40)[:-20]))
    assert stored["warnings"] and 30 < stored["note_count"] < 40


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"base64": "no base64!"}, "INVALID_BASE64"),
        ({"base64": as_base64(b"not a MIDI file")}, "INVALID_MIDI"),
        ({"base64": as_base64(b"x" * 10_600_000)}, "TOO_LARGE"),
        ({"base64": as_base64(tune(1)), "name": "../up.mid"}, "INVALID_NAME"),
        ({"base64": as_base64(tune(1)), "path": "mine.mid"}, "INVALID_INPUT"),
        ({}, "INVALID_INPUT"),
        ({"base64": 7}, "INVALID_INPUT"),
        ({"base64": as_base64(tune(1)), "name": "a\0b.mid"}, "INVALID_INPUT"),
    ],
)
def test_bad_input_stores_nothing(studio: Studio, arguments: dict[str, Any], code: str) -> None:
    before = studio.blobs.all_keys()
    ok, result = studio.try_call("store_midi", **arguments)
    assert not ok and result["error"]["code"] == code, result
    assert result["error"]["message"]
    assert studio.blobs.all_keys() == before
