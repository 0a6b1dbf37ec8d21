"""The playback tools."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import NotFound, ServiceDown, TooLarge
from consort_kit.tool import tool, tool_router
from consort_playback.playing.models import (
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
from consort_playback.playing.service import PlaybackService

router = tool_router()


def _playing(request: Request) -> PlaybackService:
    service: PlaybackService = request.app.state.playing
    return service


Playing = Annotated[PlaybackService, Depends(_playing)]


@tool(router, title="List MIDI devices", toolset="playback", effect="read")
async def list_devices(body: ListDevices, playing: Playing) -> DeviceList:
    """List the MIDI outputs of the user's machine: devices, programs that listen, a virtual port for a DAW, and a
    built-in synth.

    Example: {}
    """
    return await playing.list_devices()


@tool(
    router,
    title="Play MIDI",
    toolset="playback",
    effect="write",
    heavy=True,
    errors=(NotFound, TooLarge, ServiceDown),
)
async def playback_midi(body: PlaybackMidi, playing: Playing) -> Started:
    """Play music out loud on the user's MIDI device or the built-in synth; answers at once with a playback_id.

    Several can play at once.

    Example: {"song_id": "song_4r0c…", "loop": true, "loop_start": "5:1", "loop_end": "9:1"}
    """
    return await playing.play(body)


@tool(router, title="Stop playing", toolset="playback", effect="write", errors=(NotFound,))
async def stop_playback(body: StopPlayback, playing: Playing) -> Stopped:
    """Stop a playback at once and end its notes; others go on. `all` stops everything and silences every port.

    Example: {}
    """
    return await playing.stop(body)


@tool(router, title="Control a playback", toolset="playback", effect="write", errors=(NotFound, ServiceDown))
async def control_playback(body: ControlPlayback, playing: Playing) -> Playback:
    """Pause, resume, restart, seek or loop a playback, change its tempo or muted tracks.

    Example: {"playback_id": "play_7k2m…", "seek": "9:1", "tempo_scale": 0.8}
    """
    return await playing.control(body)


@tool(router, title="Tell what is playing", toolset="playback", effect="read", errors=(NotFound,))
async def get_playback(body: GetPlayback, playing: Playing) -> Playbacks:
    """Tell what is playing, where it is and when edits of a song will be heard; also what ended last and why.

    Example: {}
    """
    return await playing.report(body)


@tool(router, title="Send MIDI messages now", toolset="playback", effect="write", errors=(NotFound, ServiceDown))
async def send_midi(body: SendMidi, playing: Playing) -> Sent:
    """Send a few notes, controllers or an instrument to a port now, to try a sound. For music use playback_midi.

    Example: {"instrument": "violin", "notes": "A4:h"}
    """
    return await playing.send(body)
