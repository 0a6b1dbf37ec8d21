"""The tool generate_melody."""

from consort_compose.composer.melody.models import GeneratedMelody, GenerateMelody
from consort_compose.composer.melody.service import run_generate_melody
from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Generate a melody", toolset="compose", effect="write", heavy=True)
async def generate_melody(body: GenerateMelody, composer: TheComposer) -> Composed[GeneratedMelody]:
    """Compose a new melody: make up (invent, create) a tune, theme, riff or hook in a key: simple, catchy, happy, sad,
    blues, one that rises and falls like an arch, over chords, without big jumps.

    Key, range, length, start, end and largest leap hold, or UNSATISFIABLE_CONSTRAINTS says why not; other wishes may be
    relaxed. Returns a score_id.

    Example: {"key": "D dorian", "length_measures": 8, "contour": "arch", "end_note": "D4"}
    """
    data, score, warnings = await composer.compose(run_generate_melody, body)
    return await composer.answer(data, score, warnings)
