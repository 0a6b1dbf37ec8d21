"""Add the pieces to a studio, and take them out again."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from consort_cli.demo.demo_pieces import DemoPiece
from consort_cli.demo.made_things import FIELDS, MadeThings, things_in
from consort_cli.scripted_calls import ScriptAnswers

CallTool = Callable[[str, dict[str, Any]], tuple[bool, Any]]
"""Calls a tool. Returns whether the call succeeded, and its answer or error."""

_READ = {"song_id": "get_song_info", "midi_file_id": "get_midi", "audio_file_id": "get_audio_info"}
_DELETE = {"song_id": "delete_song", "midi_file_id": "delete_midi", "audio_file_id": "delete_audio"}


class DemoFailure(Exception):
    """A call failed. The text is the message of the tool."""


def is_there(call_tool: CallTool, made: MadeThings, piece: DemoPiece) -> bool:
    """Return whether the studio still has the piece: the song, file or project that was made first."""
    things = made.of(piece.name)
    for field in FIELDS:
        for value in things.get(field, [])[:1]:
            ok, answer = call_tool(_READ.get(field, "get_song"), {field: value})
            return ok or not _is_gone(answer)
    return False


def add_piece(call_tool: CallTool, made: MadeThings, piece: DemoPiece) -> str | None:
    """Add a piece, and return the link to hear it, if there is one.

    If a call fails, what was made is taken out again, and DemoFailure is raised.
    """
    answers = ScriptAnswers()
    for call in piece.calls:
        ok, answer = call_tool(call.tool, answers.fill(call.arguments))
        if not ok:
            with suppress(DemoFailure):  # the first failure is the one to report
                remove_piece(call_tool, made, piece.name)
            raise DemoFailure(f"{call.tool}: {_message(answer)}")
        made.add(piece.name, things_in(answer))
        answers.keep(call, answer)
    return answers.newest.get("listen_url")


def remove_piece(call_tool: CallTool, made: MadeThings, piece: str) -> None:
    """Delete everything of a piece that is still there. Raise DemoFailure if something cannot be deleted."""
    for field, values in made.of(piece).items():
        for value in values:
            if field == "project_name":
                ok, answer = call_tool("delete_project", {field: value, "confirm": True})
            else:
                ok, answer = call_tool(_DELETE[field], {field: value})
            if not ok and not _is_gone(answer):
                raise DemoFailure(f"{value}: {_message(answer)}")
    made.forget(piece)


def _is_gone(error: Any) -> bool:
    return bool(error["error"]["code"] == "NOT_FOUND")


def _message(error: Any) -> str:
    return str(error["error"]["message"])
