"""Starting and stopping many playbacks, one after the other or at the same time, leaks no resources."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from consort_playback.playbacks.session_registry import MAX_LISTED, MAX_REMEMBERED
from evaluation.processes.jack import Receiver, sounding
from evaluation.processes.playback_agent import AgentError, AgentProcess

CYCLES = 100
SESSIONS = 8
MAX_GROWTH_KB = 3000
MAX_GROWTH = 10
"""How many more processes, threads or files there may be after all cycles. A pool can grow, or `list_ports` start."""


def memory_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def footprint(agent: AgentProcess) -> dict[str, int]:
    pid = agent.process.pid
    return {
        "children": len(agent.children()),
        "threads": len(os.listdir(f"/proc/{pid}/task")),
        "files": len(os.listdir(f"/proc/{pid}/fd")),
    }


def test_a_hundred_playbacks_leave_nothing_behind(own_agent: AgentProcess, receiver: Receiver) -> None:
    def cycle() -> str:
        playback_id: str = own_agent.call("playback_midi", notes="C4+E4:w")["playback_id"]
        own_agent.call("stop_playback", playback_id=playback_id)
        return playback_id

    for _ in range(10):  # fill pools and caches before the first measurement
        cycle()
    before, memory = footprint(own_agent), memory_kb(own_agent.process.pid)
    [port_process] = own_agent.port_process_pids()
    port_memory = memory_kb(port_process)
    ended = [cycle() for _ in range(CYCLES)]
    assert sounding(receiver.new()) == set()
    assert own_agent.port_process_pids() == [port_process], "one process served them all"
    for what, count in footprint(own_agent).items():
        assert count - before[what] < MAX_GROWTH, what
    assert memory_kb(own_agent.process.pid) - memory < MAX_GROWTH_KB
    assert memory_kb(port_process) - port_memory < MAX_GROWTH_KB
    assert own_agent.playback(ended[-MAX_REMEMBERED])["state"] == "stopped"
    with pytest.raises(AgentError, match="NOT_FOUND"):
        own_agent.playback(ended[0])
    listed = [each["playback_id"] for each in own_agent.call("get_playback")["playbacks"]]
    assert listed == ended[: -MAX_LISTED - 1 : -1], "the last few, newest first"


def test_the_playbacks_that_ended_last_are_remembered(own_agent: AgentProcess, receiver: Receiver) -> None:
    long = own_agent.call("playback_midi", notes="C4:w", tempo_scale=0.05)["playback_id"]
    for _ in range(MAX_REMEMBERED):
        short = own_agent.call("playback_midi", notes="E4:w")
        own_agent.call("stop_playback", playback_id=short["playback_id"])
        own_agent.call("send_midi", controllers={"7": 100})
    own_agent.call("stop_playback", playback_id=long)
    own_agent.call("playback_midi", notes="G4:16")
    assert own_agent.playback(long)["state"] == "stopped"


def test_two_clients_stop_eight_sessions_on_one_port(
    agent: AgentProcess, receiver: Receiver, receivers: Callable[[str], Receiver]
) -> None:
    other = receivers("other")
    ids = [
        agent.call("playback_midi", notes=f"C{octave}:w", tempo_scale=0.05, port_name=receiver.port)["playback_id"]
        for octave in range(1, SESSIONS + 1)
    ]
    apart = agent.call("playback_midi", notes="C4:w", tempo_scale=0.05, port_name="other")["playback_id"]
    heard = receiver.wait_for(2 * SESSIONS)
    assert sounding(heard) == {(0, 12 * (octave + 1)) for octave in range(1, SESSIONS + 1)}
    with ThreadPoolExecutor(2 * SESSIONS) as pool:
        answers = list(pool.map(lambda each: agent.call("stop_playback", playback_id=each), [*ids, *ids]))
    assert sorted(each for answer in answers for each in answer["stopped"]) == sorted(ids), "each is stopped once"
    deadline = time.monotonic() + 5
    while sounding(heard):
        assert time.monotonic() < deadline
        heard += receiver.new()
    assert agent.playback(apart)["state"] == "playing"
    assert sounding(other.wait_for(2)) == {(0, 60)}


def test_lost_ports_are_closed(own_agent: AgentProcess, receivers: Callable[[str], Receiver]) -> None:
    """The process of a port that has disappeared ends."""
    before = footprint(own_agent)
    names = ["first", "second", "third"]
    ports = [receivers(name) for name in names]
    for name in names:
        own_agent.call("playback_midi", notes="C4:w", port_name=name, loop=True)
    assert len(own_agent.port_process_pids()) == len(names)
    for port in ports:
        port.close()
    deadline = time.monotonic() + 20
    while footprint(own_agent)["children"] > before["children"] + 1:  # list_ports
        assert time.monotonic() < deadline, own_agent.children()
        time.sleep(0.1)
