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
    """Name the chords of music: symbols, numerals (`G: V7`: a new key), functions and cadences; check part writing.

    A melody alone gets implied chords. Two to four single lines are also checked for parallels, dissonances, crossings
    and leaps. With species, two voices are marked as strict counterpoint, each fault with measure and beat. For new
    chords use reharmonize. The score_id is the music with its chord symbols.

    Example: {"music": "score_…", "chord_rhythm": "per_half"}
    """
    source = await composer.read(body.music, body.input_format, "music")
    data, score, warnings = await composer.compose(analyze, source.score, body)
    return await composer.answer(data, score, [*source.warnings, *warnings], is_new=False)
