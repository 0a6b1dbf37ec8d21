"""Whatever dies, no note sounds for more than a second longer, the agent answers, and its status says what happened."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from consort_playback.player.synth import JACK_SOUND, SILENT_SOUND
from tests.jack import Heard, JackServer, Receiver, running_server, sounding
from tests.playback_agent import TOKEN, Agent, Refused, is_running

LONG = {"notes": "C2+G2:w C3:w", "tempo_scale": 0.05}
MAX_SOUNDING_S = 1.0
MAX_ANSWER_S = 5.0
TRIES = 3
"""What takes 0.6 s of its second may take longer once, on a machine that is busy with other tests."""


@pytest.fixture
def server() -> Iterator[JackServer]:
    """A JACK server for a test that breaks something of it; it gets over a killed client in a fifth of a second."""
    with running_server(timeout_ms=20, name=f"consort-broken-{os.getpid()}") as running:
        yield running


@pytest.fixture
def studio_agent(server: JackServer, tmp_path: Path) -> Iterator[Agent]:
    agent = Agent(tmp_path, server.environment)
    yield agent
    agent.stop()


@pytest.fixture
def listener(server: JackServer) -> Iterator[Receiver]:
    running = Receiver(server)
    yield running
    running.close()


def seconds_to_silence(receiver: Receiver, before: list[Heard], since: float) -> float:
    """How long notes kept sounding after a moment of the monotonic clock."""
    heard = list(before)
    assert sounding(heard)
    while sounding(heard):
        assert time.monotonic() - since < 10, "a note hangs"
        heard += receiver.new()
        time.sleep(0.01)
    ended = next(index for index in range(len(before), len(heard) + 1) if not sounding(heard[:index]))
    return heard[ended - 1].when / 1e9 - since


def answers_within(agent: Agent, seconds: float) -> None:
    began = time.monotonic()
    agent.call("list_devices")
    agent.call("get_playback")
    assert time.monotonic() - began < seconds


def plays_within(agent: Agent, port: str, seconds: float) -> None:
    """A MIDI system that came back is seen again in time."""
    end = time.monotonic() + seconds
    while True:
        try:
            agent.call("playback_midi", **LONG, port_name=port)
            return
        except Refused as refused:
            assert refused.code in ("UNKNOWN_PORT", "PORT_UNAVAILABLE") and time.monotonic() < end, refused
            time.sleep(0.2)


@pytest.mark.parametrize(
    ("kind", "words"), [(signal.SIGKILL, "was ended by SIGKILL"), (signal.SIGSTOP, "hung")], ids=["killed", "hangs"]
)
def test_player(studio_agent: Agent, listener: Receiver, kind: signal.Signals, words: str) -> None:
    for _ in range(TRIES):
        started = studio_agent.call("playback_midi", **LONG)
        before = listener.wait_for(3)
        [pid] = studio_agent.player_pids()
        began = time.monotonic()
        os.kill(pid, kind)
        sounded_s = seconds_to_silence(listener, before, began)
        assert studio_agent.playback(started["playback_id"])["state"] == "failed", "as soon as it is silent"
        answers_within(studio_agent, MAX_ANSWER_S)
        listener.new()
        if sounded_s < MAX_SOUNDING_S:
            break
    assert sounded_s < MAX_SOUNDING_S
    again = studio_agent.call("playback_midi", **LONG)
    assert [each.message.hex() for each in listener.wait_for(3)] == ["c000", "902440", "902b40"], "none is cut off"
    reason = studio_agent.playback(started["playback_id"])["reason"]
    assert words in reason and "its notes were ended" in reason
    assert studio_agent.playback(again["playback_id"])["state"] == "playing"


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGTERM])
def test_agent(
    studio_agent: Agent, server: JackServer, listener: Receiver, kind: signal.Signals, tmp_path: Path
) -> None:
    playback = studio_agent.call("playback_midi", **LONG)["playback_id"]
    before = listener.wait_for(3)
    pids = list(studio_agent.children())
    began = time.monotonic()
    studio_agent.process.send_signal(kind)
    assert seconds_to_silence(listener, before, began) < MAX_SOUNDING_S
    while any(map(is_running, pids)):
        assert time.monotonic() - began < 5, "nothing of it may stay"
        time.sleep(0.05)
    studio_agent.process.wait()
    again = Agent(tmp_path, server.environment)
    try:
        told = again.call("get_playback")["playbacks"]
        if kind == signal.SIGTERM:
            assert told == []
            return
        assert [(each["playback_id"], each["state"]) for each in told] == [(playback, "failed")]
        assert "agent died" in again.playback(playback)["reason"]
        assert again.call("stop_playback", playback_id=playback)["stopped"] == []
        with pytest.raises(Refused, match="NOT_PLAYING"):
            again.call("control_playback", playback_id=playback, action="resume")
    finally:
        again.stop()


def test_client(studio_agent: Agent, listener: Receiver) -> None:
    """Who started a playback may go: it is the agent's."""
    code = f"""
import http.client, json, time
connection = http.client.HTTPConnection("127.0.0.1", {studio_agent.port})
headers = {{"Authorization": "Bearer {TOKEN}", "Content-Type": "application/json"}}
connection.request("POST", "/tools/playback_midi", json.dumps({{"notes": "C2:w"}}), headers)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code]) as client:
        before = listener.wait_for(2)
        client.kill()
    assert sounding(before)
    answers_within(studio_agent, MAX_ANSWER_S)
    assert sounding([*before, *listener.wait_for(1)]) == set(), "it ends as it is written"
    [playback] = studio_agent.call("get_playback")["playbacks"]
    assert playback["state"] == "finished"


def test_what_is_owed_to_a_port_does_not_cut_off_what_plays_on_it_next(
    studio_agent: Agent, server: JackServer, listener: Receiver
) -> None:
    other = Receiver(server, "other")
    gone = studio_agent.call("playback_midi", **LONG, port_name="other")["playback_id"]
    other.wait_for(3)
    other.kill()
    studio_agent.wait_until(gone, "failed", timeout_s=MAX_ANSWER_S)
    back = Receiver(server, "other")
    plays_within(studio_agent, back.port, MAX_ANSWER_S)
    heard = back.wait_for(8)
    assert sounding(heard) == {(0, 36), (0, 43)}
    assert [each.message.hex() for each in heard[-3:]] == ["c000", "902440", "902b40"]
    back.close()


def test_receiver_vanishes_and_comes_back(studio_agent: Agent, server: JackServer, listener: Receiver) -> None:
    other = Receiver(server, "other")
    gone = studio_agent.call("playback_midi", **LONG, port_name="other")["playback_id"]
    stays = studio_agent.call("playback_midi", **LONG, port_name=listener.port)["playback_id"]
    other.wait_for(3)
    listener.wait_for(3)
    other.kill()
    ended = studio_agent.wait_until(gone, "failed", timeout_s=MAX_ANSWER_S)
    assert "is gone" in ended["reason"]
    answers_within(studio_agent, MAX_ANSWER_S)
    assert studio_agent.playback(stays)["state"] == "playing"
    assert listener.messages() == []
    back = Receiver(server, "other")
    offs = [message.hex() for _, message in back.wait_for(5)]
    assert offs == ["802440", "802b40", "b04000", "b07b00", "b07800"], "a device that was unplugged may still sound"
    back.close()


@pytest.mark.parametrize("music", ["sparse", "dense"])
def test_jack_server_dies(
    studio_agent: Agent, server: JackServer, listener: Receiver, music: str, dense: Callable[[int], str]
) -> None:
    """In dense music rtmidi then spins and never returns."""
    source = {"base64": dense(4000), "loop": True, "tempo_scale": 0.2} if music == "dense" else LONG
    playback = studio_agent.call("playback_midi", **source)["playback_id"]
    listener.wait_for(3)
    [pid] = studio_agent.player_pids()
    server.kill()
    answers_within(studio_agent, MAX_ANSWER_S)
    ended = studio_agent.wait_until(playback, "failed", timeout_s=MAX_ANSWER_S)
    assert "is gone" in ended["reason"] or "hung" in ended["reason"] or "ended by" in ended["reason"]
    assert not is_running(pid)
    server.start()
    again = Receiver(server)
    plays_within(studio_agent, again.port, MAX_ANSWER_S)
    assert sounding(again.wait_for(3)) == {(0, 36), (0, 43)}
    again.close()


def test_jack_server_is_started_anew_at_once(studio_agent: Agent, server: JackServer) -> None:
    """Before anybody saw that it was gone, and with the same ports: who played on the old one is heard no more."""
    before = Receiver(server, "synth")
    playback = studio_agent.call("playback_midi", **LONG, port_name="synth:in")["playback_id"]
    before.wait_for(3)
    server.kill()
    before.kill()
    server.start()
    again = Receiver(server, "synth")
    plays_within(studio_agent, again.port, MAX_ANSWER_S)
    ended = studio_agent.playback(playback)
    assert ended["state"] == "failed" and "server died" in ended["reason"]
    heard = again.wait_for(8)
    assert sounding(heard) == {(0, 36), (0, 43)}
    assert heard[-1].message.hex() == "902b40", "what ends the notes of before comes first"
    again.close()


def test_jack_server_dies_by_which_the_synth_is_heard(studio_agent: Agent, server: JackServer) -> None:
    """The synth is told to be silent as long as it is."""
    started = studio_agent.call("playback_midi", **LONG, port_name="synth")
    assert started["sound"] == JACK_SOUND
    [pid] = studio_agent.player_pids()
    server.kill()
    answers_within(studio_agent, MAX_ANSWER_S)
    ended = studio_agent.wait_until(started["playback_id"], "failed", timeout_s=MAX_ANSWER_S)
    assert "The JACK server died, by which the synth was heard" in ended["reason"]
    assert not is_running(pid)
    silent = studio_agent.call("playback_midi", **LONG, port_name="synth")
    assert silent["sound"] == SILENT_SOUND
    server.start()
    studio_agent.call("stop_playback", all=True)
    assert studio_agent.call("playback_midi", **LONG, port_name="synth")["sound"] == JACK_SOUND
