"""How punctual playback is: when a receiver hears each message, and when the file says that it should.

Two programs with JACK between them (a private server without hardware, a third of a millisecond a cycle, which is the
grain of what can be measured). The agent beside `mido.play` in a program of its own, the same file in the same run;
quiet, and with every other core busy and the agent's HTTP API asked all the time. Lateness counts from the most
punctual message; drift is how the median of the last tenth differs from the first's.
"""

import base64
import io
import os
import random
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import mido

from benchmarks.report import Floor, Report, Row
from tests.jack import Heard, JackServer, Receiver, running_server
from tests.playback_agent import Agent

SECONDS = 20
RATE, PERIOD = 96_000, 32
HAMMERS = 2
LOADS = ("quiet", "busy")
MAX_P99_MS = 1.0
MIN_RATIO = 10.0
MAX_DRIFT_MS = 1.0

_MIDO = """
import io, sys, time, mido, rtmidi
out = rtmidi.MidiOut(rtmidi.API_UNIX_JACK, name="mido")
out.open_port(out.get_ports().index(sys.argv[1]))
file = mido.MidiFile(file=io.BytesIO(sys.stdin.buffer.read()))
for message in file.play():
    out.send_message(message.bytes())
time.sleep(0.2)
out.close_port()
"""


def music() -> tuple[bytes, list[float]]:
    """A file of single notes at irregular times, and when each of its messages is due, in seconds."""
    chance = random.Random(7)
    track = mido.MidiTrack()
    due, now = [], 0.0
    while now < SECONDS:
        gap, length = chance.randrange(3, 30), chance.randrange(2, 20)  # milliseconds
        track.append(mido.Message("note_on", note=chance.randrange(20, 100), time=gap))
        track.append(mido.Message("note_off", note=track[-1].note, time=length))
        due += [now + gap / 1000, now + (gap + length) / 1000]
        now += (gap + length) / 1000
    file = mido.MidiFile(tracks=[track], ticks_per_beat=500)  # a tick is a millisecond
    out = io.BytesIO()
    file.save(file=out)
    return out.getvalue(), due


def run() -> Report:
    content, due = music()
    rows: list[Row] = []
    found: dict[tuple[str, str], tuple[float, float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        running_server(period=PERIOD, rate=RATE) as server,
        running_agent(Path(folder), server) as agent,
    ):
        players: dict[str, Callable[[Receiver], Played]] = {
            "mido.play": lambda receiver: play_by_mido(content, receiver, server),
            "agent": lambda receiver: play_by_agent(content, receiver, agent),
        }
        priority = "none"
        for load in LOADS:
            for name, play in players.items():
                receiver = Receiver(server)
                with busy(agent, load):
                    played = play(receiver)
                priority = played.priority
                row, p99, drift = measured(receiver.new(), due)
                receiver.close()
                found[name, load] = p99, drift
                rows.append({"player": name, "load": load, **row, "p99 ms as sent": played.sent_p99_ms})
    ratio = found["mido.play", "busy"][0] / max(found["agent", "busy"][0], 1e-6)
    floors = [
        Floor(f"agent's drift, {load}, ms a minute", abs(found["agent", load][1]), MAX_DRIFT_MS) for load in LOADS
    ]
    if priority.startswith("SCHED_FIFO"):
        floors += [Floor(f"agent's p99, {load}, ms", found["agent", load][0], MAX_P99_MS) for load in LOADS]
        floors.append(Floor("mido's p99 to the agent's, busy", ratio, MIN_RATIO, more_is_better=True))
    else:
        floors.append(Floor("agent's p99 to mido's, busy", 1 / max(ratio, 1e-6), 1.0))
    return Report(
        title=f"playback: {len(due)} messages in {SECONDS} s, as received; {priority}; load {os.getloadavg()[0]:.1f}",
        rows=rows,
        summary=f"with the machine busy, the agent's p99 is {found['agent', 'busy'][0]:.3f} ms, "
        f"{ratio:.0f} times smaller than that of mido.play.",
        floors=floors,
    )


def measured(heard: list[Heard], due: list[float]) -> tuple[Row, float, float]:
    """The row of the table, the 99th percentile and the drift in a minute, in milliseconds."""
    assert len(heard) >= len(due), f"{len(heard)} of {len(due)} messages came"
    offsets = [each.when / 1e6 - when * 1000 for each, when in zip(heard, due, strict=False)]
    best = min(offsets)
    late = [offset - best for offset in offsets]
    in_order = sorted(late)
    tenth = len(late) // 10
    drift = (median(late[-tenth:]) - median(late[:tenth])) * 60 / (due[-1] - due[0]) / 0.9
    p99 = in_order[int(len(late) * 0.99)]
    row: Row = {
        "p50 ms": median(late),
        "p99 ms": p99,
        "p99.9 ms": in_order[int(len(late) * 0.999)],
        "max ms": in_order[-1],
        "drift ms a minute": drift,
    }
    return row, p99, drift


class Played(NamedTuple):
    priority: str = ""
    sent_p99_ms: float | None = None
    """By the player's own count, before JACK and the receiver."""


def play_by_mido(content: bytes, receiver: Receiver, server: JackServer) -> Played:
    subprocess.run([sys.executable, "-c", _MIDO, receiver.port], input=content, env=server.environment, check=True)
    return Played()


def play_by_agent(content: bytes, receiver: Receiver, agent: Agent) -> Played:
    source = base64.b64encode(content).decode()
    started = agent.call("playback_midi", base64=source, port_name=receiver.port)
    ended = agent.wait_until(started["playback_id"], "finished", timeout_s=3 * SECONDS)
    return Played(ended["realtime"], ended["lateness_ms"]["p99"])


@contextmanager
def running_agent(folder: Path, server: JackServer) -> Iterator[Agent]:
    agent = Agent(folder, server.environment)
    try:
        yield agent
    finally:
        agent.stop()


@contextmanager
def busy(agent: Agent, load: str) -> Iterator[None]:
    """All cores but one taken, and clients who never stop asking."""
    if load == "quiet":
        yield
        return
    cores = max(1, (os.cpu_count() or 2) - 1)
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(cores)]
    done = threading.Event()

    def hammer() -> None:
        while not done.is_set():
            agent.call("get_playback")

    threads = [threading.Thread(target=hammer) for _ in range(HAMMERS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()
        for burner in burners:
            burner.kill()
            burner.wait()
