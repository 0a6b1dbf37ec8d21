"""The tool analyze_dynamics."""

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.dynamics.models import AnalyzeDynamics, DynamicsAnswer
from consort_kit.errors import NotFound, TooLarge
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Measure loudness and dynamics", toolset="listening", effect="read", errors=(NotFound, TooLarge))
async def analyze_dynamics(body: AnalyzeDynamics, analyses: UsedAnalyses) -> DynamicsAnswer | JobTicket:
    """Measure the loudness of a recording: how loud or quiet it is (LUFS), how the volume develops, did it get louder,
    the loudest and soft (forte, piano) places, crescendo and diminuendo, dynamic range, peaks, clipping.

    Example: {"audio_file_id": "audio_4r0c…"}
    """
    return await analyses.answer("analyze_dynamics", body, DynamicsAnswer)
