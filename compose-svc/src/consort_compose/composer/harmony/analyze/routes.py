"""The tool `analyze_harmony`."""

from consort_compose.composer.harmony.analyze.models import AnalyzeHarmony, HarmonyAnalysis
from consort_compose.composer.harmony.analyze.service import analyze
from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_kit.errors import NotFound
from consort_kit.tools.tool_decorator import tool, tool_router

router = tool_router()


@tool(router, title="Analyze harmony", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def analyze_harmony(body: AnalyzeHarmony, composer: TheComposer) -> Composed[HarmonyAnalysis]:
    """Do a Roman numeral analysis: name the chords (numerals) of a progression or piece, explain functions and
    cadences, the key it is written in and where it modulates (`G: V7`).

    Use it to check counterpoint (homework, a chorale) of two to four lines for parallel fifths and octaves,
    dissonances, crossings, leaps.

    Example: {"music": "score_…", "chord_rhythm": "per_half"}
    """
    source = await composer.read(body.music, body.input_format, "music")
    data, score, warnings = await composer.compose(analyze, source.score, body)
    return await composer.answer(data, score, [*source.warnings, *warnings], is_new=False)
