"""After a process or a port dies, all notes end within a second, and the agent still answers and reports the reason."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from consort_playback.protocol.commands import JACK_SOUND, SILENT_SOUND
from evaluation.processes.jack import JackServer, ReceivedMessage, Receiver, running_jack, sounding
from evaluation.processes.playback_agent import TOKEN, AgentError, AgentProcess, is_running

LONG = {"notes": "C2+G2:w C3:w", "tempo_scale": 0.05}
MAX_SOUNDING_S = 1.0
"""Notes must end within this time."""
MAX_ANSWER_S = 5.0
TRIES = 3
"""How often a test may try. Notes end after about 0.6 s, but later on a machine that is busy with other tests."""


@pytest.fixture
def jack() -> Iterator[JackServer]:
    """A JACK server for one test, which may kill it. It recovers from a killed client within 0.2 seconds."""
    with running_jack(timeout_ms=20) as running:
        yield running


def seconds_to_silence(receiver: Receiver, before: list[ReceivedMessage], since: float) -> float:
    """Return how many seconds notes kept sounding after `since`, a time of the monotonic clock.

    `before` are the messages received so far.
    """
    heard = list(before)
    assert sounding(heard)
    while sounding(heard):
        assert time.monotonic() - since < 10, "a note hangs"
        heard += receiver.new()
        time.sleep(0.01)
    ended = next(index for index in range(len(before), len(heard) + 1) if not sounding(heard[:index]))
    return heard[ended - 1].when / 1e9 - since


def assert_answers_within(agent: AgentProcess, seconds: float) -> None:
    began = time.monotonic()
    agent.call("list_devices")
    agent.call("get_playback")
    assert time.monotonic() - began < seconds


def assert_plays_within(agent: AgentProcess, port: str, seconds: float) -> None:
    """Try to play until the port is listed again, for at most `seconds`."""
    end = time.monotonic() + seconds
    while True:
        try:
            agent.call("playback_midi", **LONG, port_name=port)
            return
        except AgentError as error:
            assert error.code in ("UNKNOWN_PORT", "PORT_UNAVAILABLE") and time.monotonic() < end, error
            time.sleep(0.2)


@pytest.mark.parametrize(
    ("kind", "words"), [(signal.SIGKILL, "was ended by SIGKILL"), (signal.SIGSTOP, "hung")], ids=["killed", "hangs"]
)
def test_the_port_process_is_lost(
    own_agent: AgentProcess, receiver: Receiver, kind: signal.Signals, words: str
) -> None:
    for _ in range(TRIES):
        started = own_agent.call("playback_midi", **LONG)
        before = receiver.wait_for(3)
        [pid] = own_agent.port_process_pids()
        began = time.monotonic()
        os.kill(pid, kind)
        sounded_s = seconds_to_silence(receiver, before, began)
        assert own_agent.playback(started["playback_id"])["state"] == "failed"
        assert_answers_within(own_agent, MAX_ANSWER_S)
        receiver.new()
        if sounded_s < MAX_SOUNDING_S:
            break
    assert sounded_s < MAX_SOUNDING_S
    again = own_agent.call("playback_midi", **LONG)
    assert [each.message.hex() for each in receiver.wait_for(3)] == ["c000", "902440", "902b40"], (
        "no new note is cut off"
    )
    reason = own_agent.playback(started["playback_id"])["reason"]
    assert words in reason and "its notes were ended" in reason
    assert own_agent.playback(again["playback_id"])["state"] == "playing"


def test_a_server_that_was_held_up_has_lost_no_port(tmp_path: Path) -> None:
    """JACK drops clients when it continues, and refuses new ones for a moment."""
    with (
        running_jack(timeout_ms=500) as server,
        AgentProcess(tmp_path, server.environment) as agent,
        closing(Receiver(server)) as receiver,
    ):
        started = agent.call("playback_midi", **LONG, port_name=receiver.port)
        receiver.wait_for(3)
        server.hold_up(1.5)
        time.sleep(4)  # two times a new client of the port list
        assert agent.playback(started["playback_id"])["state"] == "playing"


def assert_ends_cleanly(agent: AgentProcess, receiver: Receiver, kind: signal.Signals) -> str:
    """Send a signal to an agent that plays. Check that its notes, its children and the agent end.

    Return the id of the playback.
    """
    playback_id: str = agent.call("playback_midi", **LONG)["playback_id"]
    before = receiver.wait_for(3)
    pids = list(agent.children())
    began = time.monotonic()
    agent.process.send_signal(kind)
    assert seconds_to_silence(receiver, before, began) < MAX_SOUNDING_S
    while any(map(is_running, pids)):
        assert time.monotonic() - began < 5, "a child process is still running"
        time.sleep(0.05)
    agent.process.wait()
    return playback_id


def test_the_agent_is_killed(own_agent: AgentProcess, jack: JackServer, receiver: Receiver, tmp_path: Path) -> None:
    """The next agent reports the lost playback as failed."""
    playback_id = assert_ends_cleanly(own_agent, receiver, signal.SIGKILL)
    with AgentProcess(tmp_path, jack.environment) as again:
        listed = again.call("get_playback")["playbacks"]
        assert [(each["playback_id"], each["state"]) for each in listed] == [(playback_id, "failed")]
        assert "agent died" in again.playback(playback_id)["reason"]
        assert again.call("stop_playback", playback_id=playback_id)["stopped"] == []
        with pytest.raises(AgentError, match="NOT_PLAYING"):
            again.call("control_playback", playback_id=playback_id, action="resume")


def test_the_agent_is_stopped(own_agent: AgentProcess, jack: JackServer, receiver: Receiver, tmp_path: Path) -> None:
    """The next agent has nothing to report."""
    assert_ends_cleanly(own_agent, receiver, signal.SIGTERM)
    with AgentProcess(tmp_path, jack.environment) as again:
        assert again.call("get_playback")["playbacks"] == []


def test_the_client_that_started_a_playback_is_killed(own_agent: AgentProcess, receiver: Receiver) -> None:
    """The playback belongs to the agent, so it continues."""
    code = f"""
import http.client, json, time
connection = http.client.HTTPConnection("127.0.0.1", {own_agent.port})
headers = {{"Authorization": "Bearer {TOKEN}", "Content-Type": "application/json"}}
connection.request("POST", "/tools/playback_midi", json.dumps({{"notes": "C2:w"}}), headers)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code]) as client:
        before = receiver.wait_for(2)
        client.kill()
    assert sounding(before)
    assert_answers_within(own_agent, MAX_ANSWER_S)
    assert sounding([*before, *receiver.wait_for(1)]) == set(), "the note ends as written"
    [playback] = own_agent.call("get_playback")["playbacks"]
    assert playback["state"] == "finished"


def test_ending_old_notes_on_a_port_does_not_cut_off_new_ones(
    own_agent: AgentProcess, jack: JackServer, receiver: Receiver
) -> None:
    other = Receiver(jack, "other")
    gone = own_agent.call("playback_midi", **LONG, port_name="other")["playback_id"]
    other.wait_for(3)
    other.kill()
    own_agent.wait_until(gone, "failed", timeout_s=MAX_ANSWER_S)
    back = Receiver(jack, "other")
    assert_plays_within(own_agent, back.port, MAX_ANSWER_S)
    heard = back.wait_for(8)
    assert sounding(heard) == {(0, 36), (0, 43)}
    assert [each.message.hex() for each in heard[-3:]] == ["c000", "902440", "902b40"]
    back.close()


def test_a_receiver_disappears_and_comes_back(own_agent: AgentProcess, jack: JackServer, receiver: Receiver) -> None:
    other = Receiver(jack, "other")
    gone = own_agent.call("playback_midi", **LONG, port_name="other")["playback_id"]
    stays = own_agent.call("playback_midi", **LONG, port_name=receiver.port)["playback_id"]
    other.wait_for(3)
    receiver.wait_for(3)
    other.kill()
    ended = own_agent.wait_until(gone, "failed", timeout_s=MAX_ANSWER_S)
    assert "is gone" in ended["reason"]
    assert_answers_within(own_agent, MAX_ANSWER_S)
    assert own_agent.playback(stays)["state"] == "playing"
    assert receiver.messages() == []
    back = Receiver(jack, "other")
    offs = [message.hex() for _, message in back.wait_for(5)]
    assert offs == ["802440", "802b40", "b04000", "b07b00", "b07800"], "an unplugged device may still sound"
    back.close()


@pytest.mark.parametrize("music", [pytest.param("sparse", marks=pytest.mark.long), "dense"])
def test_the_jack_server_dies(
    own_agent: AgentProcess, jack: JackServer, receiver: Receiver, music: str, dense: Callable[[int], str]
) -> None:
    """If the music is dense, rtmidi then spins and never returns."""
    source = {"base64": dense(4000), "loop": True, "tempo_scale": 0.2} if music == "dense" else LONG
    playback = own_agent.call("playback_midi", **source)["playback_id"]
    receiver.wait_for(3)
    [pid] = own_agent.port_process_pids()
    jack.kill()
    assert_answers_within(own_agent, MAX_ANSWER_S)
    ended = own_agent.wait_until(playback, "failed", timeout_s=MAX_ANSWER_S)
    # timing decides which is noticed first: the missing port, the stopped heartbeat, or the closed socket
    assert re.search("(is gone|hung|was ended by).*; its notes ", ended["reason"])
    assert not is_running(pid)
    jack.start()
    again = Receiver(jack)
    assert_plays_within(own_agent, again.port, MAX_ANSWER_S)
    assert sounding(again.wait_for(3)) == {(0, 36), (0, 43)}
    again.close()


def test_a_quick_restart_of_the_jack_server_is_noticed(own_agent: AgentProcess, jack: JackServer) -> None:
    """The new server has the same ports, but a client of the old server is not connected to it."""
    before = Receiver(jack, "synth")
    playback = own_agent.call("playback_midi", **LONG, port_name="synth:in")["playback_id"]
    before.wait_for(3)
    jack.kill()
    before.kill()
    jack.start()
    again = Receiver(jack, "synth")
    assert_plays_within(own_agent, again.port, MAX_ANSWER_S)
    ended = own_agent.playback(playback)
    assert ended["state"] == "failed" and "server died" in ended["reason"]
    heard = again.wait_for(8)
    assert sounding(heard) == {(0, 36), (0, 43)}
    assert heard[-1].message.hex() == "902b40", "the old notes are ended first"
    again.close()


@pytest.mark.long
def test_the_jack_server_that_carries_the_synth_dies(own_agent: AgentProcess, jack: JackServer) -> None:
    """The synth is reported as silent until a JACK server is running again."""
    started = own_agent.call("playback_midi", **LONG, port_name="synth")
    assert started["sound"] == JACK_SOUND
    [pid] = own_agent.port_process_pids()
    jack.kill()
    assert_answers_within(own_agent, MAX_ANSWER_S)
    ended = own_agent.wait_until(started["playback_id"], "failed", timeout_s=MAX_ANSWER_S)
    assert "The JACK server that carried the sound of the synth died" in ended["reason"]
    assert not is_running(pid)
    silent = own_agent.call("playback_midi", **LONG, port_name="synth")
    assert silent["sound"] == SILENT_SOUND
    jack.start()
    own_agent.call("stop_playback", all=True)
    assert own_agent.call("playback_midi", **LONG, port_name="synth")["sound"] == JACK_SOUND
