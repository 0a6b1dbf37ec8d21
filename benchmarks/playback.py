"""Measure playback timing: when a receiver gets each message, compared with its time in the file.

Player and receiver are two programs connected by a private JACK server without hardware. Its period is 1/6 ms, which is
the resolution of the measurement. The baseline is a service that runs `mido.play` in a thread. Both play the same file,
first on an idle machine, then under load: all cores but one are busy, and two clients keep starting and stopping music
on another port of the same player. Lateness is relative to the earliest message. Drift is the difference between the
median lateness of the last and the first tenth of the messages, in ms per minute.
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
from benchmarks.support.report import Report, Requirement, Row
from evaluation.processes.jack import JackServer, ReceivedMessage, Receiver, running_jack
from evaluation.processes.playback_agent import AgentClient, AgentProcess
from evaluation.processes.servers import free_port

SECONDS = 20
RATE, PERIOD = 96_000, 16
BUSY_CLIENTS = 2
LOADS = ("quiet", "busy")
MAX_P99_MS = 1.0
MIN_RATIO = 10.0
MAX_DRIFT_MS = 1.0

_BUSY_CLIENT_CODE = """
import sys
from evaluation.processes.playback_agent import AgentClient
client, port, music = AgentClient(int(sys.argv[1])), sys.argv[2], sys.argv[3]
while True:
    started = client.call("playback_midi", base64=music, port_name=port)
    client.call("stop_playback", playback_id=started["playback_id"])
"""


def music() -> tuple[bytes, list[float]]:
    """Return a file of single notes at irregular times, and the time of each of its messages in seconds."""
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
        running_jack(period=PERIOD, rate=RATE) as server,
        running_mido(server) as by_mido,
        AgentProcess(Path(folder), server.environment) as agent,
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
                rows.append({"player": name, "load": load, **row, "p99 ms at sender": sent_p99(ended)})
    ratios = {load: found["mido.play", load][0] / max(found["agent", load][0], 1e-6) for load in LOADS}
    requirements = [
        Requirement(f"agent's drift, {load}, ms/min", abs(found["agent", load][1]), MAX_DRIFT_MS) for load in LOADS
    ]
    if priority.startswith("SCHED_FIFO"):
        requirements += [Requirement(f"agent's p99, {load}, ms", found["agent", load][0], MAX_P99_MS) for load in LOADS]
        requirements.append(
            Requirement("mido's p99 to the agent's, busy", ratios["busy"], MIN_RATIO, more_is_better=True)
        )
    else:
        requirements.append(Requirement("agent's p99 to mido's, busy", 1 / max(ratios["busy"], 1e-6), 1.0))
    return Report(
        title=f"playback: {len(due)} messages in {SECONDS} s, as received; {priority}; load {os.getloadavg()[0]:.1f}",
        rows=rows,
        summary=f"with the machine busy, the agent's p99 is {ratios['busy']:.0f} times smaller than that of mido.play; "
        f"on a quiet one {ratios['quiet']:.1f} times.",
        requirements=requirements,
    )


def measured(heard: list[ReceivedMessage], due: list[float]) -> tuple[Row, float, float]:
    """Return the table row, the 99th percentile of the lateness in ms, and the drift in ms per minute."""
    assert len(heard) >= len(due), f"{len(heard)} of {len(due)} messages arrived"
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
        "drift ms/min": drift,
    }
    return row, p99, drift


def play(content: bytes, receiver: Receiver, service: AgentClient) -> dict[str, Any]:
    """Play the file to its end and return the last state that the service reports."""
    started = service.call("playback_midi", base64=base64.b64encode(content).decode(), port_name=receiver.port)
    return service.wait_until(started["playback_id"], "finished", timeout_s=3 * SECONDS)


def sent_p99(ended: dict[str, Any]) -> float | None:
    """Return the 99th percentile of the lateness that the player itself measured when sending, or None."""
    return ended["lateness_ms"]["p99"] if "lateness_ms" in ended else None


@contextmanager
def running_mido(server: JackServer) -> Iterator[AgentClient]:
    client = AgentClient(free_port())
    command = [sys.executable, str(mido_service.__file__), str(client.port)]
    with subprocess.Popen(command, env=server.environment) as process:
        try:
            client.wait_for(process)
            yield client
        finally:
            process.kill()


@contextmanager
def busy(service: AgentClient, load: str, content: bytes, port: str) -> Iterator[None]:
    """If `load` is "busy", keep all cores but one busy, and run clients that keep starting and stopping music."""
    if load == "quiet":
        yield
        return
    cores = max(1, (os.cpu_count() or 2) - 1)
    code = ["while True: pass"] * cores + [_BUSY_CLIENT_CODE] * BUSY_CLIENTS
    arguments = [str(service.port), port, base64.b64encode(content).decode()]
    processes = [subprocess.Popen([sys.executable, "-c", each, *arguments]) for each in code]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()
