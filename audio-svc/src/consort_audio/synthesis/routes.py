"""The tool midi_to_audio."""

from typing import Annotated

from fastapi import Depends, Request

from consort_audio.synthesis.models import MidiToAudio, RenderedAudio
from consort_audio.synthesis.service import SynthesisService
from consort_kit.errors import NotFound, ServiceDown, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


def _synthesis(request: Request) -> SynthesisService:
    service: SynthesisService = request.app.state.synthesis
    return service


Synthesis = Annotated[SynthesisService, Depends(_synthesis)]


@tool(router, title="Render music to sound", toolset="audio", effect="write", errors=(NotFound, TooLarge, ServiceDown))
async def midi_to_audio(body: MidiToAudio, synthesis: Synthesis) -> RenderedAudio | JobTicket:
    """Render a MIDI file, song or score to an audio file (mp3, wav) to hear: listen in any browser (listen_url),
    without a device, with another instrument's sound (guitar).

    To create a practice, play-along or backing track, mute a part and add count_in or metronome (click).

    Example: {"midi_file_id": "song_4r0c…", "mute": ["Lead"], "count_in": 1}
    """
    return await synthesis.render(body)
