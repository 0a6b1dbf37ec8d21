import base64
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import mido
import pytest

from tests.jack import JackServer, Receiver, running_server
from tests.playback_agent import Agent


@pytest.fixture(scope="session")
def jack() -> Iterator[JackServer]:
    """One server for all tests that leave it alive."""
    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def shared_agent(jack: JackServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    agent = Agent(tmp_path_factory.mktemp("agent"), jack.environment)
    yield agent
    agent.stop()


@pytest.fixture
def agent(shared_agent: Agent) -> Iterator[Agent]:
    """One agent for all tests that leave it alive; afterwards nothing plays."""
    yield shared_agent
    shared_agent.call("stop_playback", all=True)


@pytest.fixture
def own_agent(jack: JackServer, tmp_path: Path) -> Iterator[Agent]:
    """An agent for a test that breaks it."""
    agent = Agent(tmp_path, jack.environment)
    yield agent
    agent.stop()


@pytest.fixture
def receiver(jack: JackServer) -> Iterator[Receiver]:
    running = Receiver(jack)
    yield running
    running.close()


@pytest.fixture
def receivers(jack: JackServer) -> Iterator[Callable[[str], Receiver]]:
    """Further receivers, by name."""
    running: list[Receiver] = []

    def start(name: str) -> Receiver:
        running.append(Receiver(jack, name))
        return running[-1]

    yield start
    for each in running:
        each.close()


@pytest.fixture(scope="session")
def dense() -> Callable[[int], str]:
    """A file of so many notes, five in a millisecond, as base64."""

    def make(notes: int) -> str:
        track = mido.MidiTrack([mido.MetaMessage("set_tempo", tempo=1_000_000)])
        for index in range(notes):
            pitch = 20 + index % 90
            key = {"note": pitch, "channel": index % 16}
            track.append(mido.Message("note_on", **key, velocity=1 + index % 127, time=index % 2))
            track.append(mido.Message("note_off", **key, velocity=index % 128))
        file = mido.MidiFile(tracks=[track], ticks_per_beat=10_000)
        out = io.BytesIO()
        file.save(file=out)
        return base64.b64encode(out.getvalue()).decode()

    return make
