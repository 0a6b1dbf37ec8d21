"""Play music of the studio on a MIDI port. The agent runs on the host and reaches only the gateway of the studio."""

from collections.abc import Iterator

import pytest

from consort_cli.commands.agent import gateway_urls
from consort_kit.services import SERVICES
from evaluation.processes.jack import Receiver, running_jack
from evaluation.processes.playback_agent import AgentError, AgentProcess
from tests.support.midi_files import as_base64, tune
from tests.support.servers.studio import Studio


@pytest.fixture(scope="module")
def place(studio: Studio, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AgentProcess, Receiver]]:
    """Run an agent that reaches only the gateway, like `consort agent` for a studio in containers."""
    with running_jack() as server:
        door = gateway_urls(studio.port_base + SERVICES["playback"].port_offset)
        environment = {**server.environment, "CONSORT_SERVICE_URLS": door}
        agent = AgentProcess(tmp_path_factory.mktemp("host"), environment, studio.token)
        receiver = Receiver(server)
        yield agent, receiver
        agent.stop()
        receiver.close()


def pitches(messages: list[bytes]) -> list[int]:
    return [message[1] for message in messages if message[0] & 0xF0 == 0x90 and message[2]]


def test_a_stored_file(studio: Studio, place: tuple[AgentProcess, Receiver]) -> None:
    agent, receiver = place
    receiver.messages()  # of other tests
    stored = studio.call("store_midi", base64=as_base64(tune(5)), name="heard.mid", overwrite=True)
    started = agent.call("playback_midi", file_id=stored["midi_file_id"], tempo_scale=10)
    agent.wait_until(started["playback_id"], "finished")
    assert pitches(receiver.messages()) == [60, 61, 62, 63, 64]
    assert started["title"] == "heard" and "edits" not in started
    with pytest.raises(AgentError) as rejected:
        agent.call("playback_midi", midi_file_id=f"midi_{'0' * 26}")
    assert rejected.value.code == "NOT_FOUND"


def test_a_looped_song_follows_its_editing(studio: Studio, place: tuple[AgentProcess, Receiver]) -> None:
    agent, receiver = place
    song = studio.call("create_song", title="loop", tracks={"Lead": "Flute"})["song_id"]
    studio.call("add_notes", song_id=song, track="Lead", notes="C4 1; D4 1; E4 1; F4 1")
    started = agent.call("playback_midi", song_id=song, loop=True, tempo_scale=4)
    heard = receiver.wait_for(18)
    studio.call("add_notes", song_id=song, track="Lead", notes="G5 @4 1")
    heard += receiver.wait_for(60)
    rounds = " ".join(map(str, pitches([each.message for each in heard]))).split("60 ")[1:-1]
    before, after = "62 64 65 ", "62 64 65 79 "
    assert set(rounds) == {before, after} and rounds == sorted(rounds, key=len), "first the old rounds, then the new"
    there = agent.call("control_playback", playback_id=started["playback_id"], seek="2:1")
    assert there["position"] == "2:1", "a bar that the edit added"
    now = agent.playback(started["playback_id"])
    # two bars, although the last note ends earlier
    assert now["state"] == "playing" and now["duration_ms"] == 4000 and now["loops"] >= len(rounds)
    agent.call("stop_playback", playback_id=started["playback_id"])


def test_an_edit_is_heard_at_the_time_that_the_answer_gives(
    studio: Studio, place: tuple[AgentProcess, Receiver]
) -> None:
    agent, receiver = place
    song = studio.call("create_song", title="Rain/Wind", tracks={"Lead": "Flute"})["song_id"]
    studio.call("add_notes", song_id=song, track="Lead", notes="C4 1; D4 60")
    for field in ("song_id", "midi_file_id"):
        once = agent.call("playback_midi", **{field: song}, mute=0)
        assert once["tracks"] == ["Lead"], "numbered as in get_tracks"
        assert once["title"] == "Rain/Wind"
        assert "restart" in once["edits"] and "round" not in once["edits"]
        described = agent.call("get_playback", playback_id=once["playback_id"])["playbacks"][0]
        assert (described["title"], described["edits"]) == ("Rain/Wind", once["edits"])
        assert described["muted"] == [0]
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


def test_a_composed_score(studio: Studio, place: tuple[AgentProcess, Receiver]) -> None:
    agent, receiver = place
    composed = studio.call("generate_melody", key="C major", length_measures=2, seed=3)
    started = agent.call("playback_midi", score_id=composed["score_id"], tempo_scale=10)
    agent.wait_until(started["playback_id"], "finished")
    assert len(pitches(receiver.messages())) >= 2
