"""The playback tools."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import NotFound, ServiceDown, TooLarge
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_playback.playbacks.models import (
    ControlPlayback,
    DeviceList,
    GetPlayback,
    ListDevices,
    Playback,
    PlaybackMidi,
    Playbacks,
    SendMidi,
    Sent,
    Started,
    Stopped,
    StopPlayback,
)
from consort_playback.playbacks.service import PlaybackService

router = tool_router()


def _service(request: Request) -> PlaybackService:
    service: PlaybackService = request.app.state.playback_service
    return service


InjectedService = Annotated[PlaybackService, Depends(_service)]


@tool(router, title="List MIDI devices", toolset="playback", effect="read")
async def list_devices(body: ListDevices, service: InjectedService) -> DeviceList:
    """List which MIDI ports can play: connected devices, other programs, a virtual port for a DAW, the built-in synth.

    Example: {}
    """
    return await service.list_devices()


@tool(
    router,
    title="Play MIDI",
    toolset="playback",
    effect="write",
    heavy=True,
    errors=(NotFound, TooLarge, ServiceDown),
)
async def playback_midi(body: PlaybackMidi, service: InjectedService) -> Started:
    """Play music out loud on the user's MIDI device or the built-in synth; returns a playback_id at once.

    Several playbacks can run at the same time. Without a sound device use midi_to_audio.

    Example: {"song_id": "song_4r0c…", "loop": true, "loop_start": "5:1", "loop_end": "9:1"}
    """
    return await service.play(body)


@tool(router, title="Stop playing", toolset="playback", effect="write", errors=(NotFound,))
async def stop_playback(body: StopPlayback, service: InjectedService) -> Stopped:
    """Stop a playback at once and end its notes; others continue. `all` stops everything and silences every port.

    Example: {}
    """
    return await service.stop(body)


@tool(router, title="Control a playback", toolset="playback", effect="write", errors=(NotFound, ServiceDown))
async def control_playback(body: ControlPlayback, service: InjectedService) -> Playback:
    """Pause, resume, restart, seek or loop what is playing, play it slower or faster, mute tracks.

    Example: {"playback_id": "play_7k2m…", "seek": "9:1", "tempo_scale": 0.8}
    """
    return await service.control(body)


@tool(router, title="Show what is playing", toolset="playback", effect="read", errors=(NotFound,))
async def get_playback(body: GetPlayback, service: InjectedService) -> Playbacks:
    """Report what is playing, at which position, and when edits of a song will be heard; also what ended last and why.

    Example: {}
    """
    return await service.report(body)


@tool(router, title="Send MIDI messages now", toolset="playback", effect="write", errors=(NotFound, ServiceDown))
async def send_midi(body: SendMidi, service: InjectedService) -> Sent:
    """Send a few notes, controllers or an instrument to a port now, to try a sound. For music use playback_midi.

    Example: {"instrument": "violin", "notes": "A4:h"}
    """
    return await service.send(body)
