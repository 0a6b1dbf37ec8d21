"""The pieces of `consort demo`, and what happens when a call fails. A real studio is used by the journey."""

from pathlib import Path
from typing import Any

import pytest

from consort_cli.demo.adding import DemoFailure, add_piece, is_there, remove_piece
from consort_cli.demo.demo_pieces import load_demo_pieces
from consort_cli.demo.made_things import MadeThings
from consort_cli.main import main
from consort_gateway.tools.catalogue import load_catalogue

PIECE = load_demo_pieces()[0]


class StudioInMemory:
    """Keeps the ids that calls have made. The call whose tool is `broken` fails."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.kept: set[str] = set()

    def call_tool(self, tool: str, arguments: dict[str, Any]) -> tuple[bool, Any]:
        if tool == self.broken:
            return False, {"error": {"code": "INVALID_INPUT", "message": "It does not work."}}
        named = [value for value in arguments.values() if isinstance(value, str) and value in self.kept]
        if tool.startswith(("delete_", "get_")) and not named:
            return False, {"error": {"code": "NOT_FOUND", "message": "It is gone."}}
        if tool.startswith("delete_"):
            self.kept -= set(named)
            return True, {}
        made = {"create_song": {"song_id": "song_1"}, "midi_to_audio": {"audio_file_id": "audio_1", "listen_url": "L"}}
        self.kept |= {value for value in made.get(tool, {}).values() if value != "L"}
        return True, made.get(tool, {"score_id": "score_1"})


def test_six_pieces_of_known_tools() -> None:
    tools = {tool.name: tool.input_schema["properties"].keys() for tool in load_catalogue()}
    pieces = load_demo_pieces()
    assert len(pieces) == len({piece.title for piece in pieces}) == 6
    for piece in pieces:
        assert piece.title in piece.ask and piece.about.endswith(".")
        assert all(call.arguments.keys() <= tools[call.tool] for call in piece.calls)


def test_a_piece_is_remembered_until_it_is_removed(tmp_path: Path) -> None:
    studio, made = StudioInMemory(), MadeThings(tmp_path)
    assert not is_there(studio.call_tool, made, PIECE)
    assert add_piece(studio.call_tool, made, PIECE) == "L"
    again = MadeThings(tmp_path)
    assert again.of(PIECE.name) == {"song_id": ["song_1"], "audio_file_id": ["audio_1"]}
    assert is_there(studio.call_tool, again, PIECE)
    remove_piece(studio.call_tool, again, PIECE.name)
    assert not studio.kept and not is_there(studio.call_tool, again, PIECE)
    assert MadeThings(tmp_path).pieces() == [] and not list(tmp_path.iterdir())


def test_half_a_piece_is_taken_out_again(tmp_path: Path) -> None:
    studio, made = StudioInMemory(broken="midi_to_audio"), MadeThings(tmp_path)
    with pytest.raises(DemoFailure, match=r"midi_to_audio: It does not work\."):
        add_piece(studio.call_tool, made, PIECE)
    assert not studio.kept and made.pieces() == []


def test_what_the_user_deleted_does_not_stop_the_removal(tmp_path: Path) -> None:
    studio, made = StudioInMemory(), MadeThings(tmp_path)
    add_piece(studio.call_tool, made, PIECE)
    studio.kept.remove("song_1")
    assert not is_there(studio.call_tool, made, PIECE)
    remove_piece(studio.call_tool, made, PIECE.name)
    assert not studio.kept


def test_what_cannot_be_deleted_is_kept_in_mind(tmp_path: Path) -> None:
    studio, made = StudioInMemory(), MadeThings(tmp_path)
    add_piece(studio.call_tool, made, PIECE)
    studio.broken = "delete_song"
    with pytest.raises(DemoFailure, match=r"song_1: It does not work\."):
        remove_piece(studio.call_tool, made, PIECE.name)
    assert MadeThings(tmp_path).of(PIECE.name)["song_id"] == ["song_1"]


@pytest.mark.parametrize("options", [[], ["--remove"]])
def test_without_a_studio_it_says_how_to_start_one(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--data", str(tmp_path), *options]) == 1
    assert f"No studio runs in {tmp_path}. Start it with `./consort up`" in capsys.readouterr().err
