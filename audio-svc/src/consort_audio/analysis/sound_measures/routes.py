"""The route by which strudel-svc measures a render. It is no tool."""

from fastapi import APIRouter

from consort_audio.analysis.dependencies import UsedAnalyses
from consort_audio.analysis.sound_measures.models import MeasureSound, SoundMeasuresAnswer
from consort_kit.jobs.models import JobTicket
from consort_kit.tools.tool_decorator import ERRORS

MEASURES_PATH = "/measures"
TASK = "measure_sound"
router = APIRouter()


@router.post(
    MEASURES_PATH,
    summary="Measure a rendered loop",
    responses=ERRORS,
    response_model_exclude_none=True,
    include_in_schema=False,  # for strudel-svc only
)
async def measure_sound(body: MeasureSound, analyses: UsedAnalyses) -> SoundMeasuresAnswer | JobTicket:
    """Measure loudness, brightness, balance, width, onset density, swing and dynamics of a loop with a known beat."""
    return await analyses.answer(TASK, body, SoundMeasuresAnswer)
