"""What the agent does about players, without any: a stand-in says what they answer."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from consort_kit.client import ServiceClient
from consort_kit.errors import ServiceDown
from consort_playback.player.synth import JACK_SOUND, SILENT_SOUND
from consort_playback.playing.fetching import Fetcher
from consort_playback.playing.models import PlaybackMidi
from consort_playback.playing.service import PlaybackService
from consort_playback.ports.player import PortPlayer
from consort_playback.settings import PlaybackSettings

NO_SYSTEMS: frozenset[str] = frozenset()


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlaybackService:
    settings = PlaybackSettings(data=tmp_path, token="t")
    made = PlaybackService(settings, Fetcher(settings, ServiceClient(settings)))
    device = SimpleNamespace(id="a", name="a", kind="synth", longest_message=1000)

    async def choose(_wanted: str | None) -> tuple[Any, None]:
        return device, None

    monkeypatch.setattr(made._devices, "choose", choose)
    return made


def test_a_playback_that_failed_to_start_does_not_start_later(
    service: PlaybackService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The player may only be slow: nobody could stop what it begins then."""
    dropped: list[str] = []

    async def command(*_: Any, **__: Any) -> None:
        raise ServiceDown("slow")

    async def player(_device: Any) -> Any:
        return SimpleNamespace(command=command, drop=dropped.append)

    monkeypatch.setattr(service, "_player", player)
    with pytest.raises(ServiceDown):
        asyncio.run(service.play(PlaybackMidi(notes="C4:q")))
    [session] = service._sessions.listed()
    assert session.state == "failed" and dropped == [session.id]


@pytest.mark.parametrize(
    ("sound", "opened_with", "is_opened_anew"),
    [(SILENT_SOUND, NO_SYSTEMS, True), (SILENT_SOUND, frozenset({"jack"}), False), (JACK_SOUND, NO_SYSTEMS, False)],
)
def test_a_silent_synth_is_opened_anew_when_a_sound_server_has_come(
    service: PlaybackService, sound: str, opened_with: frozenset[str], is_opened_anew: bool
) -> None:
    service._devices._ports = {"jack": [], "alsa": None}
    device = SimpleNamespace(id="synth", kind="synth")
    player = cast(PortPlayer, SimpleNamespace(device=device, sound=sound, systems=opened_with))
    assert service._could_be_heard_now(player) is is_opened_anew
