"""The tool detect_chords."""

from consort_audio.analysis.chords.models import ChordsAnswer, DetectChords
from consort_audio.analysis.dependencies import UsedAnalyses
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Find the chords", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def detect_chords(body: DetectChords, analyses: UsedAnalyses) -> ChordsAnswer | JobTicket:
    """Hear which chords are played in a recording: figure out its harmony or chord progression, for example to play
    along. Returns a chart with times, bars and Roman numerals.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await analyses.answer("detect_chords", body, ChordsAnswer)
