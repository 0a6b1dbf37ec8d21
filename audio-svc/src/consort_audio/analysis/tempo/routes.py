"""The tool analyze_tempo."""

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.tempo.models import AnalyzeTempo, TempoAnswer
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Analyze the tempo", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def analyze_tempo(body: AnalyzeTempo, analyses: UsedAnalyses) -> TempoAnswer | JobTicket:
    """Measure how fast a recording is: tempo (speed, bpm, beats per minute) of a track or band. Did it keep steady
    (constant), slow down, speed up? Beats and downbeats.

    Example: {"audio_file_id": "audio_4r0c…", "bpm_hint": 90}
    """
    return await analyses.answer("analyze_tempo", body, TempoAnswer)
