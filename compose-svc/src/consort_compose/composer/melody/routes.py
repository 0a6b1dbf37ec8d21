"""The tool generate_melody."""

from consort_compose.composer.melody.models import GeneratedMelody, GenerateMelody
from consort_compose.composer.melody.service import run_generate_melody
from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Generate a melody", toolset="compose", effect="write", heavy=True)
async def generate_melody(body: GenerateMelody, composer: TheComposer) -> Composed[GeneratedMelody]:
    """Compose a new melody: make up (invent, create) a tune, theme, lead line, riff or hook in major or minor: simple,
    catchy, happy, sad, one that rises and falls, easy to sing, over chords, without big jumps. Returns a score_id.

    Example: {"key": "D dorian", "length_measures": 8, "contour": "arch", "end_note": "D4"}
    """
    data, score, warnings = await composer.compose(run_generate_melody, body)
    return await composer.answer(data, score, warnings)
