"""The tool detect_articulation."""

from consort_audio.analysis.articulation.models import ArticulationAnswer, DetectArticulation
from consort_audio.analysis.dependencies import UsedAnalyses
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Hear legato and staccato", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def detect_articulation(body: DetectArticulation, analyses: UsedAnalyses) -> ArticulationAnswer | JobTicket:
    """Hear the articulation of a recording: is it legato (smooth, connected, slurred) or staccato (short, detached),
    and which notes did the player accent (accents)?

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await analyses.answer("detect_articulation", body, ArticulationAnswer)
