"""The tool midi_to_strudel."""

from typing import Annotated

from fastapi import Depends, Request

from consort_kit.errors import AlreadyExists, NotFound, ServiceDown
from consort_kit.tools.tool_decorator import tool, tool_router
from consort_strudel.transcribing.models import MidiToStrudel, StrudelTranscription
from consort_strudel.transcribing.service import TranscribingService

router = tool_router()


def _transcribing(request: Request) -> TranscribingService:
    service: TranscribingService = request.app.state.transcribing
    return service


@tool(
    router,
    title="Turn music into Strudel code",
    toolset="strudel",
    effect="write",
    heavy=True,
    errors=(NotFound, AlreadyExists, ServiceDown),
)
async def midi_to_strudel(
    body: MidiToStrudel, transcribing: Annotated[TranscribingService, Depends(_transcribing)]
) -> StrudelTranscription:
    """Convert a MIDI file, song or score into Strudel code: write a riff, bassline or melody as mini-notation to
    continue it live. A cycle is a bar.

    Example: {"midi_file_id": "song_4r0c…", "project_name": "rain-remix"}
    """
    return await transcribing.transcribe(body)
