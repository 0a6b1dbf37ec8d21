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
    """List the MIDI ports that can play: which keyboard, interface or device is connected to the computer or plugged
    in, available outputs, a virtual port, the built-in synth.

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
    """Play (perform) music out loud on the user's MIDI device, keyboard or built-in synth; returns a playback_id.

    Hear or start a song, MIDI file or score through speakers, from a bar or chorus, slowly (half speed), with a
    count-in, only one track or without drums, or repeat bars in a loop to practise. Without a device use midi_to_audio.

    Example: {"song_id": "song_4r0c…", "loop": true, "loop_start": "5:1", "loop_end": "9:1"}
    """
    return await service.play(body)


@tool(router, title="Stop playing", toolset="playback", effect="write", errors=(NotFound,))
async def stop_playback(body: StopPlayback, service: InjectedService) -> Stopped:
    """Stop the music: end (finish) a playback or loop, turn off its sound. `all` stops everything, also hanging notes
    (quiet, panic).

    Example: {}
    """
    return await service.stop(body)


@tool(router, title="Control a playback", toolset="playback", effect="write", errors=(NotFound, ServiceDown))
async def control_playback(body: ControlPlayback, service: InjectedService) -> Playback:
    """Pause, resume, restart, seek or loop while something is playing: continue, skip, rewind, fast forward, jump back
    to a bar or chorus, slow down, faster, mute, unmute or solo a track.

    Example: {"playback_id": "play_7k2m…", "seek": "9:1", "tempo_scale": 0.8}
    """
    return await service.control(body)


@tool(router, title="Show what is playing", toolset="playback", effect="read", errors=(NotFound,))
async def get_playback(body: GetPlayback, service: InjectedService) -> Playbacks:
    """Show whether music is still playing (running), its position (which bar or measure, how many seconds are left), or
    has finished yet.

    Example: {}
    """
    return await service.report(body)


@tool(router, title="Send MIDI messages now", toolset="playback", effect="write", errors=(NotFound, ServiceDown))
async def send_midi(body: SendMidi, service: InjectedService) -> Sent:
    """Send MIDI messages to a port now: trigger or test a single note or chord, switch the sound (program change), set
    a controller (CC: pedal, wheel) or pitch bend on a channel of a synth or keyboard. For music use playback_midi.

    Example: {"instrument": "violin", "notes": "A4:h"}
    """
    return await service.send(body)
