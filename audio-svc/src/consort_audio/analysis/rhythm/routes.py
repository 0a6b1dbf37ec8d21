"""The tool analyze_rhythm."""

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.rhythm.models import AnalyzeRhythm, RhythmAnswer
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Analyze the rhythm", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def analyze_rhythm(body: AnalyzeRhythm, analyses: UsedAnalyses) -> RhythmAnswer | JobTicket:
    """Measure the rhythm and timing of a recording: did it rush or drag, who is early (ahead) or dragging (late,
    behind), is it on the beat, even, tight, in time, accurate, swinging? Finds where notes start. For speeding up see
    analyze_tempo.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await analyses.answer("analyze_rhythm", body, RhythmAnswer)
