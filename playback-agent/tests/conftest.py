from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import mido
import pytest

from evaluation.processes.jack import JackServer, Receiver, running_jack
from evaluation.processes.playback_agent import AgentProcess
from tests.support.midi_files import as_base64, midi_bytes
from tests.support.scheduler_simulation import Simulation


@pytest.fixture(scope="module")
def jack() -> Iterator[JackServer]:
    """A JACK server shared by all tests of a file that do not kill it. It uses much of a core even when it is idle."""
    with running_jack() as server:
        yield server


@pytest.fixture(scope="module")
def shared_agent(jack: JackServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AgentProcess]:
    with AgentProcess(tmp_path_factory.mktemp("agent"), jack.environment) as agent:
        yield agent


@pytest.fixture
def agent(shared_agent: AgentProcess) -> Iterator[AgentProcess]:
    """An agent shared by all tests that do not kill it. After each test all playbacks are stopped."""
    yield shared_agent
    shared_agent.call("stop_playback", all=True)


@pytest.fixture
def own_agent(jack: JackServer, tmp_path: Path) -> Iterator[AgentProcess]:
    """An agent for one test, which may kill it."""
    with AgentProcess(tmp_path, jack.environment) as agent:
        yield agent


@pytest.fixture
def receiver(jack: JackServer) -> Iterator[Receiver]:
    with closing(Receiver(jack)) as running:
        yield running


@pytest.fixture
def receivers(jack: JackServer) -> Iterator[Callable[[str], Receiver]]:
    """A function that starts another receiver with this name."""
    with ExitStack() as running:
        yield lambda name: running.enter_context(closing(Receiver(jack, name)))


@pytest.fixture
def simulation() -> Iterator[Simulation]:
    with Simulation() as running:
        yield running


@pytest.fixture(scope="session")
def dense() -> Callable[[int], str]:
    """A function that returns a MIDI file with `notes` notes as Base64. There are five notes per millisecond."""

    def make(notes: int) -> str:
        track = [mido.MetaMessage("set_tempo", tempo=1_000_000)]
        for index in range(notes):
            key = {"note": 20 + index % 90, "channel": index % 16}
            track.append(mido.Message("note_on", **key, velocity=1 + index % 127, time=index % 2))
            track.append(mido.Message("note_off", **key, velocity=index % 128))
        return as_base64(midi_bytes(track, ppq=10_000))

    return make
