"""Test that a call without song_id uses the song that the calling client used last."""

import asyncio
import json
from contextlib import AsyncExitStack
from typing import Any

import httpx2
import pytest

from evaluation.mcp_answers import answer_of, error_of
from evaluation.processes.jack import Receiver, running_jack
from evaluation.processes.playback_agent import AgentProcess
from tests.support.servers.mcp_clients import MODERN, over_http, over_stdio
from tests.support.servers.studio import Studio


def test_edits_of_six_clients_in_turns(studio: Studio) -> None:
    async def main() -> None:
        async with AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(each)
                for each in (
                    over_http(studio, "legacy"),
                    over_http(studio, "legacy"),
                    over_http(studio, MODERN, **{"Consort-Client": "first"}),
                    over_http(studio, MODERN, **{"Consort-Client": "second"}),
                    over_stdio(studio, "legacy"),
                    over_stdio(studio, MODERN),
                )
            ]
            songs: list[str] = []
            for number, client in enumerate(clients):
                made = answer_of(
                    await client.call_tool("create_song", {"title": f"Song {number}", "tracks": {"Lead": "Flute"}})
                )
                assert made["song_id"] not in songs and "song_id" in made["next"]
                songs.append(made["song_id"])
            for beat in range(3):
                notes = {"track": "Lead", "notes": f"C4 @{beat}"}
                added = [answer_of(await client.call_tool("add_notes", notes)) for client in clients]
                assert [each["song_id"] for each in added] == songs
                assert [each["title"] for each in added] == [f"Song {number}" for number in range(6)]
                assert {each["version"] for each in added} == {beat + 2}
            undone = await asyncio.gather(*(client.call_tool("undo_last_action", {}) for client in clients))
            assert [answer_of(each)["song_id"] for each in undone] == songs

    asyncio.run(main())


def test_a_client_without_an_id_is_asked_which_song(studio: Studio) -> None:
    async def main() -> None:
        async with over_http(studio, MODERN) as client:
            titles = ("Wind", "Rain", "Snow")
            made = [answer_of(await client.call_tool("create_song", {"title": title})) for title in titles]
            error = error_of(await client.call_tool("add_track", {"name": "Lead", "instrument": "Flute"}))
            assert error["code"] == "SONG_ID_NEEDED" and error["field"] == "song_id"
            newest_first = zip(reversed(made), reversed(titles), strict=True)
            assert error["suggestions"] == [f"{song['song_id']} ({title})" for song, title in newest_first]

    asyncio.run(main())


def test_a_header_identifies_the_client_to_a_service(studio: Studio) -> None:
    url = f"{studio.url_of('compose')}/tools"

    def post(tool: str, client: str, **body: Any) -> httpx2.Response:
        return httpx2.post(f"{url}/{tool}", headers={**studio.headers, "Consort-Client": client}, json=body)

    one, other = (post("create_song", client).json()["song_id"] for client in ("x", "y"))
    assert [post("get_tracks", client).json()["song_id"] for client in ("x", "y", "x")] == [one, other, one]
    wrong = post("get_tracks", "a b")
    assert (wrong.status_code, wrong.json()["error"]["field"]) == (422, "Consort-Client")


def test_the_command_line_continues_with_its_last_song(studio: Studio) -> None:
    def call(*arguments: str) -> Any:
        done = studio.consort("call", *arguments)
        assert done.returncode == 0, done.stdout
        return json.loads(done.stdout)

    mine = call("create_song", "title=Mine")["song_id"]
    studio.call("create_song", title="Another client's")
    assert call("get_tracks")["song_id"] == mine


@pytest.mark.parametrize("read", ["render", "compose"])
def test_pictures_and_the_composer_do_not_change_the_last_used_song(studio: Studio, read: str) -> None:
    other = studio.call("create_song", title="Other", tracks={"Lead": "Flute"})["song_id"]
    studio.call("add_notes", track="Lead", notes="C4 1; E4; G4; C5")
    mine = studio.call("create_song", title="Mine", tracks={"Lead": "Flute"})["song_id"]
    if read == "compose":
        studio.call("analyze_harmony", song_id=other)
    else:
        midi_file_id = studio.call("song_export_midi", song_id=other)["midi_file_id"]
        studio.call("get_tracks", song_id=mine)
        studio.call("render_piano_roll", midi_file_id=midi_file_id)
    assert studio.call("get_tracks")["song_id"] == mine


def test_a_looping_song_does_not_change_the_last_used_song(
    studio: Studio, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The agent reads the song before each round, to play its newest version."""
    with running_jack() as server:
        urls = json.dumps({"compose": studio.url_of("compose"), "midi-store": studio.url_of("midi-store")})
        agent = AgentProcess(
            tmp_path_factory.mktemp("agent"), {**server.environment, "CONSORT_SERVICE_URLS": urls}, studio.token
        )
        receiver = Receiver(server)
        try:
            looping = studio.call("create_song", title="Looping", tracks={"Lead": "Flute"})["song_id"]
            studio.call("add_notes", track="Lead", notes="C4 1; D4; E4; F4")
            agent.call("playback_midi", song_id=looping, loop=True, tempo_scale=4)
            mine = studio.call("create_song", title="Mine", tracks={"Lead": "Flute"})["song_id"]
            for _ in range(4):
                receiver.wait_for(16)  # more than a round
                added = studio.call("add_notes", track="Lead", notes="C5")
                assert (added["song_id"], added["title"]) == (mine, "Mine")
        finally:
            agent.stop()
            receiver.close()
