"""The tool analyze_rhythm."""

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.rhythm.models import AnalyzeRhythm, RhythmAnswer
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Analyze the rhythm", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def analyze_rhythm(body: AnalyzeRhythm, analyses: UsedAnalyses) -> RhythmAnswer | JobTicket:
    """Find where notes begin, name the rhythm, and list notes that rush or drag: early or late against the player's own
    beat.

    Speeding up or slowing down is no fault here: see analyze_tempo.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await analyses.answer("analyze_rhythm", body, RhythmAnswer)
