"""How punctual playback is: when a receiver hears each message, and when the file says that it should.

Two programs with JACK between them (a private server without hardware, a sixth of a millisecond a cycle, which is the
grain of what can be measured). The agent beside a service that plays by `mido.play` in a thread, the same file in the
same run; quiet, and with every other core busy and two clients who start and stop music on another port of the one
that plays, all the time: to read a file and start it is the work of such an API. Lateness counts from the most punctual
message; drift is how the median of the last tenth differs from the first's.
"""

import base64
import io
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import mido

from benchmarks.baselines import mido_service
from benchmarks.report import Floor, Report, Row
from tests.jack import Heard, JackServer, Receiver, running_server
from tests.playback_agent import Agent, Client, free_port

SECONDS = 20
RATE, PERIOD = 96_000, 16
HAMMERS = 2
LOADS = ("quiet", "busy")
MAX_P99_MS = 1.0
MIN_RATIO = 10.0
MAX_DRIFT_MS = 1.0

_HAMMER = """
import sys
from tests.playback_agent import Client
client, port, music = Client(int(sys.argv[1])), sys.argv[2], sys.argv[3]
while True:
    started = client.call("playback_midi", base64=music, port_name=port)
    client.call("stop_playback", playback_id=started["playback_id"])
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
        running_mido(server) as by_mido,
        running_agent(Path(folder), server) as agent,
    ):
        priority = ""
        for load in LOADS:
            for name, service in (("mido.play", by_mido), ("agent", agent)):
                receiver, other = Receiver(server), Receiver(server)
                with busy(service, load, content, other.port):
                    ended = play(content, receiver, service)
                row, p99, drift = measured(receiver.new(), due)
                receiver.close()
                other.close()
                found[name, load] = p99, drift
                priority = ended.get("realtime", priority)
                rows.append({"player": name, "load": load, **row, "p99 ms as sent": sent_p99(ended)})
    ratios = {load: found["mido.play", load][0] / max(found["agent", load][0], 1e-6) for load in LOADS}
    floors = [
        Floor(f"agent's drift, {load}, ms a minute", abs(found["agent", load][1]), MAX_DRIFT_MS) for load in LOADS
    ]
    if priority.startswith("SCHED_FIFO"):
        floors += [Floor(f"agent's p99, {load}, ms", found["agent", load][0], MAX_P99_MS) for load in LOADS]
        floors.append(Floor("mido's p99 to the agent's, busy", ratios["busy"], MIN_RATIO, more_is_better=True))
    else:
        floors.append(Floor("agent's p99 to mido's, busy", 1 / max(ratios["busy"], 1e-6), 1.0))
    return Report(
        title=f"playback: {len(due)} messages in {SECONDS} s, as received; {priority}; load {os.getloadavg()[0]:.1f}",
        rows=rows,
        summary=f"with the machine busy, the agent's p99 is {ratios['busy']:.0f} times smaller than that of mido.play; "
        f"on a quiet one {ratios['quiet']:.1f} times.",
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


def play(content: bytes, receiver: Receiver, service: Client) -> dict[str, Any]:
    """Play it to the end; the last that the service told of it."""
    started = service.call("playback_midi", base64=base64.b64encode(content).decode(), port_name=receiver.port)
    return service.wait_until(started["playback_id"], "finished", timeout_s=3 * SECONDS)


def sent_p99(ended: dict[str, Any]) -> float | None:
    """By the player's own count, before JACK and the receiver."""
    return ended["lateness_ms"]["p99"] if "lateness_ms" in ended else None


@contextmanager
def running_mido(server: JackServer) -> Iterator[Client]:
    client = Client(free_port())
    command = [sys.executable, str(mido_service.__file__), str(client.port)]
    with subprocess.Popen(command, env=server.environment) as process:
        try:
            client.wait_for(process)
            yield client
        finally:
            process.kill()


@contextmanager
def running_agent(folder: Path, server: JackServer) -> Iterator[Agent]:
    agent = Agent(folder, server.environment)
    try:
        yield agent
    finally:
        agent.stop()


@contextmanager
def busy(service: Client, load: str, content: bytes, port: str) -> Iterator[None]:
    """All cores but one taken, and clients who never stop starting and stopping music on another port."""
    if load == "quiet":
        yield
        return
    cores = max(1, (os.cpu_count() or 2) - 1)
    code = ["while True: pass"] * cores + [_HAMMER] * HAMMERS
    arguments = [str(service.port), port, base64.b64encode(content).decode()]
    burners = [subprocess.Popen([sys.executable, "-c", each, *arguments]) for each in code]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
