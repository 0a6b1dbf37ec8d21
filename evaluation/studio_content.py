"""Everything that a studio keeps, read by its own tools, to compare two studios."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx2

ToolOfStudio = Callable[..., Any]
"""Called with a tool's name and arguments; returns its result."""

_PAGE = 50


def read_content(call: ToolOfStudio) -> dict[str, Any]:
    """Return all files with their bytes, songs with notes and what can be undone, and projects with their versions."""
    return {
        "midi": {row["midi_file_id"]: _midi(call, row) for row in _pages(call, "list_midi")},
        "songs": {row["song_id"]: _song(call, row) for row in _pages(call, "list_songs")},
        "audio": {row["audio_file_id"]: _audio(call, row) for row in _pages(call, "list_audio")},
        "projects": {row["name"]: _project(call, row["name"]) for row in _projects(call)},
    }


def undo_everything(call: ToolOfStudio, song_id: str) -> list[str]:
    """Undo all steps of a song. Return its notes before, and after each step."""
    seen = [_notes(call, song_id)]
    while call("get_song_info", song_id=song_id).get("can_undo"):
        call("undo_last_action", song_id=song_id)
        seen.append(_notes(call, song_id))
    return seen


def _midi(call: ToolOfStudio, row: dict[str, Any]) -> dict[str, Any]:
    found = call("get_midi", midi_file_id=row["midi_file_id"], include_base64=True)
    return {**row, "base64": found["base64"], "updated_at": found["updated_at"], "metadata": found["metadata"]}


def _song(call: ToolOfStudio, row: dict[str, Any]) -> dict[str, Any]:
    info = call("get_song_info", song_id=row["song_id"])
    return {**row, "info": info, "notes": _notes(call, row["song_id"])}


def _notes(call: ToolOfStudio, song_id: str) -> str:
    text, cursor = "", None
    while True:
        page = call("get_notes", song_id=song_id, format="text", **({"cursor": cursor} if cursor else {}))
        text += str(page["notes"])
        cursor = page.get("next_cursor")
        if cursor is None:
            return text


def _audio(call: ToolOfStudio, row: dict[str, Any]) -> dict[str, Any]:
    url = call("get_audio_info", audio_file_id=row["audio_file_id"])["download_url"]
    kept = {name: value for name, value in row.items() if not name.endswith("_url")}
    return {**kept, "content": httpx2.get(url, timeout=60, trust_env=False).content}


def _project(call: ToolOfStudio, name: str) -> list[str]:
    newest = call("get_song", project_name=name)["version"]
    return [call("get_song", project_name=name, version=number)["script"] for number in range(1, newest + 1)]


def _projects(call: ToolOfStudio) -> Iterator[dict[str, Any]]:
    offset = 0
    while rows := call("list_projects", limit=_PAGE, offset=offset)["projects"]:
        yield from rows
        offset += len(rows)


def _pages(call: ToolOfStudio, tool: str) -> Iterator[dict[str, Any]]:
    cursor = None
    while True:
        page = call(tool, limit=_PAGE, **({"cursor": cursor} if cursor else {}))
        yield from page["items"]
        cursor = page.get("next_cursor")
        if cursor is None:
            return
