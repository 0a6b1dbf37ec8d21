"""The tool analyze_timbre."""

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.timbre.models import AnalyzeTimbre, TimbreAnswer
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Measure the tone", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def analyze_timbre(body: AnalyzeTimbre, analyses: UsedAnalyses) -> TimbreAnswer | JobTicket:
    """Measure the tone (sound colour) of a voice or instrument: bright or dark (dull), warm, rich or thin, soft or hard
    attack, clear or noisy.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await analyses.answer("analyze_timbre", body, TimbreAnswer)
