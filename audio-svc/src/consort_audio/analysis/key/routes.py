"""The tool detect_key."""

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.key.models import DetectKey, KeyAnswer
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Find the key", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def detect_key(body: DetectKey, analyses: UsedAnalyses) -> KeyAnswer | JobTicket:
    """Find which key or scale a recording or other audio (mp3) is in or based on: major or minor? Does it modulate?
    Also the next likely keys.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await analyses.answer("detect_key", body, KeyAnswer)
