"""The tool transcribe_audio."""

from typing import Annotated

from fastapi import Depends, Request

from consort_audio.transcription.models import TranscribeAudio, TranscribedMusic
from consort_audio.transcription.service import Transcriptions
from consort_kit.errors import NotFound, ServiceDown, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


def _transcriptions(request: Request) -> Transcriptions:
    service: Transcriptions = request.app.state.transcriptions
    return service


UsedTranscriptions = Annotated[Transcriptions, Depends(_transcriptions)]


@tool(
    router,
    title="Write down what is played",
    toolset="listening",
    effect="write",
    errors=(NotFound, TooLarge, ServiceDown),
)
async def transcribe_audio(body: TranscribeAudio, transcriptions: UsedTranscriptions) -> TranscribedMusic | JobTicket:
    """Transcribe a recording to a MIDI file: write down (extract) the notes or melody of a solo, or what someone sang,
    hummed (humming), whistled or played; convert wav to MIDI. For sheet music use midi_to_notation.

    Example: {"audio_file_id": "audio_4r0c…", "instrument": "voice", "quantize": "1/8"}
    """
    return await transcriptions.transcribe(body)
