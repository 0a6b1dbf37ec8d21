"""The harmony tools."""

from consort_compose.composer.harmony.models import AnalyzeHarmony, HarmonyAnalysis, Reharmonize, Reharmonized
from consort_compose.composer.harmony.service import describe, find, study, warnings_of
from consort_compose.composer.models import Composed
from consort_compose.composer.service import TheComposer
from consort_kit.errors import NotFound
from consort_kit.tool import tool, tool_router

router = tool_router()


@tool(router, title="Harmonize a melody", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def reharmonize(body: Reharmonize, composer: TheComposer) -> Composed[Reharmonized]:
    """Find chords for a melody: several harmonisations, best first, each with symbols, Roman numerals, scores, and
    music under its own score_id.

    Melody notes on strong beats are chord tones wherever the style has such a chord. For chords that music already has
    use analyze_harmony; to voice chords, realize_progression.

    Example: {"melody": "E4:q E4:q F4:q G4:q", "style": "jazz", "chord_rhythm": "per_half"}
    """
    source = await composer.read(body.melody, body.input_format, "melody")
    found = await composer.compose(find, source.score, body)
    options = found.options
    ids = [await composer.keep(option.score) for option in options[1:]]
    data = await composer.compose(describe, found, body)
    answer = await composer.answer(data, options[0].score, [*source.warnings, *warnings_of(found)])
    for shown, score_id in zip(data.harmonizations, [answer.score_id, *ids], strict=True):
        shown.score_id = score_id
    return answer


@tool(router, title="Analyze harmony", toolset="compose", effect="write", heavy=True, errors=(NotFound,))
async def analyze_harmony(body: AnalyzeHarmony, composer: TheComposer) -> Composed[HarmonyAnalysis]:
    """Name the chords of music: symbols, Roman numerals, functions, cadences. A melody alone gets implied chords.

    Two to four lines are also checked for parallels, dissonances, crossings and leaps; with species, two voices are
    marked as strict counterpoint, each fault with measure and beat. For new chords use reharmonize. The score_id is the
    music with its chords.

    Example: {"music": "score_…", "chord_rhythm": "per_half"}
    """
    source = await composer.read(body.music, body.input_format, "music")
    data, score, warnings = await composer.compose(study, source.score, body)
    return await composer.answer(data, score, [*source.warnings, *warnings], is_new=False)
