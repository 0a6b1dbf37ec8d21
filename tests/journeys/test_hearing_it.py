"""Music of the studio, heard on a MIDI port; the agent is on the host and reaches the studio by the gateway alone."""

from collections.abc import Iterator

import pytest

from consort_cli.commands.agent import by_the_gateway
from consort_kit.services import SERVICES
from tests.jack import Receiver, running_server
from tests.midi_files import as_base64, tune
from tests.playback_agent import Agent, Refused
from tests.studio import Studio


@pytest.fixture(scope="module")
def place(studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Agent, Receiver]]:
    """As `consort agent` runs beside containers, whose services it cannot reach."""
    with running_server() as server:
        door = by_the_gateway(studio.port_base + SERVICES["playback"].port_offset)
        environment = {**server.environment, "CONSORT_SERVICE_URLS": door}
        agent = Agent(tmp_path_factory.mktemp("host"), environment, studio.token)
        receiver = Receiver(server)
        yield agent, receiver
        agent.stop()
        receiver.close()


def pitches(messages: list[bytes]) -> list[int]:
    return [message[1] for message in messages if message[0] & 0xF0 == 0x90 and message[2]]


def test_a_stored_file(studio: Studio, place: tuple[Agent, Receiver]) -> None:
    agent, receiver = place
    stored = studio.call("store_midi", base64=as_base64(tune(5)), name="heard.mid", overwrite=True)
    started = agent.call("playback_midi", file_id=stored["midi_file_id"], tempo_scale=10)
    agent.wait_until(started["playback_id"], "finished")
    assert pitches(receiver.messages()) == [60, 61, 62, 63, 64]
    assert started["title"] == "heard" and "edits" not in started
    with pytest.raises(Refused) as refused:
        agent.call("playback_midi", midi_file_id=f"midi_{'0' * 26}")
    assert refused.value.code == "NOT_FOUND"


def test_a_looped_song_follows_its_editing(studio: Studio, place: tuple[Agent, Receiver]) -> None:
    agent, receiver = place
    song = studio.call("create_song", title="loop", tracks={"Lead": "Flute"})["song_id"]
    studio.call("add_notes", song_id=song, track="Lead", notes="C4 1; D4 1; E4 1; F4 1")
    started = agent.call("playback_midi", song_id=song, loop=True, tempo_scale=4)
    heard = receiver.wait_for(18)
    studio.call("add_notes", song_id=song, track="Lead", notes="G5 @4 1")
    heard += receiver.wait_for(60)
    rounds = " ".join(map(str, pitches([each.message for each in heard]))).split("60 ")[1:-1]
    before, after = "62 64 65 ", "62 64 65 79 "
    assert set(rounds) == {before, after} and rounds == sorted(rounds, key=len), "first as it was, then as it is"
    there = agent.call("control_playback", playback_id=started["playback_id"], seek="2:1")
    assert there["position"] == "2:1", "a bar that the song has only since it was changed"
    now = agent.playback(started["playback_id"])
    # two bars, though the last note ends before
    assert now["state"] == "playing" and now["duration_ms"] == 4000 and now["loops"] >= len(rounds)
    agent.call("stop_playback", playback_id=started["playback_id"])


def test_an_edit_is_heard_when_the_answer_says(studio: Studio, place: tuple[Agent, Receiver]) -> None:
    agent, receiver = place
    song = studio.call("create_song", title="Rain/Wind", tracks={"Lead": "Flute"})["song_id"]
    studio.call("add_notes", song_id=song, track="Lead", notes="C4 1; D4 60")
    for field in ("song_id", "midi_file_id"):
        once = agent.call("playback_midi", **{field: song})
        assert once["title"] == "Rain/Wind"
        assert "restart" in once["edits"] and "round" not in once["edits"]
        told = agent.call("get_playback", playback_id=once["playback_id"])["playbacks"][0]
        assert (told["title"], told["edits"]) == ("Rain/Wind", once["edits"])
        agent.call("stop_playback")
    looped = agent.call("playback_midi", song_id=song, loop=True)
    assert "next round" in looped["edits"] and "restart" in looped["edits"]
    receiver.messages()
    studio.call("add_notes", song_id=song, track="Lead", notes="G5 @2 1")
    again = agent.call("control_playback", playback_id=looped["playback_id"], action="restart", tempo_scale=10)
    assert again["state"] == "playing" and again["loop"] is True
    heard = receiver.wait_for(4)
    while 79 not in pitches([each.message for each in heard]):
        heard += receiver.wait_for(1)
    assert 60 in pitches([each.message for each in heard])
    agent.call("stop_playback", all=True)


def test_a_composed_score(studio: Studio, place: tuple[Agent, Receiver]) -> None:
    agent, receiver = place
    composed = studio.call("generate_melody", key="C major", length_measures=2, seed=3)
    started = agent.call("playback_midi", score_id=composed["score_id"], tempo_scale=10)
    agent.wait_until(started["playback_id"], "finished")
    assert len(pitches(receiver.messages())) >= 2
