"""How the agent handles a port process that fails. No real port process is used."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from consort_kit.errors import ServiceDown
from consort_kit.http.service_client import ServiceClient
from consort_music.performance.compiled_music import compile_midi
from consort_music.performance.mute_solo import resolve_mute_solo
from consort_playback.playbacks.fetch_music import MusicFetcher
from consort_playback.playbacks.models import GetPlayback, PlaybackMidi
from consort_playback.playbacks.service import PlaybackService
from consort_playback.playbacks.session import PlaybackSession
from consort_playback.ports.devices import Device
from consort_playback.ports.port_pool import PortPool
from consort_playback.ports.port_process import PortProcess
from consort_playback.protocol.commands import (
    JACK_SOUND,
    SILENT_SOUND,
    LatenessReport,
    PortCommand,
    PortList,
    PortSpec,
    SessionReport,
)
from consort_playback.settings import PlaybackSettings
from tests.support.midi_files import tune

SYNTH = Device("synth", "Synth", "synth", PortSpec("synth", "Synth"))
NO_SYSTEMS: frozenset[str] = frozenset()


@pytest.fixture
def settings(tmp_path: Path) -> PlaybackSettings:
    return PlaybackSettings(data=tmp_path, token="t", playback_port="Synth")


class SlowPort:
    """A port process that does not answer."""

    device, sound, priority, why_lost, is_lost = SYNTH, "", "", None, False

    def __init__(self) -> None:
        self.dropped: list[str] = []

    async def send(self, command: PortCommand) -> None:
        raise ServiceDown("slow")

    def drop(self, session: str) -> None:
        self.dropped.append(session)


class SlowPool(PortPool):
    """A pool whose ports open, but do not answer."""

    def __init__(self, settings: PlaybackSettings) -> None:
        super().__init__(settings)
        self.port = SlowPort()

    async def process_for(self, device: Device) -> PortProcess:
        return cast(PortProcess, self.port)


def test_a_playback_that_failed_to_start_does_not_start_later(settings: PlaybackSettings) -> None:
    """The port process may only be slow. If it started the playback later, nobody could stop it."""

    async def play() -> tuple[list[Any], list[str]]:
        ports = SlowPool(settings)
        service = PlaybackService(settings, MusicFetcher(settings, ServiceClient(settings, {})), ports)
        with pytest.raises(ServiceDown):
            await service.play(PlaybackMidi(notes="C4:q", port_name="synth"))
        listed = (await service.report(GetPlayback())).playbacks
        await service.aclose()
        return listed, ports.port.dropped

    [playback], dropped = asyncio.run(play())
    assert playback.state == "failed" and dropped == [playback.playback_id]


@pytest.mark.parametrize(
    ("sound", "opened_with", "is_opened_again"),
    [(SILENT_SOUND, NO_SYSTEMS, True), (SILENT_SOUND, frozenset({"jack"}), False), (JACK_SOUND, NO_SYSTEMS, False)],
)
def test_a_silent_synth_is_opened_again_when_a_sound_server_has_started(
    settings: PlaybackSettings, sound: str, opened_with: frozenset[str], is_opened_again: bool
) -> None:
    ports = PortPool(settings)
    ports.connect(lambda *_: None, lambda _: None, lambda _: False)
    ports.devices.record_list(PortList({"jack": [], "alsa": None}, None, 0))
    process = cast(PortProcess, SimpleNamespace(device=SYNTH, sound=sound, systems=opened_with))
    assert ports.should_reopen(process) is is_opened_again


def test_a_report_that_is_read_after_the_end_does_not_change_the_position() -> None:
    """The agent may read the answer to ReportSessions and the end of the music at once."""
    music = compile_midi(tune(4), 10**6)
    port = PortProcess(SYNTH, lambda *_: None, lambda _: None)
    session = PlaybackSession("play_1", "Tune", "notes", music, port, resolve_mute_solo(music, [], []))
    nothing_late = LatenessReport(0, 0, 0, 0)
    session.finish(SessionReport("playing", music.end, 0, 0, nothing_late))
    session.record_report(SessionReport("playing", music.end - 10_000_000, 0, 0, nothing_late))
    described = session.describe()
    assert (described.state, described.position_ms) == ("finished", music.end / 1e6)
