"""The tool that generates melodies."""

from consort_compose.composer.melody.models import GeneratedMelody, GenerateMelody
from consort_compose.composer.melody.service import write
from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_kit.tool import tool, tool_router

router = tool_router()


@tool(router, title="Generate a melody", toolset="compose", effect="write", heavy=True)
async def generate_melody(body: GenerateMelody, composer: TheComposer) -> Composed[GeneratedMelody]:
    """Write a new melody in the manner of folk tunes: phrases, repetition with variation, a cadence at the end.

    Key, range, measures, start, end and largest leap always hold, or UNSATISFIABLE_CONSTRAINTS says why they cannot.
    Contour, density, steps and chords may be relaxed, with a warning that names the measure. To develop a phrase you
    have, use transform_phrase. Answers notes, MusicXML, and a score_id for other tools.

    Example: {"key": "D dorian", "length_measures": 8, "contour": "arch", "end_note": "D4", "seed": 7}
    """
    data, score, warnings = await composer.compose(write, body)
    return await composer.answer(data, score, warnings)
