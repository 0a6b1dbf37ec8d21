"""The tool analyze_audio."""

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.summary.models import AnalyzeAudio, AudioSummary
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Listen to a recording", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def analyze_audio(body: AnalyzeAudio, analyses: UsedAnalyses) -> AudioSummary | JobTicket:
    """Listen to a recording and sum up how it went: analyze a performance overall, for a summary, feedback, review or
    evaluation of tempo, pitch and rhythm in words. How did it go? Start here.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    found = await analyses.summary(body.audio_file_id, body.include_details, body.wait_s)
    return found if isinstance(found, JobTicket) else AudioSummary(**found)
