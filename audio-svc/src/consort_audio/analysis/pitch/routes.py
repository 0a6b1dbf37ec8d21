"""The tool detect_pitch."""

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.pitch.models import DetectPitch, PitchAnswer
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Hear notes and intonation", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def detect_pitch(body: DetectPitch, analyses: UsedAnalyses) -> PitchAnswer | JobTicket:
    """Hear (identify) which notes a voice or instrument sings or plays in a recording, and its intonation, tuning,
    vibrato: was the singing in tune, sharp or flat (how many cents)?

    Example: {"audio_file_id": "audio_4r0c…", "start_time": 10, "end_time": 20}
    """
    return await analyses.answer("detect_pitch", body, PitchAnswer)
