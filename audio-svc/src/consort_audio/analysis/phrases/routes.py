"""The tool segment_phrases."""

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.phrases.models import PhrasesAnswer, SegmentPhrases
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Find the phrases", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def segment_phrases(body: SegmentPhrases, analyses: UsedAnalyses) -> PhrasesAnswer | JobTicket:
    """Find the musical phrases of a recording: how many, where each begins and ends, where to breathe.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await analyses.answer("segment_phrases", body, PhrasesAnswer)
