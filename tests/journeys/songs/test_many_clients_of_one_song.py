"""Let twenty clients edit one song at the same time. No accepted edit is lost, versions are unique, undo works."""

import threading
import time
from collections import Counter
from typing import Any

import pytest

from consort_cli.mcp_client import McpConnection
from tests.support.servers.studio import Studio

CLIENTS = 20


class Work:
    """Clients that edit a song until the time is over, and the results of their calls."""

    def __init__(self, studio: Studio, song_id: str) -> None:
        self._studio = studio
        self._song_id = song_id
        self.versions: list[int] = []
        self.notes: Counter[tuple[str, int]] = Counter()
        self.errors: list[Any] = []
        self._done = threading.Event()

    def run(self, seconds: float) -> None:
        threads = [threading.Thread(target=self._client, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        self._done.set()
        for thread in threads:
            thread.join()

    def _client(self, number: int) -> None:
        """Add notes at a pitch and beats that no other client uses. Every fourth time, remove the last note again."""
        connection = McpConnection(self._studio.url, self._studio.token)
        track, step = f"T{number % 4}", 0
        while not self._done.is_set():
            beat = number + CLIENTS * step
            if step % 4 == 3:
                place = {"track": track, "start_time": beat - CLIENTS, "end_time": beat - CLIENTS + 1}
                ok, result = connection.call_tool("remove_notes_in_range", {"song_id": self._song_id, **place})
                change = (track, beat - CLIENTS), -1
            else:
                note = {"pitch": 40 + number, "start": beat}
                arguments = {"song_id": self._song_id, "track": track, "notes": [note]}
                ok, result = connection.call_tool("add_notes", arguments)
                change = (track, beat), 1
            if ok:
                self.versions.append(result["version"])
                self.notes[change[0]] += change[1]
            else:
                self.errors.append(result)
            step += 1
        connection.close()


def edit_together(studio: Studio, seconds: float) -> None:
    song_id = studio.call("create_song", tracks={f"T{number}": "piano" for number in range(4)})["song_id"]
    work = Work(studio, song_id)
    work.run(seconds)
    assert not work.errors, work.errors[:3]
    print(f"{len(work.versions)} edits in {seconds:g} s")
    assert sorted(work.versions) == list(range(2, 2 + len(work.versions))), (
        "each edit has its own version, and none is missing"
    )
    found: list[tuple[str, int]] = []
    cursor: int | None = 0
    while cursor is not None:
        page = studio.call("get_notes", song_id=song_id, format="objects", limit=2000, cursor=cursor)
        found += [(note["track"], note["start"]) for note in page["notes"]]
        cursor = page.get("next_cursor")
    assert Counter(found) == +work.notes, "every accepted edit is there"
    last = studio.call("get_song_info", song_id=song_id)
    assert last["version"] == 1 + len(work.versions) and last["note_count"] == len(found)
    for _ in range(10):
        studio.call("undo_last_action", song_id=song_id)
    for _ in range(10):
        redone = studio.call("redo_last_action", song_id=song_id)
    assert (redone["note_count"], redone["redo_steps_left"]) == (len(found), 0)


def test_twenty_clients(studio: Studio) -> None:
    edit_together(studio, 5)


@pytest.mark.long
def test_twenty_clients_for_half_a_minute(studio: Studio) -> None:
    edit_together(studio, 30)
