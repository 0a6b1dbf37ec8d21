"""The journeys of `tests/journeys`, with a studio in containers and the playback agent on the host.

They are imported, and run with the fixtures of this folder. Over stdio the assistant runs a gateway in the container.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from evaluation.processes.jack import Receiver, running_jack
from evaluation.processes.servers import wait_until
from tests.journeys.assistant.test_every_song_tool import test_a_song_is_written_with_every_tool
from tests.journeys.assistant.test_hum_to_song import test_a_hummed_melody_becomes_a_song
from tests.journeys.assistant.test_idea_to_sheet import (
    ConnectedDevice,
    test_a_song_is_played_on_a_midi_device,
    test_an_idea_becomes_a_sheet,
)
from tests.journeys.assistant.test_live_code import test_what_is_heard_is_what_the_code_says
from tests.journeys.assistant.test_repair import test_a_messy_file_becomes_a_clean_sheet
from tests.journeys.documentation.test_conversations import (
    test_a_conversation_happens_as_written as check_conversation,
)
from tests.journeys.strudel.test_darker_with_swing import test_darker_and_with_swing
from tests.pages.conftest import playwright
from tests.pages.test_lesson import test_a_lesson
from tests.support.documented_conversations import PAGES
from tests.support.servers.docker_studio import DockerStudio
from tests.support.servers.studio import CONSORT

__all__ = [
    "playwright",
    "test_a_hummed_melody_becomes_a_song",
    "test_a_lesson",
    "test_a_messy_file_becomes_a_clean_sheet",
    "test_a_song_is_played_on_a_midi_device",
    "test_a_song_is_written_with_every_tool",
    "test_an_idea_becomes_a_sheet",
    "test_darker_and_with_swing",
    "test_what_is_heard_is_what_the_code_says",
]

OTHER_ANSWERS = {"playback", "strudel_library"}
"""Pages whose answers were made without MIDI ports, and without the sentence model that the image of strudel has."""
pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module", autouse=True)
def device(studio: DockerStudio) -> Iterator[ConnectedDevice]:
    """Run JACK with a MIDI input, and `consort agent --docker` on the host, where the gateway expects it."""
    with running_jack() as server:
        receiver = Receiver(server)
        agent = subprocess.Popen(
            [*CONSORT, "agent", "--docker"],
            env={**studio.environment, **server.settings},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: is_healthy(studio), "the agent answers", 60, child=agent)
            yield ConnectedDevice(receiver, {})
        finally:
            agent.terminate()
            agent.wait(30)
            receiver.close()


def is_healthy(studio: DockerStudio) -> bool:
    try:
        return httpx2.get(f"http://127.0.0.1:{studio.agent_port}/health", trust_env=False).status_code == 200
    except httpx2.RequestError:
        return False


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem not in OTHER_ANSWERS], ids=lambda page: page.stem)
def test_a_conversation_happens_as_written_in_containers(studio: DockerStudio, page: Path) -> None:
    check_conversation(studio, page)


def test_the_agent_answers_only_with_the_token(studio: DockerStudio, device: ConnectedDevice) -> None:
    code = """
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from consort_gateway.settings import GatewaySettings
settings = GatewaySettings()
for headers in {}, {"Authorization": "Bearer " + settings.bearer_token}:
    try:
        print(urlopen(Request(settings.url_of("playback") + "/metrics", headers=headers), timeout=5).status)
    except HTTPError as rejected:
        print(rejected.status)
"""
    assert studio.run_python("gateway", code).split() == ["401", "200"]
    assert studio.call("list_devices")["outputs"]
