"""The tool generate_melody."""

from consort_compose.composer.melody.models import GeneratedMelody, GenerateMelody
from consort_compose.composer.melody.service import run_generate_melody
from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Generate a melody", toolset="compose", effect="write", heavy=True)
async def generate_melody(body: GenerateMelody, composer: TheComposer) -> Composed[GeneratedMelody]:
    """Compose a new melody like a folk tune, bar by bar: phrases, repetition with variation, a final cadence.

    Key, range, length, start, end and largest leap always hold, or UNSATISFIABLE_CONSTRAINTS says why not. Contour,
    density, steps and chords may be relaxed, with a warning. Returns a note_list and a score_id.

    Example: {"key": "D dorian", "length_measures": 8, "contour": "arch", "end_note": "D4", "seed": 7}
    """
    data, score, warnings = await composer.compose(run_generate_melody, body)
    return await composer.answer(data, score, warnings)
